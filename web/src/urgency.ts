// Who needs a person, and in which order. Pure; the words come from src/model/state.h.

import type { Agent, State } from './types';

export const STATES: State[] = [
  'waiting', 'stuck', 'crashed', 'limited', 'unknown', 'shell', 'ready', 'typing', 'starting', 'busy', 'exited',
];

// person: nothing goes on until somebody does something. watch: Pawl is at it, or time has to pass. fine: leave it alone.
export type Level = 'person' | 'watch' | 'fine';

const WAITING: Record<string, number> = { login: 1, auth: 1, permission: 2, trust: 2, question: 2 };
const RANK: Record<State, number> = {
  waiting: 3, stuck: 4, crashed: 5, limited: 10, unknown: 11, shell: 12,
  ready: 20, typing: 21, starting: 22, busy: 23, exited: 30,
};

// The smaller, the sooner somebody should look.
export function rank(agent: Agent): number {
  if (agent.parked) return 0;
  if (agent.state === 'waiting') return WAITING[agent.kind ?? ''] ?? RANK.waiting;
  if (agent.spent?.used_up) return 6;
  return RANK[agent.state] ?? RANK.unknown;
}

export function level(agent: Agent): Level {
  const r = rank(agent);
  if (r < 10) return 'person';
  return r < 20 ? 'watch' : 'fine';
}

// In a few words, why it is like this: what a person has to know first.
export function reason(agent: Agent): string {
  if (agent.parked) return `given up on: ${agent.parked_because || agent.because}`;
  if (agent.dialog?.question) return agent.dialog.question;
  if (agent.spent?.used_up) return "today's budget is used up";
  return agent.because;
}
