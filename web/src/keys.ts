// Keys of the page. A view says which it has; the newest one that knows a key gets it. Terminals and text boxes keep theirs.

import { useEffect, useRef } from 'preact/hooks';

type Keys = Record<string, (event: KeyboardEvent) => void>;
const layers: { current: Keys }[] = [];
let prefix = '';
let prefixTimer = 0;

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    layers.push(latest);
    return () => { layers.splice(layers.indexOf(latest), 1); };
  }, []);
}

// Does this element want the keys for itself?
function typesIn(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || !!target.closest('.xterm');
}

function name(event: KeyboardEvent): string {
  return (prefix ? prefix + ' ' : '') + event.key;
}

// Enter and Space belong to the button or link that has the focus.
function belongs(event: KeyboardEvent): boolean {
  return (event.key === 'Enter' || event.key === ' ') && event.target instanceof HTMLElement &&
    !!event.target.closest('a, button, summary');
}

function press(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typesIn(event.target) || belongs(event)) return;
  const key = name(event);
  if (!prefix && event.key === 'g') {
    prefix = 'g';
    prefixTimer = window.setTimeout(() => { prefix = ''; }, 1200);
    return;
  }
  prefix = '';
  clearTimeout(prefixTimer);
  const last = document.querySelector('dialog[open]') ? layers.length - 1 : 0; // what is behind a dialog gets nothing
  for (let i = layers.length - 1; i >= last; i--) {
    const take = layers[i]!.current[key];
    if (!take) continue;
    event.preventDefault();
    take(event);
    return;
  }
}

export function listenForKeys(): void { addEventListener('keydown', press); }
