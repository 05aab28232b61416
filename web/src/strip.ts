// The strip of colours of an agent's last hours: changes of state, put into bins, drawn as one path per state. Pure.

import { parse } from './time';
import type { Change, State } from './types';

export const STRIP_HOURS = 8;
export const STRIP_BINS = 96; // five minutes each

export interface Piece { from: number; to: number; state: State | null }

// Times without gaps within [from, to] (ms).
export function pieces(changes: readonly Change[], from: number, to: number): Piece[] {
  const out: Piece[] = [];
  for (let i = 0; i < changes.length; i++) {
    const begin = Math.max(from, parse(changes[i]![0]));
    const end = Math.min(to, i + 1 < changes.length ? parse(changes[i + 1]![0]) : to);
    if (end > begin) out.push({ from: begin, to: end, state: changes[i]![1] });
  }
  return out;
}

// The state that filled most of each bin; null: it was not there.
export function bins(changes: readonly Change[], from: number, to: number, n = STRIP_BINS): (State | null)[] {
  const width = (to - from) / n;
  const most: { state: State | null; ms: number }[] = Array.from({ length: n }, () => ({ state: null, ms: 0 }));
  const sums = new Map<State, number>();
  let at = -1;
  const note = (bin: number, state: State, ms: number) => {
    if (bin !== at) { sums.clear(); at = bin; }
    const sum = (sums.get(state) ?? 0) + ms;
    sums.set(state, sum);
    if (sum > most[bin]!.ms) most[bin] = { state, ms: sum };
  };
  for (const piece of pieces(changes, from, to)) {
    if (!piece.state) continue;
    const last = Math.min(n - 1, Math.floor((piece.to - from - 1e-6) / width));
    for (let bin = Math.max(0, Math.floor((piece.from - from) / width)); bin <= last; bin++) {
      const begin = from + bin * width;
      note(bin, piece.state, Math.min(piece.to, begin + width) - Math.max(piece.from, begin));
    }
  }
  return most.map((one) => one.state);
}

export interface Run { state: State; start: number; length: number }

export function runs(cells: readonly (State | null)[]): Run[] {
  const out: Run[] = [];
  cells.forEach((state, start) => {
    const last = out[out.length - 1];
    if (!state) return;
    if (last && last.state === state && last.start + last.length === start) last.length++;
    else out.push({ state, start, length: 1 });
  });
  return out;
}

// One path of rectangles, one unit high, for each state.
export function paths(cells: readonly (State | null)[]): [State, string][] {
  const out = new Map<State, string>();
  for (const { state, start, length } of runs(cells))
    out.set(state, `${out.get(state) ?? ''}M${start} 0h${length}v1h-${length}z`);
  return [...out];
}

// The end of the strip, rounded so that it does not move with every second.
export function stripEnd(now: number): number {
  const bin = (STRIP_HOURS * 3600_000) / STRIP_BINS;
  return Math.ceil(now / bin) * bin;
}

// With one more change; what is older than `from` (ms) is forgotten, except for the state at `from`.
export function extended(changes: readonly Change[], change: Change, from: number): Change[] {
  const out = [...changes];
  const last = out[out.length - 1];
  if (last && parse(change[0]) < parse(last[0])) return out; // seen already
  if (!last || last[1] !== change[1]) out.push(change);
  let keep = 0;
  while (keep + 1 < out.length && parse(out[keep + 1]![0]) <= from) keep++;
  return keep ? out.slice(keep) : out;
}
