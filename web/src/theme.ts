// Dark, light, or as the system has it. Remembered on this device.

export type Theme = 'auto' | 'dark' | 'light';
const KEY = 'pawl.theme';
const listeners = new Set<() => void>();

export function theme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'dark' || kept === 'light' ? kept : 'auto';
  } catch { return 'auto'; }
}

export function isDark(): boolean {
  const chosen = theme();
  return chosen === 'auto' ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', isDark() ? '#0f1116' : '#f6f7f9');
  for (const listener of listeners) listener();
}

export function nextTheme(): Theme {
  const next: Theme = theme() === 'auto' ? (isDark() ? 'light' : 'dark') : theme() === 'dark' ? 'light' : 'auto';
  try { next === 'auto' ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, next); } catch { /* private mode: for now only */ }
  applyTheme();
  return next;
}

export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function watchSystemTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
}
