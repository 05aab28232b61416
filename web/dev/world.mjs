// The mock's invented fleet: agents, a night of events, and what follows from them. Random, but the same every time.

import { painted } from './terminal.mjs';

const HOUR = 3600_000;
const STATES = ['busy', 'busy', 'busy', 'busy', 'ready', 'ready', 'waiting', 'limited', 'busy', 'typing', 'stuck', 'crashed', 'exited', 'starting', 'shell', 'unknown'];
const FIRST = ['waiting', 'busy', 'stuck', 'limited', 'ready', 'crashed'];
const WORDS = ['docs', 'reviewer', 'builder', 'crawler', 'tests', 'refactor', 'release', 'triage', 'bench', 'porter'];
const BECAUSE = {
  busy: 'its title has a spinner', ready: 'its input box is empty and nothing moves', waiting: 'it shows a dialog: permission', limited: 'it says: 5-hour limit reached, resets 06:00',
  stuck: 'nothing moved for 12 minutes while it says it works', crashed: 'it ended with exit code 1', exited: 'it ended with exit code 0', typing: 'its input box holds text',
  starting: 'its program was started', shell: 'the program is gone and a shell is there', unknown: 'no rule fits this screen',
};
const LAST = ['[41/97] building …', 'Edit test/queue_test.cpp', '> ', 'Do you want to proceed?', 'error: expected ; before }', 'Read src/queue.cpp (214 lines)', '<img src=x onerror=alert(1)> hostile line'];
const DIALOGS = [
  ['permission', { id: 'd1', kind: 'permission', subject: 'rm -rf build && make test', question: 'Do you want to run this?', known: true, rows: [{ text: 'Yes', cost: 'allow', key: '1' }, { text: "Yes, and don't ask again for make commands", cost: 'permission', key: '2' }, { text: 'No, and tell it what to do differently', cost: 'deny', key: '3' }] }],
  ['limit', { id: 'd2', kind: 'limit', subject: '', question: 'You have reached your limit', known: true, rows: [{ text: 'Stop and wait for the limit to reset', cost: 'free', key: '1' }, { text: 'Add funds to continue with extra usage', cost: 'money', key: '2' }, { text: 'Start over with an empty conversation', cost: 'destroys' }] }],
  ['question', { id: 'd3', kind: 'question', subject: '', question: 'Which of the two designs shall I take?', known: false, rows: [{ text: 'A: one table', cost: 'question' }, { text: 'B: two tables and a view', cost: 'question' }] }],
];

let seed = 42;
const random = () => { seed = (seed * 1664525 + 1013904223) % 4294967296; return seed / 4294967296; };
const one = (list) => list[Math.floor(random() * list.length)];
const iso = (ms) => new Date(ms).toISOString();
const hours = (text) => (/^\d+h$/.test(text) ? parseInt(text, 10) : 8) * HOUR;

export class World {
  agents = new Map();
  events = [];
  listeners = new Set();
  seq = 0;
  tasks = [];

