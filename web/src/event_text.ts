// One event of the journal in a sentence, and what kind of mark it is. Pure. Types: src/model/event.cpp.

import type { Event } from './types';

export type Lane = 'state' | 'act' | 'alert' | 'human' | 'work' | 'other';

const LANES: Record<string, Lane> = {
  state: 'state', decision: 'act', outcome: 'act', alert: 'alert', human: 'human', request: 'human', work: 'work', task: 'work', queue: 'work',
};

export function lane(event: Event): Lane { return LANES[event.type] ?? 'other'; }

const str = (event: Event, key: string): string => {
  const value = event[key];
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};
// Who asked: {kind, name, pid}; a journal of before has a text.
const asker = (event: Event): string => {
  const by = event['by'] as { kind?: string; name?: string | null; pid?: number | null } | string | null | undefined;
  if (!by || typeof by === 'string') return by || 'nobody known';
  if (by.kind === 'web') return by.name ?? '';
  return `${by.name ? `${by.kind} ${by.name}` : `a ${by.kind}`}${by.pid ? ` (pid ${by.pid})` : ''}`;
};
const tail = (text: string): string => (text ? `: ${text}` : '');

const SENTENCES: Record<string, (event: Event) => string> = {
  state: (e) => `${str(e, 'from')} → ${str(e, 'to')}${str(e, 'kind') ? ` (${str(e, 'kind')})` : ''}${tail(str(e, 'because'))}`,
  decision: (e) => `${e['dry_run'] ? 'would ' : ''}${str(e, 'action')}${tail(str(e, 'because'))}${str(e, 'rule') ? ` [${str(e, 'rule')}]` : ''}`,
  outcome: (e) => `${str(e, 'action')} ${str(e, 'result')}${tail(str(e, 'witness'))}`,
  alert: (e) => `${str(e, 'severity')}${tail(str(e, 'text'))}`,
  human: (e) => `a person was at it (${str(e, 'where')})`,
  request: (e) => `${str(e, 'verb')} ${e['refused'] ? 'refused to' : 'asked for by'} ${asker(e)}`,
  work: (e) => `work ${str(e, 'what')}${tail(str(e, 'name'))}${str(e, 'because') ? `, ${str(e, 'because')}` : ''}`,
  task: (e) => `task ${str(e, 'what')}${str(e, 'status') ? ` ${str(e, 'status')}` : ''}${tail(str(e, 'reason'))}`,
  queue: (e) => `text ${str(e, 'what')}${str(e, 'from') ? ` from ${str(e, 'from')}` : ''}${tail(str(e, 'because'))}`,
  config: (e) => `${str(e, 'what')}${str(e, 'by') ? ` by ${str(e, 'by')}` : ''}${tail(str(e, 'because'))}`,
  usage: (e) => `${str(e, 'tokens')} tokens`,
  preflight: () => 'checked before its start',
};

export function sentence(event: Event): string {
  return (SENTENCES[event.type] ?? (() => event.type))(event);
}

// Good, bad or neither: the colour of its mark.
export function tone(event: Event): 'good' | 'bad' | 'wait' | 'plain' {
  const word = event.type === 'outcome' ? event['result'] : event.type === 'alert' ? event['severity'] : '';
  if (word === 'confirmed') return 'good';
  if (word === 'failed' || word === 'error') return 'bad';
  return word === 'unverified' || word === 'warning' ? 'wait' : 'plain';
}

const SHOWN = new Set(['seq', 'at', 'agent', 'type']);

// Everything else it says, for the curious.
export function fields(event: Event): [string, string][] {
  return Object.entries(event).filter(([key, value]) => !SHOWN.has(key) && value != null && value !== '')
    .map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
}
