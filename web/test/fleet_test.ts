// Who is shown, in which order, and who needs a person.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Choice, chosen, counts, matches } from '../src/fleet';
import { level, reason } from '../src/urgency';
import { agent } from './sample';

const all: Choice = { states: new Set(), person: false, search: '', sort: 'urgency' };
const names = (choice: Partial<Choice>, agents = fleet) => chosen(agents, { ...all, ...choice }).map((one) => one.name);
const dialog = { id: 'a1', kind: 'permission', question: 'Run make?', subject: 'make', known: true, rows: [] };

const fleet = [
  agent('busy', 'busy', { cost_usd: 3 }), agent('ready', 'ready', { cost_usd: 1 }), agent('limited', 'limited'),
  agent('crashed', 'crashed'), agent('stuck', 'stuck'), agent('survey', 'waiting', { kind: 'survey' }),
  agent('asks', 'waiting', { kind: 'permission', dialog }), agent('login', 'waiting', { kind: 'login' }),
  agent('parked', 'busy', { parked: true, parked_because: 'it crashed five times' }), agent('over', 'exited'),
];

test('those that need a person come first, the worst before the rest', () => {
  assert.deepEqual(names({}), ['parked', 'login', 'asks', 'survey', 'stuck', 'crashed', 'limited', 'ready', 'busy', 'over']);
});

test('equally urgent ones: the longest first, then by name', () => {
  const two = [agent('b', 'stuck', { since: '2026-11-16T03:00:00Z' }), agent('c', 'stuck'), agent('a', 'stuck', { since: '2026-11-16T03:00:00Z' })];
  assert.deepEqual(names({}, two), ['c', 'a', 'b']);
});

test('other orders', () => {
  assert.deepEqual(names({ sort: 'name' })[0], 'asks');
  assert.deepEqual(names({ sort: 'cost' }).slice(0, 2), ['busy', 'ready']);
});

test('filters', () => {
  assert.deepEqual(names({ states: new Set(['busy', 'ready'] as const) }), ['parked', 'ready', 'busy']);
  assert.equal(names({ person: true }).length, 6);
  assert.deepEqual(names({ search: 'RUN make' }), ['asks'], 'every word, in the reason too');
  assert.ok(!matches(fleet[0]!, 'busy nothing'));
});

test('levels and reasons', () => {
  assert.equal(level(agent('a', 'limited')), 'watch');
  assert.equal(level(agent('a', 'busy')), 'fine');
  const broke = agent('a', 'ready', { spent: { day: '', tokens: 1, cost_usd: 1, budget_tokens: 1, budget_usd: null, used_up: true } });
  assert.equal(level(broke), 'person');
  assert.equal(reason(broke), "today's budget is used up");
  assert.equal(reason(fleet[8]!), 'given up on: it crashed five times');
  assert.equal(reason(fleet[6]!), 'Run make?');
});

test('counts', () => {
  const sums = counts(fleet);
  assert.deepEqual([sums.all, sums.person, sums.states.get('waiting'), sums.cost], [10, 6, 3, 4]);
  assert.equal(sums.tokens, null, 'unknown is not zero');
});

test('a state from a newer daemon does not break the order', () => {
  assert.doesNotThrow(() => names({}, [agent('odd', 'dancing' as never), agent('a', 'busy')]));
});
