// Who is notified of what.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Watch, plain } from '../src/notify';
import type { Dialog } from '../src/types';
import { agent } from './sample';

const dialog = (id: string, question: string): Dialog => ({ id, kind: 'permission', question, subject: '', known: true, rows: [] });

test('an agent that begins to wait is told once; what waited before is not', () => {
  const watch = new Watch();
  assert.deepEqual(watch.look([agent('old', 'waiting'), agent('a', 'busy')]), { notes: [], over: [] });
  const waits = agent('a', 'waiting', { kind: 'permission', dialog: dialog('1', 'May I run this?') });
  assert.deepEqual(watch.look([agent('old', 'waiting'), waits]).notes, [{ tag: 'pawl-agent-a', title: 'a needs you', body: 'May I run this?', hash: '#/agents/a' }]);
  assert.deepEqual(watch.look([agent('old', 'waiting'), waits]), { notes: [], over: [] });
  assert.equal(watch.look([agent('old', 'waiting'), { ...waits, dialog: dialog('2', 'And this?') }]).notes.length, 1, 'another question');
  assert.deepEqual(watch.look([agent('old', 'busy'), agent('a', 'busy')]), { notes: [], over: ['pawl-agent-old', 'pawl-agent-a'] });
  assert.deepEqual(watch.look([agent('a', 'crashed')]).notes.length, 1);
  assert.deepEqual(watch.look([]).over, ['pawl-agent-a'], 'it was removed');
});

test('time that has to pass is no reason', () => {
  const watch = new Watch();
  watch.look([agent('a', 'busy')]);
  for (const state of ['limited', 'ready', 'exited', 'starting'] as const) assert.deepEqual(watch.look([agent('a', state)]).notes, []);
});

test('many at once are one', () => {
  const watch = new Watch(), names = [...'abcdefgh'];
  watch.look(names.map((name) => agent(name, 'busy')));
  const { notes } = watch.look(names.map((name) => agent(name, 'stuck')));
  assert.equal(notes.length, 1);
  assert.match(notes[0]!.title, /^8 agents/);
});

test('what an agent says is text, in its order, and short', () => {
  assert.equal(plain('\u202egpj.exe\u2066 rm\u200b\n -rf\u0007'), 'gpj.exe rm -rf');
  assert.equal(plain('x'.repeat(500)).length, 200);
});
