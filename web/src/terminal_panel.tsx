// An agent's terminal: live, or as it was at an instant. Keys go to it only while somebody has taken control, and that is seen.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError, agentPath, get } from './api';
import { mayAct, useNow } from './context';
import { Icon } from './icon';
import { heightFor } from './terminal_font';
import { type Face, loadTerminal } from './terminal_load';
import { type LinkStatus, TerminalLink } from './terminal_link';
import { isDark, onTheme } from './theme';
import { clock, parse, relative } from './time';
import type { Screen } from './types';

// Before the terminal says how large it is: as large as most are. It is the box around it that is given a height.
function keepRoom(host: HTMLElement, cols: number, rows: number): void {
  const box = host.parentElement!;
  box.style.minHeight = `${heightFor(box.clientWidth - 18, cols, rows)}px`;
}

// A face of xterm.js in `host`; null until its chunk is there.
function useFace(onKeys: (bytes: Uint8Array) => void) {
  const host = useRef<HTMLDivElement>(null);
  const [face, setFace] = useState<Face | null>(null);
  const [failed, setFailed] = useState('');
  const keys = useRef(onKeys);
  keys.current = onKeys;
  useLayoutEffect(() => keepRoom(host.current!, 120, 40), []);
  useEffect(() => {
    let gone = false, made: Face | null = null;
    loadTerminal().then((chunk) => {
      if (gone || !host.current) return;
      made = chunk.open(host.current, (bytes) => keys.current(bytes), isDark());
      setFace(made);
    }, () => setFailed('The terminal could not be loaded.'));
    const end = onTheme(() => made?.theme(isDark()));
    return () => { gone = true; end(); made?.dispose(); };
  }, []);
  return { host, face, failed };
}

const NOT_YET: LinkStatus = { open: false, control: false, end: null, error: null, size: null };
const KEYS: [string, string][] = [
  ['Esc', '\x1b'], ['Tab', '\t'], ['⇧Tab', '\x1b[Z'], ['Ctrl-C', '\x03'], ['↑', '\x1b[A'], ['↓', '\x1b[B'], ['←', '\x1b[D'], ['→', '\x1b[C'], ['Enter', '\r'],
];

function KeyBar({ press }: { press: (text: string) => void }) {
  return (
    <div class="keybar" role="group" aria-label="Keys">
      {KEYS.map(([label, text]) => <button key={label} type="button" class="button" onClick={() => press(text)}>{label}</button>)}
    </div>
  );
}

function statusText(status: LinkStatus, loading: boolean): string {
  if (status.error) return status.error.what + (status.error.fix ? ` – ${status.error.fix}` : '');
  if (status.end) return `its program is over (${status.end.state}: ${status.end.because}); this was its last screen`;
  if (loading) return 'loading the terminal';
  return status.open ? 'live, you are looking on' : 'connecting';
}

export function LiveTerminal({ name }: { name: string }) {
  const link = useRef<TerminalLink | null>(null);
  const [status, setStatus] = useState<LinkStatus>(NOT_YET);
  const { host, face, failed } = useFace((bytes) => link.current?.keys(bytes));
  useEffect(() => {
    if (!face) return;
    const one = new TerminalLink(name, {
      bytes: (bytes) => face.write(bytes), size: (cols, rows) => { face.resize(cols, rows); keepRoom(face.element, cols, rows); }, fresh: () => face.clear(),
    }, setStatus);
    link.current = one;
    return () => { link.current = null; one.close(); };
  }, [face, name]);
  useEffect(() => { face?.control(status.control); if (status.control) face?.focus(); }, [face, status.control]);
  const press = (text: string) => { link.current?.keys(new TextEncoder().encode(text)); face?.focus(); };
  return (
    <div class={status.control ? 'tty control' : 'tty'}>
      <div class="tty-bar" role="status">
        <span class={`dot ${status.open ? 'on' : ''}`} aria-hidden="true" />
        <span class="grow clip">{failed || (status.control ? <b>You have the keyboard: what you type goes to the agent.</b> : statusText(status, !face))}</span>
        {status.size ? <span class="muted num size">{status.size.cols}×{status.size.rows}</span> : null}
        {mayAct() && !status.end ? <Control status={status} ask={(on) => link.current?.askControl(on)} /> : null}
      </div>
      <div class="tty-scroll"><div class="tty-host" ref={host} aria-label={`Terminal of ${name}`} role="group" /></div>
      {status.control ? <KeyBar press={press} /> : null}
    </div>
  );
}

function Control({ status, ask }: { status: LinkStatus; ask: (on: boolean) => void }) {
  return status.control
    ? <button type="button" class="button primary" id="control" onClick={() => ask(false)}><Icon name="release" size={14} /><span>Give back</span></button>
    : <button type="button" class="button" id="control" disabled={!status.open} onClick={() => ask(true)}><Icon name="keyboard" size={14} /><span>Take control</span></button>;
}

// The screen of an instant in the past, from the recording.
export function StillTerminal({ name, at, onLive }: { name: string; at: string; onLive: () => void }) {
  const now = useNow(5000);
  const { host, face, failed } = useFace(() => {});
  const [screen, setScreen] = useState<Screen | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    let gone = false;
    setError('');
    get<Screen>(agentPath(name, `screen?ansi=1&at=${encodeURIComponent(at)}`)).then(
      (screen) => { if (!gone) setScreen(screen); },
      (problem: ApiError) => { if (!gone) { setScreen(null); setError(problem.message); } });
    return () => { gone = true; };
  }, [name, at]);
  useEffect(() => {
    if (!face) return;
    face.clear();
    if (!screen) return;
    face.resize(screen.cols, screen.rows);
    keepRoom(face.element, screen.cols, screen.rows);
    const { row, col, visible } = screen.cursor;
    face.write(`\x1b[?25l\x1b[?7l${screen.screen.replace(/\n$/, '').replace(/\r?\n/g, '\r\n')}\x1b[0m${visible ? `\x1b[${row};${col}H\x1b[?25h` : ''}`);
  }, [face, screen]);
  const ms = parse(at);
  return (
    <div class="tty still">
      <div class="tty-bar" role="status">
        <Icon name="limited" size={14} />
        <span class="grow clip"><b>This is {clock(ms, now)}</b>, {relative(ms, now)}{failed || error ? ` – ${failed || error}` : ''}</span>
        <button type="button" class="button primary" onClick={onLive}>Back to live</button>
      </div>
      <div class="tty-scroll"><div class="tty-host" ref={host} aria-label={`Screen of ${name} at ${at}`} role="group" /></div>
    </div>
  );
}
