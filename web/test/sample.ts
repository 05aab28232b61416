// An agent for tests; what matters is said by the test.

import type { Agent, State } from '../src/types';

export function agent(name: string, state: State, more: Partial<Agent> = {}): Agent {
  return {
    name, state, runtime: 'claude', backend: 'pty', dir: `/src/${name}`, mode: 'active', strategy: 'once', kind: null, since: '2026-11-16T02:00:00.000Z',
    tier: 'screen', because: 'because of that', confidence: 1, pid: 7, session_id: null, restarts: 0, nudges: 0, limited_until: null, human_last_seen: null,
    paused: false, parked: false, parked_because: null, tokens: null, cost_usd: null, notices: [], dialog: null, pane: null, command: [], exit_code: null,
    signal: null, input: 'prompt', background: 0, outbox: [], inbox: { waiting: 0, given: null }, permission: 'default', repairs: [], last_line: null, ...more,
  };
}
