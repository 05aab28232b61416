// Addresses, receipts, events in words, and what forms send.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { described } from '../src/action';
import { fields, lane, sentence, tone } from '../src/event_text';
import { agentHref, parseRoute, withQuery } from '../src/route';
import { bodyOf, words } from '../src/start_view';
import { fontFor } from '../src/terminal_font';
import type { Event } from '../src/types';

test('routes', () => {
  assert.equal(parseRoute('').view, 'fleet');
  assert.equal(parseRoute('#/nonsense').view, 'fleet');
  assert.deepEqual([parseRoute('#/agents/a.b-c').view, parseRoute('#/agents/a.b-c').name], ['agent', 'a.b-c']);
  assert.equal(parseRoute(agentHref('we ird/ä?')).name, 'we ird/ä?');
  assert.equal(parseRoute('#/agents/%E0%A4%A').name, '%E0%A4%A', 'a broken address is no reason to break');
  const at = '2026-11-16T02:00:00.000Z';
  assert.equal(parseRoute(agentHref('a', at)).query.get('at'), at);
});

test('choices are in the address, empty ones are not', () => {
  const route = parseRoute('#/?states=busy&q=x');
  assert.equal(withQuery(route, { q: '', sort: 'name' }), '#/?states=busy&sort=name');
  assert.equal(withQuery(parseRoute('#/agents/a?at=1'), { at: '' }), '#/agents/a');
  assert.equal(withQuery(parseRoute('#/report'), { since: '24h' }), '#/report?since=24h');
});

test('receipts are said as they are', () => {
  const now = Date.parse('2026-11-16T00:00:00Z');
  assert.deepEqual(described({ verdict: 'confirmed', witness: 'its turn started', took_ms: 440 }, now), { tone: 'good', text: 'confirmed: its turn started (0.44 s)' });
  assert.equal(described({ verdict: 'stuck', witness: 'x' }, now).tone, 'bad');
  assert.equal(described({ verdict: 'unverified', witness: 'x' }, now).tone, 'wait');
  const queued = described({ verdict: 'queued', witness: 'docs is busy', position: 2, person: true }, now).text;
  assert.match(queued, /docs is busy.*number 2.*person/);
  assert.equal(described({ results: [{ name: 'a', ok: false, state: null, error: 'no' }] }, now).tone, 'bad');
  assert.match(described({ results: [{ name: 'a', ok: true, state: 'busy', error: null }] }, now).text, /busy/);
  assert.match(described({ id: 'x.md' }, now).text, /x\.md/);
});

const event = (type: string, more: object): Event => ({ seq: 1, at: '', agent: 'a', type, ...more });

test('events in words', () => {
  assert.equal(sentence(event('state', { from: 'busy', to: 'waiting', kind: 'permission', because: 'it asks' })), 'busy → waiting (permission): it asks');
  assert.equal(sentence(event('outcome', { action: 'restart', result: 'failed', witness: 'no' })), 'restart failed: no');
  assert.equal(sentence(event('decision', { action: 'nudge', because: 'idle', dry_run: true })), 'would nudge: idle');
  const web = { kind: 'web', name: 'operator from 127.0.0.1', pid: null };
  assert.equal(sentence(event('request', { verb: 'stop', by: web })), 'stop asked for by operator from 127.0.0.1');
  assert.equal(sentence(event('request', { verb: 'stop', by: 'operator from 127.0.0.1' })), 'stop asked for by operator from 127.0.0.1');
  assert.equal(sentence(event('request', { verb: 'stop', refused: true, by: { kind: 'agent', name: 'docs', pid: 12 } })),
    'stop refused to agent docs (pid 12)');
  assert.equal(sentence(event('from-a-newer-daemon', {})), 'from-a-newer-daemon');
  assert.deepEqual([tone(event('outcome', { result: 'confirmed' })), tone(event('alert', { severity: 'error' })), tone(event('state', {}))], ['good', 'bad', 'plain']);
  assert.equal(lane(event('usage', {})), 'other');
  assert.deepEqual(fields(event('x', { a: 1, b: null, c: { d: 2 } })), [['a', '1'], ['c', '{"d":2}']]);
});

test('forms: empty fields are not sent, commands are words', () => {
  assert.deepEqual(words(`bash -c "make  test" 'a b' c`), ['bash', '-c', 'make  test', 'a b', 'c']);
  assert.deepEqual(bodyOf({ name: ' a ', model: ' ', command: 'make check', prompt: ' keep \n', interactive: 'yes' }),
    { name: 'a', command: ['make', 'check'], prompt: ' keep \n', interactive: true });
});

test('a terminal fits, or is scrolled', () => {
  assert.equal(fontFor(344, 120, 0.6), 6);
  assert.equal(fontFor(5000, 80, 0.6), 15);
  const size = fontFor(800, 120, 0.6);
  assert.ok(size * 0.6 * 120 <= 800 && size > 10.5);
});
