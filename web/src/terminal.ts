// The terminal, a chunk of its own that is loaded when the first one is opened: xterm.js, with everything off that could act.

import { Terminal } from '@xterm/xterm';
import { fontFor } from './terminal_font';

export interface Face {
  element: HTMLElement;
  write(bytes: Uint8Array | string): void;
  resize(cols: number, rows: number): void;
  clear(): void;
  control(on: boolean): void;
  theme(dark: boolean): void;
  focus(): void;
  dispose(): void;
}

const FONT = 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';

const DARK = {
  background: '#0b0d11', foreground: '#e4e7ee', cursor: '#e4e7ee', cursorAccent: '#0b0d11', selectionBackground: '#3a4666',
  black: '#1b1f29', red: '#f2686b', green: '#4cc38a', yellow: '#e5b94a', blue: '#7aa2f7', magenta: '#c792ea', cyan: '#56c6d9', white: '#c5cad6',
  brightBlack: '#737d92', brightRed: '#ff8a8c', brightGreen: '#72dba6', brightYellow: '#f5d06f', brightBlue: '#9dbbff', brightMagenta: '#dcb0ff',
  brightCyan: '#84deee', brightWhite: '#ffffff',
};
const LIGHT = {
  background: '#ffffff', foreground: '#1f2430', cursor: '#1f2430', cursorAccent: '#ffffff', selectionBackground: '#c6d4f5',
  black: '#1f2430', red: '#b3261e', green: '#1a7f45', yellow: '#8a6100', blue: '#2456c7', magenta: '#8b3fb0', cyan: '#0b7285', white: '#5f6675',
  brightBlack: '#6b7280', brightRed: '#c9372f', brightGreen: '#17703d', brightYellow: '#7a5600', brightBlue: '#1d4bb0', brightMagenta: '#7a2fa0',
  brightCyan: '#0a6375', brightWhite: '#3a4050',
};

// How wide a character is, for a font of one pixel.
function widthOfOne(): number {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 0.6;
  context.font = `100px ${FONT}`;
  return context.measureText('W').width / 100 || 0.6;
}

// Sequences that would do something outside of the grid are swallowed: titles, links, clipboards, colours of the page.
function tame(term: Terminal): void {
  for (const osc of [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 52, 104, 110, 111, 112, 133, 777, 1337])
    term.parser.registerOscHandler(osc, () => true);
  // Questions to the terminal: Pawl's own has answered them already.
  for (const id of [{ final: 'c' }, { prefix: '>', final: 'c' }, { prefix: '=', final: 'c' }, { final: 'n' }, { prefix: '?', final: 'n' },
    { intermediates: '$', final: 'p' }, { prefix: '?', intermediates: '$', final: 'p' }, { final: 't' }])
    term.parser.registerCsiHandler(id, () => true);
  term.parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true);
}

export function open(host: HTMLElement, onKeys: (bytes: Uint8Array) => void, dark: boolean): Face {
  const term = new Terminal({
    cols: 80, rows: 24, fontFamily: FONT, fontSize: 12, theme: dark ? DARK : LIGHT, disableStdin: true, scrollback: 0,
    cursorBlink: false, cursorInactiveStyle: 'outline', allowProposedApi: false, screenReaderMode: false,
    linkHandler: { activate: () => {} }, minimumContrastRatio: 4.5, macOptionIsMeta: true,
  });
  tame(term);
  term.open(host);
  const one = widthOfOne();
  const fit = () => {
    const room = host.parentElement?.clientWidth ?? 0;
    if (room > 0) term.options.fontSize = fontFor(room - 18, term.cols, one);
  };
  const watcher = new ResizeObserver(fit);
  watcher.observe(host.parentElement!);
  const encoder = new TextEncoder();
  term.onData((text) => onKeys(encoder.encode(text)));
  term.onBinary((text) => onKeys(Uint8Array.from(text, (c) => c.charCodeAt(0) & 255)));
  if (term.textarea) term.textarea.setAttribute('aria-label', 'Terminal input');
  return {
    element: host,
    write: (bytes) => term.write(bytes),
    resize: (cols, rows) => { term.resize(Math.max(2, cols), Math.max(1, rows)); fit(); },
    clear: () => term.reset(),
    control: (on) => { term.options.disableStdin = !on; term.options.cursorBlink = on && !matchMedia('(prefers-reduced-motion: reduce)').matches; },
    theme: (now) => { term.options.theme = now ? DARK : LIGHT; },
    focus: () => term.focus(),
    // Later: xterm.js has timers of its own that look at the size once more, and fail when it is gone by then.
    dispose: () => { watcher.disconnect(); setTimeout(() => term.dispose(), 200); },
  };
}
