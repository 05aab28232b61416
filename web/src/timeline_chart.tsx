// The timeline of one agent: a strip of its states and, below, what was decided and what came of it, alerts, people, work.
// Wheel, drag, pinch, buttons and keys zoom and move; a click shows the screen of that instant.

import { useEffect, useRef, useState } from 'preact/hooks';
import { type Span, changesOf, clamp, instant, nearest, pan, place, zoom } from './chart';
import { type Lane, lane, sentence, tone } from './event_text';
import { IconButton } from './parts';
import { pieces } from './strip';
import { clock, parse, relative, span as lasting, ticks } from './time';
import type { Change, Event, State } from './types';

const LANES: [Lane, string][] = [['act', 'acts'], ['alert', 'alerts'], ['human', 'people'], ['work', 'work']];
const GUTTER = 48; // for the names of the lanes
const STRIP_TOP = 4, STRIP_HIGH = 30, LANE_TOP = 42, LANE_HIGH = 18, HIGH = LANE_TOP + LANES.length * LANE_HIGH + 20;

interface Props {
  events: Event[];
  whole: Span;
  born: number;        // ms; 0: before all this
  first: State | null; // when there is no change at all
  at: number | null;   // the instant that is shown
  now: number;
  onPick: (at: number) => void;
  onLive: () => void;
}

function useWidth(): [{ current: HTMLDivElement | null }, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(600);
  useEffect(() => {
    const watcher = new ResizeObserver(() => setWidth(Math.max(120, (box.current?.clientWidth ?? 600) - GUTTER)));
    watcher.observe(box.current!);
    return () => watcher.disconnect();
  }, []);
  return [box, width];
}

function statePaths(changes: Change[], span: Span, width: number, now: number): [State, string][] {
  const out = new Map<State, string>();
  for (const piece of pieces(changes, span.from, Math.min(span.to, now))) {
    if (!piece.state) continue;
    const x = place(piece.from, span, width), w = Math.max(0.75, place(piece.to, span, width) - x);
    out.set(piece.state, `${out.get(piece.state) ?? ''}M${x.toFixed(1)} ${STRIP_TOP}h${w.toFixed(1)}v${STRIP_HIGH}h-${w.toFixed(1)}z`);
  }
  return [...out];
}

// A decision is an open ring, an outcome a full one in its colour; alerts are diamonds, people dots, work squares.
function mark(event: Event, x: number): string {
  const row = LANES.findIndex(([name]) => name === lane(event));
  const y = LANE_TOP + row * LANE_HIGH + LANE_HIGH / 2, at = x.toFixed(1);
  if (event.type === 'alert') return `M${at} ${y - 5}l5 5-5 5-5-5z`;
  if (event.type === 'decision' || event.type === 'outcome' || event.type === 'human')
    return `M${at} ${y - 4}a4 4 0 1 1 0 8a4 4 0 1 1 0-8z`;
  return `M${(x - 3.5).toFixed(1)} ${y - 3.5}h7v7h-7z`;
}

function markPaths(events: Event[], span: Span, width: number): [string, string][] {
  const out = new Map<string, string>();
  for (const event of events) {
    if (!LANES.some(([name]) => name === lane(event))) continue;
    const x = place(parse(event.at), span, width);
    if (x < -6 || x > width + 6) continue;
    const kind = `mark m-${event.type} t-${tone(event)}`;
    out.set(kind, (out.get(kind) ?? '') + mark(event, x));
  }
  return [...out];
}

// Fingers and mouse: one drags, two pinch, none of it is a click.
function usePointers(get: () => { span: Span; width: number; whole: Span }, set: (span: Span) => void, pick: (x: number) => void) {
  const down = useRef(new Map<number, number>());
  const moved = useRef(0);
  const left = (event: PointerEvent) => event.clientX - (event.currentTarget as Element).getBoundingClientRect().left - GUTTER;
  return {
    onPointerDown: (event: PointerEvent) => {
      if (!down.current.size) moved.current = 0;
      down.current.set(event.pointerId, left(event));
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const old = down.current.get(event.pointerId);
      if (old === undefined) return;
      const x = left(event), { span, width, whole } = get();
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
      moved.current += Math.abs(x - old);
      down.current.set(event.pointerId, x);
      if (other !== undefined) {
        const factor = Math.abs(old - other) / Math.max(1, Math.abs(x - other));
        set(zoom(span, instant((x + other) / 2, span, width), factor, whole));
      } else if (moved.current > 4) set(pan(span, ((old - x) / width) * (span.to - span.from), whole));
    },
    onPointerUp: (event: PointerEvent) => {
      down.current.delete(event.pointerId);
      if (moved.current <= 4) pick(left(event));
    },
    onPointerCancel: (event: PointerEvent) => { down.current.delete(event.pointerId); },
  };
}

