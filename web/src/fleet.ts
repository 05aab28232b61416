// Which agents are shown, and in which order. Pure.

import { parse } from './time';
import type { Agent, State } from './types';
import { level, rank, reason } from './urgency';

export type Sort = 'urgency' | 'name' | 'since' | 'tokens' | 'cost';
export const SORTS: [Sort, string][] = [
  ['urgency', 'Urgent first'], ['name', 'By name'], ['since', 'Changed last'], ['tokens', 'Most tokens'], ['cost', 'Most cost'],
];

export interface Choice {
  states: ReadonlySet<State>; // empty: all
  person: boolean;            // only those that need one
  search: string;
  sort: Sort;
}

// Every word of the search has to be somewhere in what the row shows.
export function matches(agent: Agent, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return true;
  const text = [agent.name, agent.runtime, agent.state, agent.kind, agent.dir, reason(agent), agent.last_line]
    .join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

const byName = (a: Agent, b: Agent) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

// Equal ones by how long it has been so, the longest first: nobody is forgotten at the bottom.
function compare(sort: Sort): (a: Agent, b: Agent) => number {
  switch (sort) {
    case 'name': return byName;
    case 'since': return (a, b) => parse(b.since) - parse(a.since) || byName(a, b);
    case 'tokens': return (a, b) => (b.spent?.tokens ?? b.tokens ?? -1) - (a.spent?.tokens ?? a.tokens ?? -1) || byName(a, b);
    case 'cost': return (a, b) => (b.cost_usd ?? -1) - (a.cost_usd ?? -1) || byName(a, b);
    default: return (a, b) => rank(a) - rank(b) || parse(a.since) - parse(b.since) || byName(a, b);
  }
}

export function chosen(agents: Iterable<Agent>, choice: Choice): Agent[] {
  const out: Agent[] = [];
  for (const agent of agents) {
    if (choice.states.size && !choice.states.has(agent.state)) continue;
    if (choice.person && level(agent) !== 'person') continue;
    if (matches(agent, choice.search)) out.push(agent);
  }
  return out.sort(compare(choice.sort));
}

// Amounts are null as long as nobody told one.
export interface Counts { all: number; person: number; states: Map<State, number>; tokens: number | null; cost: number | null }

const plus = (sum: number | null, n: number | null | undefined) => (n == null ? sum : (sum ?? 0) + n);

export function counts(agents: Iterable<Agent>): Counts {
  const out: Counts = { all: 0, person: 0, states: new Map(), tokens: null, cost: null };
  for (const agent of agents) {
    out.all++;
    if (level(agent) === 'person') out.person++;
    out.states.set(agent.state, (out.states.get(agent.state) ?? 0) + 1);
    out.tokens = plus(out.tokens, agent.spent?.tokens);
    out.cost = plus(out.cost, agent.cost_usd);
  }
  return out;
}
