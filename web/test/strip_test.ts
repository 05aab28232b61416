// The strip of an agent's last hours, and the arithmetic of the timeline.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { birth, changesOf, clamp, eventAt, instant, nearest, pan, place, zoom } from '../src/chart';
import { bins, extended, paths, pieces, runs, stripEnd } from '../src/strip';
import type { Change, Event } from '../src/types';

const T = Date.parse('2026-11-16T00:00:00Z'), MINUTE = 60_000;
const iso = (minutes: number) => new Date(T + minutes * MINUTE).toISOString();

test('pieces have no gaps and stay within', () => {
  const changes: Change[] = [[iso(-30), 'busy'], [iso(10), 'ready'], [iso(20), 'busy']];
  assert.deepEqual(pieces(changes, T, T + 30 * MINUTE), [
    { from: T, to: T + 10 * MINUTE, state: 'busy' }, { from: T + 10 * MINUTE, to: T + 20 * MINUTE, state: 'ready' },
    { from: T + 20 * MINUTE, to: T + 30 * MINUTE, state: 'busy' }]);
  assert.deepEqual(pieces([], T, T + 1), []);
});

test('a bin is what filled most of it', () => {
  const changes: Change[] = [[iso(0), null], [iso(10), 'busy'], [iso(13), 'waiting'], [iso(14), 'busy'], [iso(18), 'waiting']];
  assert.deepEqual(bins(changes, T, T + 30 * MINUTE, 3), [null, 'busy', 'waiting']);
});

test('many short times of one state win over one longer one', () => {
  const changes: Change[] = [[iso(0), 'busy'], [iso(3), 'ready'], [iso(7), 'busy'], [iso(10), 'ready']];
  assert.deepEqual(bins(changes, T, T + 10 * MINUTE, 1), ['busy']);
});

test('an end exactly on an edge does not touch the next bin', () => {
  assert.deepEqual(bins([[iso(0), 'busy'], [iso(10), null]], T, T + 20 * MINUTE, 2), ['busy', null]);
});

test('runs and paths', () => {
  const cells = ['busy', 'busy', null, 'busy', 'ready'] as const;
  assert.deepEqual(runs(cells), [{ state: 'busy', start: 0, length: 2 }, { state: 'busy', start: 3, length: 1 }, { state: 'ready', start: 4, length: 1 }]);
  assert.deepEqual(paths(cells), [['busy', 'M0 0h2v1h-2zM3 0h1v1h-1z'], ['ready', 'M4 0h1v1h-1z']]);
});

test('a strip grows at its end and forgets at its beginning', () => {
  let strip: Change[] = [[iso(0), 'busy']];
  strip = extended(strip, [iso(5), 'ready'], T);
  strip = extended(strip, [iso(6), 'ready'], T);
  assert.equal(strip.length, 2, 'the same state again is no change');
  assert.equal(extended(strip, [iso(1), 'busy'], T).length, 2, 'what is older was seen already');
  strip = extended(strip, [iso(60), 'busy'], T + 30 * MINUTE);
  assert.deepEqual(strip, [[iso(5), 'ready'], [iso(60), 'busy']], 'the state at the new beginning stays');
});

test('the end of the strip moves in steps', () => {
  assert.equal(stripEnd(T + 1), T + 5 * MINUTE);
  assert.equal(stripEnd(T + 4 * MINUTE), T + 5 * MINUTE);
});

const whole = { from: 0, to: 1_000_000 };

test('zoom keeps the instant under the pointer', () => {
  const span = zoom({ from: 200_000, to: 600_000 }, 300_000, 0.5, whole);
  assert.equal(place(300_000, span, 100), 25);
  assert.deepEqual(zoom(whole, 500_000, 4, whole), whole, 'never more than there is');
  const deep = zoom({ from: 0, to: 20_000 }, 10_000, 0.01, whole);
  assert.equal(deep.to - deep.from, 10_000, 'never less than ten seconds');
});

test('panning stops at the edges', () => {
  assert.deepEqual(pan({ from: 100_000, to: 300_000 }, -500_000, whole), { from: 0, to: 200_000 });
  assert.deepEqual(pan({ from: 100_000, to: 300_000 }, 5_000_000, whole), { from: 800_000, to: 1_000_000 });
  assert.deepEqual(clamp({ from: -5, to: 2_000_000 }, whole), whole);
  assert.equal(instant(50, { from: 0, to: 100 }, 100), 50);
});

const event = (seq: number, minutes: number, more: object = {}): Event => ({ seq, at: iso(minutes), agent: 'a', type: 'state', ...more });

test('what was known at an instant is the event at or before it', () => {
  const events = [event(1, 1), event(2, 2), event(3, 3)];
  assert.equal(eventAt(events, T), null);
  assert.equal(eventAt(events, T + 2 * MINUTE)?.seq, 2);
  assert.equal(eventAt(events, T + 2.5 * MINUTE)?.seq, 2);
  assert.equal(eventAt(events, T + 99 * MINUTE)?.seq, 3);
});

test('changes from events begin with what was before', () => {
  const changes = changesOf([event(1, 1, { type: 'alert' }), event(2, 5, { from: 'busy', to: 'ready' })], T, 0);
  assert.deepEqual(changes, [[iso(0), 'busy'], [iso(5), 'ready']]);
});

test('nothing was before its birth', () => {
  const events = [event(1, 3, { type: 'config', what: 'registered' }), event(2, 5, { from: 'exited', to: 'starting' })];
  assert.equal(birth([[iso(0), null], [iso(5), 'starting']], events, false), T + 5 * MINUTE);
  assert.equal(birth([[iso(0), 'busy']], events, false), 0, 'registered again, but it was there');
  assert.equal(birth(undefined, events, true), T + 3 * MINUTE);
  assert.deepEqual(changesOf(events, T, T + 5 * MINUTE), [[iso(5), 'starting']]);
});

test('the nearest mark, within reach only', () => {
  const events = [event(1, 10), event(2, 20)], span = { from: T, to: T + 100 * MINUTE };
  assert.equal(nearest(events, 12, span, 100, 5)?.seq, 1);
  assert.equal(nearest(events, 40, span, 100, 5), null);
});