export function TimelineChart({ events, whole, born, first, at, now, onPick, onLive }: Props) {
  const [box, width] = useWidth();
  const [chosenSpan, setSpan] = useState<Span | null>(null);
  const span = chosenSpan ? clamp(chosenSpan, whole) : whole;
  const latest = useRef({ span, width, whole });
  latest.current = { span, width, whole };
  const [hover, setHover] = useState<number | null>(null);
  const changes = changesOf(events, whole.from, born);
  if (!changes.length && first) changes.push([new Date(Math.max(whole.from, born)).toISOString(), first]);
  const marked = events.filter((event) => lane(event) !== 'state' && lane(event) !== 'other');
  const near = (x: number) => nearest(marked, x, span, width, 7);
  const pointers = usePointers(() => latest.current, setSpan, (x) => {
    const event = near(x);
    onPick(event ? parse(event.at) : Math.min(now, Math.max(span.from, instant(x, span, width))));
  });
  const middle = () => at ?? (span.from + span.to) / 2;
  const scale = (factor: number) => setSpan(zoom(span, middle(), factor, whole));
  useWheel(box, latest, setSpan);
  const step = (direction: number) => {
    const from = at ?? now;
    const list = direction < 0 ? [...events].reverse() : events;
    const next = list.find((event) => direction * (parse(event.at) - from) > 0.5);
    if (next) onPick(parse(next.at)); else if (direction > 0) onLive();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = (span.to - span.from) / 4;
    const keys: Record<string, () => void> = {
      '+': () => scale(0.5), '=': () => scale(0.5), '-': () => scale(2), '0': () => setSpan(null),
      ArrowLeft: () => (event.shiftKey ? setSpan(pan(span, -by, whole)) : step(-1)),
      ArrowRight: () => (event.shiftKey ? setSpan(pan(span, by, whole)) : step(1)),
      Home: () => onPick(whole.from), End: onLive,
    };
    if (event.ctrlKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]!();
  };
  return (
    <div class="chart">
      <div class="chart-tools">
        <Legend text={describe(hover, near, changes, span, width, now)} />
        <IconButton icon="minus" label="Zoom out (-)" onClick={() => scale(2)} />
        <IconButton icon="plus" label="Zoom in (+)" onClick={() => scale(0.5)} />
        <IconButton icon="fit" label="Show everything (0)" onClick={() => setSpan(null)} />
      </div>
      <div class="chart-box" ref={box} tabIndex={0} role="application" onKeyDown={onKeyDown}
        aria-label="Timeline. Left and right go from event to event, plus and minus zoom, End goes back to live.">
        <svg width={width + GUTTER} height={HIGH} {...pointers}
          onMouseMove={(event) => setHover(Math.max(0, event.clientX - event.currentTarget.getBoundingClientRect().left - GUTTER))}
          onMouseLeave={() => setHover(null)}>
          <text class="lane" x={0} y={STRIP_TOP + 19}>states</text>
          {LANES.map(([name, label], i) => <text key={name} class="lane" x={0} y={LANE_TOP + i * LANE_HIGH + 13}>{label}</text>)}
          <svg x={GUTTER} width={width} height={HIGH}>
            <Axis span={span} width={width} now={now} />
            {statePaths(changes, span, width, now).map(([state, d]) => <path key={state} class={`f-${state}`} d={d} />)}
            {markPaths(marked, span, width).map(([kind, d]) => <path key={kind} class={kind} d={d} />)}
            {at !== null ? <path class="cursor" d={`M${place(at, span, width).toFixed(1)} 0v${HIGH - 18}`} /> : null}
            {hover !== null ? <path class="hair" d={`M${hover.toFixed(1)} 0v${HIGH - 18}`} /> : null}
          </svg>
        </svg>
      </div>
    </div>
  );
}

// Preact listens passively for wheels in some browsers; this one has to keep the page from scrolling.
function useWheel(box: { current: HTMLDivElement | null }, latest: { current: { span: Span; width: number; whole: Span } }, set: (span: Span) => void) {
  useEffect(() => {
    const element = box.current!;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const { span, width, whole } = latest.current;
      const x = event.clientX - element.getBoundingClientRect().left - GUTTER;
      const across = event.shiftKey ? event.deltaY : event.deltaX;
      if (Math.abs(across) > Math.abs(event.shiftKey ? 0 : event.deltaY)) set(pan(span, (across / width) * (span.to - span.from), whole));
      else set(zoom(span, instant(x, span, width), Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), whole));
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, []);
}

function describe(hover: number | null, near: (x: number) => Event | null, changes: Change[], span: Span, width: number, now: number): string {
  if (hover === null) return `${lasting((span.to - span.from) / 1000)} shown; click for the screen of that moment`;
  const event = near(hover);
  if (event) return `${clock(parse(event.at), now)}  ${sentence(event)}`;
  const at = instant(hover, span, width);
  const piece = pieces(changes, span.from, Math.min(span.to, now)).find((one) => one.from <= at && at < one.to);
  return `${clock(at, now)}, ${relative(at, now)}${piece?.state ? `: ${piece.state}` : ''}`;
}

function Legend({ text }: { text: string }) { return <span class="grow clip muted legend">{text}</span>; }

function Axis({ span, width, now }: { span: Span; width: number; now: number }) {
  const fine = span.to - span.from < 10 * 60_000;
  return (
    <g class="axis">
      {ticks(span.from, span.to, Math.max(2, Math.floor(width / 90))).map((at) => {
        const x = place(at, span, width);
        return <g key={at}><path d={`M${x.toFixed(1)} 0v${HIGH - 18}`} /><text x={x} y={HIGH - 4}>{clock(at, now, fine).slice(fine ? -8 : -5)}</text></g>;
      })}
    </g>
  );
}
