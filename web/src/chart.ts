// The arithmetic of the zoomable timeline. Pure; times in ms, places in pixels.

import type { Change, Event, State } from './types';
import { parse } from './time';

export interface Span { from: number; to: number }

const SHORTEST = 10_000;

export function clamp(span: Span, whole: Span): Span {
  const length = Math.min(whole.to - whole.from, Math.max(SHORTEST, span.to - span.from));
  const from = Math.min(Math.max(span.from, whole.from), whole.to - length);
  return { from, to: from + length };
}

// Zooms so that the instant `at` stays where it is.
export function zoom(span: Span, at: number, factor: number, whole: Span): Span {
  return clamp({ from: at - (at - span.from) * factor, to: at + (span.to - at) * factor }, whole);
}

export function pan(span: Span, by: number, whole: Span): Span {
  return clamp({ from: span.from + by, to: span.to + by }, whole);
}

export function place(at: number, span: Span, width: number): number {
  return ((at - span.from) / (span.to - span.from)) * width;
}

export function instant(x: number, span: Span, width: number): number {
  return span.from + (x / Math.max(1, width)) * (span.to - span.from);
}

// Changes of state from the events; what was before the first is what it says it came from, but nothing was before its birth.
export function changesOf(events: readonly Event[], from: number, born: number): Change[] {
  const out: Change[] = [];
  for (const event of events) {
    if (event.type !== 'state') continue;
    if (!out.length && parse(event.at) > born) out.push([new Date(Math.max(from, born)).toISOString(), (event['from'] as State) ?? null]);
    out.push([event.at, event['to'] as State]);
  }
  return out;
}

// When an agent came to be, 0: long ago. The strip knows it within its hours: it begins with "not there yet".
// For a longer range, the first thing the journal says of it may be that it was registered.
export function birth(strip: readonly Change[] | undefined, events: readonly Event[], longer: boolean): number {
  if (strip?.[0]?.[1] === null && strip[1]) return parse(strip[1][0]);
  const first = events[0];
  return longer && first?.type === 'config' && first['what'] === 'registered' ? parse(first.at) : 0;
}

// The last event at or before an instant: what was known then. Events are in order.
export function eventAt(events: readonly Event[], at: number): Event | null {
  let low = 0, high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    parse(events[middle]!.at) <= at ? (low = middle + 1) : (high = middle);
  }
  return low ? events[low - 1]! : null;
}

// The one nearest to a place, within `reach` pixels.
export function nearest(events: readonly Event[], x: number, span: Span, width: number, reach: number): Event | null {
  let best: Event | null = null, distance = reach;
  for (const event of events) {
    const d = Math.abs(place(parse(event.at), span, width) - x);
    if (d <= distance) { best = event; distance = d; }
  }
  return best;
}
