// Loads the terminal's chunk and its style sheet, once.

import type { Face } from './terminal';

export type { Face };
type Chunk = { open(host: HTMLElement, onKeys: (bytes: Uint8Array) => void, dark: boolean): Face };

let loading: Promise<Chunk> | null = null;

function sheet(): Promise<void> {
  return new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = '/terminal.css';
    link.onload = link.onerror = () => resolve();
    document.head.append(link);
  });
}

// The name is a value, so that the bundler leaves it alone.
const CHUNK = './terminal.js';

export function loadTerminal(): Promise<Chunk> {
  loading ??= Promise.all([import(CHUNK) as Promise<Chunk>, sheet()]).then(([chunk]) => chunk)
    .catch((error) => { loading = null; throw error; });
  return loading;
}