  constructor(count, moving) {
    const now = Date.now();
    for (let i = 0; i < count; i++) this.make(`${WORDS[i % WORDS.length]}${i < WORDS.length ? '' : '-' + Math.floor(i / WORDS.length)}`, i, now);
    this.events.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).forEach((event) => { event.seq = ++this.seq; });
    this.makeTasks(now);
    if (moving) setInterval(() => this.step(), Math.max(20, 1500 / Math.max(1, count / 20)));
  }

  make(name, i, now) {
    let at = now - 12 * HOUR + random() * 2 * HOUR, state = 'starting';
    this.add({ at: iso(at), agent: name, type: 'config', what: 'registered' });
    while (at < now - 60_000) {
      const next = one(STATES);
      if (next !== state) this.night(name, at, state, next);
      state = next;
      at += 2 * 60_000 + random() * random() * 90 * 60_000;
    }
    const final = FIRST[i] ?? state;
    const since = now - random() * HOUR;
    this.add({ at: iso(since), agent: name, type: 'state', from: state, to: final, kind: null, tier: 'screen', because: BECAUSE[final], confidence: 0.9 });
    this.agents.set(name, this.agent(name, i, final, since));
  }

  night(name, at, from, to) {
    this.add({ at: iso(at), agent: name, type: 'state', from, to, kind: to === 'waiting' ? 'permission' : null, tier: 'screen', because: BECAUSE[to], confidence: 0.9 });
    if (to === 'crashed' || to === 'stuck') {
      const result = one(['confirmed', 'confirmed', 'failed', 'unverified']);
      this.add({ at: iso(at + 4000), agent: name, type: 'decision', action: to === 'crashed' ? 'restart' : 'nudge', because: `it is ${to} and its rules say so`, attempt: 1, rule: to === 'crashed' ? 'restart' : 'idle-nudge' });
      this.add({ at: iso(at + 9000), agent: name, type: 'outcome', action: to === 'crashed' ? 'restart' : 'nudge', decision: 1, result, witness: result === 'confirmed' ? 'its turn started' : 'nothing moved within 30 s', took_ms: 4210 });
    }
    if (to === 'waiting' && random() < 0.6) this.add({ at: iso(at + 2000), agent: name, type: 'alert', severity: one(['warning', 'error', 'info']), text: 'it asks and only a person may answer: Do you want to run make?', matter: 'dialog', todo: `answer it: pawl answer ${name}`, screen: 'Do you want to run make?\n> 1. Yes\n  2. No' });
    if (random() < 0.15) this.add({ at: iso(at + 30_000), agent: name, type: 'human', where: 'attach' });
    if (random() < 0.2) this.add({ at: iso(at + 60_000), agent: name, type: 'work', what: one(['seen', 'done']), name: '20261116T010000.000Z.md', from: 'ci' });
  }

  add(event) { this.events.push({ seq: 0, ...event }); }

  agent(name, i, state, since) {
    const dialog = state === 'waiting' ? DIALOGS[i % 3] : null;
    const cost = random() < 0.85 ? Math.round(random() * 900) / 100 : null;
    return {
      name, runtime: one(['claude', 'claude', 'codex', 'gemini']), backend: 'pty', dir: `~/src/${name}`, mode: 'task-only', strategy: 'once', state, kind: dialog?.[0] ?? null,
      since: iso(since), tier: 'screen', because: BECAUSE[state], confidence: 0.93, pid: 4000 + i, session_id: 'abc', last_alive: iso(Date.now()), restarts: i % 4, nudges: i % 3,
      limited_until: state === 'limited' ? iso(Date.now() + 1.4 * HOUR) : null, human_last_seen: i % 2 ? iso(Date.now() - HOUR) : null, paused: i % 9 === 4, parked: i % 17 === 5, tokens: 48_210,
      cost_usd: cost, spent: { day: iso(Date.now()).slice(0, 10), tokens: Math.round(random() * 3e6), cost_usd: cost, budget_tokens: null, budget_usd: 10, used_up: false },
      notices: [], dialog: dialog?.[1] ?? null, parked_because: i % 17 === 5 ? 'it crashed 5 times within 15 minutes' : null, matter: null, decision: null, pane: null, command: ['claude', '--continue'],
      exit_code: state === 'crashed' ? 1 : null, signal: null, input: i % 11 === 3 ? 'shell' : 'prompt', background: i % 9 === 4 ? 2 : 0, outbox: i % 7 === 1 ? [{ item: 1, action: 'send', bytes: 20, from: null }] : [], inbox: { waiting: i % 5 === 2 ? 3 : 0, given: null },
      repairs: [], permission: 'acceptEdits', last_line: one(LAST),
    };
  }

  tell(event) {
    const whole = { seq: ++this.seq, at: iso(Date.now()), ...event };
    this.events.push(whole);
    for (const listener of this.listeners) listener.event(whole);
  }

  view(agent) {
    this.agents.set(agent.name, agent);
    for (const listener of this.listeners) listener.view(agent);
  }

  turn(agent, state, more = {}) {
    const dialog = state === 'waiting' ? one(DIALOGS) : null;
    this.tell({ agent: agent.name, type: 'state', from: agent.state, to: state, kind: dialog?.[0] ?? null, tier: 'screen', because: BECAUSE[state], confidence: 0.9 });
    if (state === 'waiting' && random() < 0.3) this.tell({ agent: agent.name, type: 'alert', severity: 'warning', text: `it asks: ${dialog[1].question}`, todo: `answer it: pawl answer ${agent.name}` });
    this.view({ ...agent, state, kind: dialog?.[0] ?? null, dialog: dialog?.[1] ?? null, because: BECAUSE[state], since: iso(Date.now()), limited_until: null, last_line: one(LAST), ...more });
  }

  step() {
    const names = [...this.agents.keys()], agent = this.agents.get(one(names));
    if (random() < 0.3 && !FIRST.includes(agent.state)) this.turn(agent, one(STATES));
    else this.view({ ...agent, last_line: one(LAST), spent: { ...agent.spent, tokens: (agent.spent.tokens ?? 0) + 900 } });
  }

  timeline() {
    const since = Date.now() - 8 * HOUR, agents = {};
    for (const name of this.agents.keys()) agents[name] = [[iso(since), null]];
    for (const event of this.events) {
      if (event.type !== 'state' || !agents[event.agent]) continue;
      if (Date.parse(event.at) <= since) agents[event.agent][0][1] = event.to;
      else agents[event.agent].push([event.at, event.to]);
    }
    return { since: iso(since), until: iso(Date.now()), agents };
  }

  timelineOf(name, since) {
    const from = Date.now() - hours(since);
    return { name, since: iso(from), until: iso(Date.now()), cut: false, events: this.events.filter((event) => event.agent === name && Date.parse(event.at) >= from) };
  }

  alerts() {
    return this.events.filter((event) => event.type === 'alert').reverse().slice(0, 200);
  }

  screen(agent, at) {
    const then = at ? new Date(at) : new Date();
    return { screen: painted(agent, Math.floor(then / 500) % 1000, then), cols: 120, rows: 40, cursor: { row: 15, col: 5, visible: true }, title: '', alternate: false, at: iso(then) };
  }

  why(agent, seq) {
    if (seq) return { name: agent.name, event: this.events.find((event) => event.seq === seq) };
    return {
      name: agent.name, state: agent.state, kind: agent.kind, since: agent.since, tier: 'screen', because: agent.because, confidence: 0.93, runtime: agent.runtime, rule: 'sign-of-work', rule_is: 'a sign of work is on the screen',
      changes_when: 'the sign goes away for 1.5 s', policy: { rule: 'idle', action: null, because: 'it is at work', until: null }, terminal: null, drift: [],
      evidence: [
        { channel: 'process', tier: 'process', says: 'claude runs, 2 children', means: null, age_s: 3120 }, { channel: 'hook', tier: 'hook', says: 'UserPromptSubmit', means: 'busy', age_s: 72.4 },
        { channel: 'transcript', tier: 'file', says: 'the model was asked', means: 'busy', age_s: 71 }, { channel: 'title', tier: 'osc', says: '✻ Working', means: 'busy', age_s: 0.4 },
        { channel: 'input box', tier: 'screen', says: 'empty', means: 'ready', age_s: 72 }, { channel: 'quiet', tier: 'silence', says: 'text above the box last changed', means: null, age_s: 0.2 },
      ],
    };
  }

  act(name, verb, body) {
    const agent = this.agents.get(name);
    if (verb === 'pause' || verb === 'resume') this.view({ ...agent, paused: verb === 'pause', parked: verb === 'pause' ? agent.parked : false });
    if (verb === 'answer') this.turn(agent, 'busy');
    if (verb === 'start' || verb === 'restart') this.turn(agent, 'starting');
    if (verb === 'stop') this.turn(agent, 'exited');
    if (verb === 'mode') this.view({ ...agent, mode: body.mode });
    if (verb === 'permission') this.view({ ...agent, permission: body.mode });
    if (verb === 'answer') return { name, verdict: 'confirmed', witness: 'the dialog is gone', took_ms: 310, keepable: true };
    if (verb === 'inbox') return { name, id: '20261116T030000.000Z.md' };
    if (verb === 'send' || verb === 'wake')
      return agent.state === 'busy' && !body.now ? { name, verdict: 'queued', witness: `${name} is busy`, took_ms: 0, position: 1, until: null, person: false }
        : { name, verdict: 'confirmed', witness: 'its box emptied and its turn started', took_ms: 440 };
    return { results: [{ name, ok: true, state: this.agents.get(name).state, error: null }] };
  }

  start(body) {
    const now = Date.now(), made = { ...this.agent(body.name, 1, 'starting', now), runtime: body.runtime ?? 'generic', command: body.command ?? [] };
    this.tell({ agent: body.name, type: 'config', what: 'registered' });
    this.view(made);
    return made;
  }

  makeTasks(now) {
    for (const [i, status] of ['running', 'completed', 'completed-with-denials', 'failed', 'limited', 'abandoned', 'cancelled'].entries())
      this.tasks.push(this.task(`fix-${WORDS[i]}`, status, now - i * HOUR - 600_000));
  }

  task(name, status, started) {
    const final = !['running', 'limited'].includes(status);
    return { task_name: name, runtime: 'claude', model: 'opus', project_dir: '~/src/app', session_name: [...this.agents.keys()][0], session_id: null, pid: null, tmpdir: '/tmp/x', started_at: iso(started), status,
      reason: { failed: 'its last message says that the tests fail', abandoned: 'waiting_for_input', limited: '5-hour limit' }[status] ?? null, retry_count: 1, pane_state: null, exit_code: final ? 0 : null,
      finished_at: final ? iso(started + HOUR / 3) : null, abandoned_at: null, limited_until: status === 'limited' ? iso(Date.now() + HOUR) : null, denials: status.includes('denials') ? 2 : 0, tokens: 212_000, cost_usd: 1.32, worktree: null, interactive: false, final, read: false, exit_status: 0 };
  }

  startTask(body) { const made = this.task(body.name, 'running', Date.now()); this.tasks.push(made); this.tell({ agent: null, type: 'task', what: 'given' }); return made; }

  output(name) { return Array.from({ length: 40 }, (_, i) => `${name} line ${i + 1}: looked at src/queue.cpp and wrote a test`).join('\n'); }

  report(since) {
    const from = Date.now() - hours(since);
    const zero = () => ({ time: {}, lost: {}, turns: 0, work_done: 0, restarts: 0, nudges: 0, tokens: 0, cost_usd: 0 });
    const totals = { ...zero(), interventions: { confirmed: 0, failed: 0, unverified: 0 } };
    const agents = [...this.agents.values()].map((agent) => {
      const row = { name: agent.name, runtime: agent.runtime, state: agent.state, kind: agent.kind, because: agent.because, ...zero(), turns: 12, work_done: 2, restarts: agent.restarts, nudges: agent.nudges, tokens: agent.spent.tokens, cost_usd: agent.cost_usd };
      let at = from, state = null;
      const close = (until) => { if (state && until > at) row.time[state] = (row.time[state] ?? 0) + (until - at) / 1000; at = Math.max(at, until); };
      for (const event of this.events) if (event.type === 'state' && event.agent === agent.name) { close(Date.parse(event.at)); state = event.to; }
      close(Date.now());
      for (const [lost, of] of [['limited', 'limited'], ['crashed', 'crashed'], ['waiting', 'waiting'], ['stuck', 'stuck'], ['idle', 'ready']]) if (row.time[of]) row.lost[lost] = row.time[of];
      for (const key of ['time', 'lost']) for (const [k, v] of Object.entries(row[key])) totals[key][k] = (totals[key][k] ?? 0) + v;
      for (const key of ['turns', 'work_done', 'restarts', 'nudges', 'tokens', 'cost_usd']) totals[key] += row[key] ?? 0;
      return row;
    });
    const interventions = this.events.filter((event) => event.type === 'outcome' && Date.parse(event.at) >= from).map((event) => {
      totals.interventions[event.result]++;
      return { seq: event.seq, at: event.at, agent: event.agent, action: event.action, because: 'it was stuck and its rules say so', rule: 'restart', result: event.result, witness: event.witness, took_ms: event.took_ms };
    });
    const questions = [...this.agents.values()].filter((agent) => agent.dialog).map((agent) => ({ agent: agent.name, since: agent.since, kind: agent.kind, text: agent.dialog.question, rows: agent.dialog.rows }));
    return { since: iso(from), until: iso(Date.now()), agents, totals, interventions, questions, alerts: [] };
  }
}
