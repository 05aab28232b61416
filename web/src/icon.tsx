// Pictures of 16 units, drawn by us. Each state has a shape of its own: colour is never the only sign.

import type { State } from './types';

const SHAPES: Record<string, string> = {
  // states
  busy: 'M5 3.2v9.6L13 8z!',
  ready: 'M8 3a5 5 0 1 1 0 10A5 5 0 0 1 8 3z',
  typing: 'M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3zM9 4.7l2.3 2.3',
  waiting: 'M2.5 3h11v8H7l-3 2.5V11H2.5zM6.6 5.8a1.5 1.5 0 1 1 2 1.4c-.5.2-.6.4-.6.8M8 9.4v.2',
  limited: 'M4 2.5h8M4 13.5h8M5 2.5c0 3.5 3 3.5 3 5.500 0-2 3-2 3-5.500M5 13.500c0-3.500 3-3.500 3-5.500 0 2 3 2 3 5.500',
  stuck: 'M8 2.5l6 11H2zM8 6.500v3.500M8 11.700v.2',
  crashed: 'M5.500 2.500h5l3 3v5l-3 3h-5l-3-3v-5zM6 6l4 4M10 6l-4 4',
  exited: 'M4 4h8v8H4z',
  starting: 'M3 4l4 4-4 4M8.500 4l4 4-4 4',
  shell: 'M2.500 4l3.500 4-3.500 4M8 12h5.500',
  unknown: 'M5.800 6a2.200 2.200 0 1 1 3.200 2c-.7.400-1 .8-1 1.500M8 11.800v.2',
  // things to do
  fleet: 'M2.500 3.500h11M2.500 8h11M2.500 12.500h11',
  alerts: 'M8 2a4 4 0 0 0-4 4c0 4-1.500 5-1.500 5h11S12 10 12 6a4 4 0 0 0-4-4zM6.500 13.500h3',
  tasks: 'M3 4l1.200 1.200L6.500 3M3 8.500l1.200 1.200 2.300-2.200M8.500 4.500h5M8.500 9h5M8.500 13h5M3.500 13h1.500',
  report: 'M2.500 13.500h11M4.500 13V8.500M8 13V3M11.500 13V6',
  start: 'M8 3v10M3 8h10',
  back: 'M9.500 3.500L5 8l4.500 4.500',
  search: 'M7 2.800a4.200 4.200 0 1 1 0 8.400 4.200 4.200 0 0 1 0-8.400zM10.200 10.200l3.300 3.300',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  resume: 'M5 3.200v9.600L13 8z',
  restart: 'M13 8a5 5 0 1 1-1.600-3.700M13 2.500v2.800h-2.800',
  stop: 'M4 4h8v8H4z!',
  wake: 'M8.500 1.500L3.500 9H8l-.500 5.500 5-7.500H8z',
  send: 'M2.500 8L13.500 3 10 13.500 7.500 9z',
  keyboard: 'M1.500 4h13v8h-13zM4 6.500h.2M7 6.500h.2M10 6.500h.2M12 6.500h.2M5 9.500h6',
  release: 'M6 3H3v10h3M8 8h6M11.500 5.500L14 8l-2.500 2.500',
  notify: 'M8 3a3.300 3.300 0 0 0-3.300 3.300c0 3.500-1.200 4.400-1.200 4.400h9s-1.200-.9-1.200-4.400A3.300 3.300 0 0 0 8 3zM6.800 13.200h2.400M1.800 5.500a5 5 0 0 1 1.700-3M14.200 5.500a5 5 0 0 0-1.700-3',
  theme: 'M8 2.500a5.500 5.500 0 1 1 0 11zM8 2.500a5.500 5.500 0 1 0 0 11z',
  help: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6.400 6.400a1.700 1.700 0 1 1 2.300 1.600c-.500.2-.7.500-.7 1M8 11v.2',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  person: 'M8 2.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5zM3 13.500c0-3 2-4.500 5-4.500s5 1.500 5 4.500',
  fit: 'M2.500 6V2.500H6M10 2.500h3.500V6M13.500 10v3.500H10M6 13.500H2.500V10',
  more: 'M3.500 8h.2M8 8h.2M12.500 8h.2',
  check: 'M3 8.500l3.500 3.500L13 4.500',
};

export function Icon({ name, size = 16 }: { name: string; size?: number }) {
  const shape = SHAPES[name] ?? SHAPES['unknown']!;
  const filled = shape.endsWith('!');
  return (
    <svg class={filled ? 'icon filled' : 'icon'} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={filled ? shape.slice(0, -1) : shape} />
    </svg>
  );
}

// The state in colour, shape and word.
export function StateBadge({ state, kind, quiet }: { state: State; kind?: string | null; quiet?: boolean }) {
  return (
    <span class={`badge s-${state}${quiet ? ' quiet' : ''}`}>
      <Icon name={state} size={14} />
      <span class="word">{state}</span>
      {kind ? <span class="kind">{kind}</span> : null}
    </span>
  );
}
