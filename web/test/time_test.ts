// Times and amounts as people read them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, percent, tokens, usd } from '../src/number';
import { age, clock, parse, relative, span, ticks } from '../src/time';

const at = (text: string) => Date.parse(text);
const NOW = at('2026-11-16T08:00:00Z');

test('a span has two units at most', () => {
  assert.equal(span(0), '0 s');
  assert.equal(span(59.9), '59 s');
  assert.equal(span(60), '1 m');
  assert.equal(span(3599), '59 m');
  assert.equal(span(3600), '1 h');
  assert.equal(span(3600 * 3 + 300), '3 h 05 m');
  assert.equal(span(86400 * 2 + 3600 * 4), '2 d 4 h');
  assert.equal(span(-5), '0 s', 'a clock that is ahead is not shown as a negative age');
});

test('an age that is not known is empty', () => {
  assert.equal(age(null, NOW), '');
  assert.equal(age('nonsense', NOW), '');
  assert.equal(age('2026-11-16T07:48:00Z', NOW), '12 m');
  assert.equal(parse('nonsense'), 0);
});

test('a clock names the day when it is another one', () => {
  assert.equal(clock(at('2026-11-16T03:12:07Z'), NOW), '03:12:07');
  assert.equal(clock(at('2026-11-15T23:00:00Z'), NOW, false), '2026-11-15 23:00');
});

test('relative times', () => {
  assert.equal(relative(NOW + 7_800_000, NOW), 'in 2 h 10 m');
  assert.equal(relative(NOW - 14_400_000, NOW), '4 h ago');
  assert.equal(relative(NOW + 300, NOW), 'now');
});

test('ticks are round and few', () => {
  const eight = ticks(NOW - 8 * 3600_000 + 1234, NOW, 8);
  assert.ok(eight.length <= 9 && eight.length >= 4, `${eight.length}`);
  assert.ok(eight.every((t) => t % 3600_000 === 0));
  assert.ok(ticks(NOW, NOW + 20_000, 5).length <= 6);
  assert.ok(ticks(0, 400 * 86400_000, 3).length <= 100);
});

test('amounts: unknown is not zero', () => {
  assert.deepEqual([null, 0, 999, 1200, 99_960, 2_340_000, 120e6].map(tokens), ['–', '0', '999', '1.2 k', '100 k', '2.3 M', '120 M']);
  assert.deepEqual([null, 0, 1.5, 1234.5].map(usd), ['–', '$0.00', '$1.50', '$1235']);
  assert.equal(count(1, 'nudge'), '1 nudge');
  assert.equal(count(2, 'piece', 'pieces'), '2 pieces');
  assert.equal(percent(1, 0), '–');
});
