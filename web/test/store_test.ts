// What the page knows: merging lists with what was heard meanwhile, events once, one telling per frame; and when to try again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SILENCE_MS, delay } from '../src/backoff';
import { pathOf } from '../src/place';
import { Store, alertKey } from '../src/store';
import type { Alert, Event } from '../src/types';
import { agent } from './sample';

function made() {
  const frames: (() => void)[] = [];
  const store = new Store((flush) => frames.push(flush), () => Date.parse('2026-11-16T04:00:00Z'));
  return { store, frames, flush: () => frames.splice(0).forEach((frame) => frame()) };
}
const event = (seq: number, more: object = {}): Event => ({ seq, at: '2026-11-16T03:00:00.000Z', agent: 'a', type: 'state', from: 'ready', to: 'busy', ...more });

test('a hundred changes are told once per frame', () => {
  const { store, frames, flush } = made();
  let told = 0;
  store.subscribe('fleet', () => told++);
  for (let i = 0; i < 100; i++) store.view(agent(`a${i}`, 'busy'));
  assert.equal(frames.length, 1);
  flush();
  assert.equal(told, 1);
  store.view(agent('a1', 'ready'));
  flush();
  assert.equal(told, 2);
});

test('an agent that did not change stays the same object', () => {
  const { store } = made();
  store.view(agent('a', 'busy'));
  const before = store.agents.get('a');
  store.view(agent('a', 'busy'));
  assert.equal(store.agents.get('a'), before);
  store.view(agent('a', 'ready'));
  assert.notEqual(store.agents.get('a'), before);
});

test('resync: the stream is newer than the list that was asked for before it', () => {
  const { store } = made();
  store.view(agent('old', 'busy'));
  store.view(agent('a', 'busy'));
  store.beginResync();
  store.view(agent('a', 'crashed'));
  store.gone('b');
  store.view(agent('new', 'starting'));
  store.endResync([agent('a', 'busy'), agent('b', 'busy'), agent('c', 'ready')]);
  assert.deepEqual([...store.agents.keys()].sort(), ['a', 'c', 'new'], 'gone stays gone, unknown ones are dropped, new ones stay');
  assert.equal(store.agents.get('a')?.state, 'crashed');
  assert.ok(store.loaded);
});

test('resync: what was heard before it was asked for is older than the list', () => {
  const { store } = made();
  store.view(agent('a', 'crashed'));
  store.beginResync();
  store.endResync([agent('a', 'busy')]);
  assert.equal(store.agents.get('a')?.state, 'busy');
});

test('an event counts once, also when it comes again after a reconnect', () => {
  const { store } = made();
  const heard: number[] = [];
  store.eventListeners.add((one) => heard.push(one.seq));
  assert.ok(store.event(event(5)));
  assert.ok(!store.event(event(5)));
  assert.ok(!store.event(event(4)));
  assert.ok(store.event(event(6)));
  assert.deepEqual(heard, [5, 6]);
  assert.equal(store.lastSeq, 6);
});

test('hello: only new events are expected at first; a shorter journal is another one', () => {
  const { store } = made();
  assert.ok(!store.hello(100));
  assert.equal(store.lastSeq, 100);
  store.event(event(101));
  assert.ok(!store.hello(150), 'after a loss: 102 to 150 are still to come');
  assert.equal(store.lastSeq, 101);
  assert.ok(store.hello(3), 'everything has to be fetched anew');
  assert.equal(store.lastSeq, 3);
});

test('events extend strips; a list that comes later keeps them', () => {
  const { store } = made();
  store.event(event(1));
  store.setStrips({ a: [['2026-11-15T20:00:00.000Z', 'ready']] });
  assert.deepEqual(store.strips.get('a'), [['2026-11-15T20:00:00.000Z', 'ready'], ['2026-11-16T03:00:00.000Z', 'busy']]);
});

test('alerts: newest first, each once, some kept', () => {
  const { store } = made();
  store.event(event(7, { type: 'alert', severity: 'warning', text: 'it asks' }));
  assert.equal(store.unseen, 1);
  store.setAlerts([{ seq: 7, text: 'it asks' }, { seq: 3, text: 'older' }] as Alert[]);
  assert.deepEqual(store.alerts.map((one) => one.seq), [7, 3]);
  store.seenAlerts();
  assert.equal(store.unseen, 0);
});

test('without a credential trying again does not help', () => {
  const { store } = made();
  store.setLink('unauthorized');
  store.setLink('lost');
  assert.equal(store.link, 'unauthorized');
});

test('clocks that differ: the server is right', () => {
  const { store } = made();
  store.setMe({ role: 'reader', control: false, pawl: '0.9', host: 'h', now: '2026-11-16T05:00:00Z', healthy: true, trouble: null });
  assert.equal(store.now(), Date.parse('2026-11-16T05:00:00Z'));
});

test('back-off doubles, has a bound, and is spread', () => {
  assert.deepEqual([0, 1, 2, 3].map((n) => delay(n, 1)), [500, 1000, 2000, 4000]);
  assert.equal(delay(0, 0), 250);
  assert.equal(delay(50, 1), 20_000);
  assert.ok(delay(50, 0.5) > 10_000);
  assert.ok(SILENCE_MS > 2 * 20_000, 'one hello may be lost');
});

test('agents of other machines have their machine in their names, and a name of their own', () => {
  const { store, flush } = made();
  store.view(agent('docs', 'ready'));
  store.view(agent('docs', 'busy', { machine: 'gpu' }));
  flush();
  assert.deepEqual([...store.agents.keys()], ['docs', 'gpu/docs']);
  store.beginResync();
  store.endResync([agent('docs', 'ready'), agent('docs', 'busy', { machine: 'gpu' }), agent('x', 'busy', { machine: 'gpu' })]);
  assert.deepEqual([...store.agents.keys()], ['docs', 'gpu/docs', 'gpu/x']);
  store.gone('docs', 'gpu');
  assert.deepEqual([...store.agents.keys()], ['docs', 'gpu/x']);
});

test('every machine counts its own alerts', () => {
  const { store } = made();
  const alert = (seq: number, at: string, machine: string | null): Alert => ({ seq, at: `2026-11-16T03:00:0${at}.000Z`, agent: 'a', severity: 'info', text: 't', machine });
  store.setAlerts([alert(7, '1', null), alert(7, '3', 'gpu'), alert(9, '2', 'gpu')]);
  store.setAlerts([alert(7, '1', null)]);
  assert.deepEqual(store.alerts.map(alertKey), ['gpu 9', 'gpu 7', ' 7']);
});

test('a machine is told of once until it changes', () => {
  const { store, flush } = made();
  let told = 0;
  store.subscribe('fleet', () => told++);
  for (let i = 0; i < 2; i++) { store.setMachines([{ name: 'gpu', online: false, since: '2026-11-16T03:00:00.000Z', because: 'no route' }]); flush(); }
  assert.equal(told, 1);
});

test('paths of agents of other machines are below their machine', () => {
  assert.equal(pathOf('agents', 'docs', 'stop'), 'agents/docs/stop');
  assert.equal(pathOf('tasks', 'gpu/a b'), 'machines/gpu/tasks/a%20b');
});
