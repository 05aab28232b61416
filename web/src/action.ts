// Something a person asked for: done, and then said truthfully what is known of it.

import { ApiError, agentPath, post } from './api';
import { relative } from './time';
import { store } from './context';
import type { Receipt } from './types';

export type Tone = 'good' | 'wait' | 'bad';
export interface Note { id: number; tone: Tone; title: string; text: string; at: number; agent: string }

export const notes: { list: Note[]; listeners: Set<() => void> } = { list: [], listeners: new Set() };
const KEPT = 20;
let lastId = 0;

export function note(tone: Tone, title: string, text: string, agent = ''): void {
  notes.list = [{ id: ++lastId, tone, title, text, at: store.now(), agent }, ...notes.list].slice(0, KEPT);
  for (const listener of notes.listeners) listener();
}

export function dismiss(id: number): void {
  notes.list = notes.list.filter((one) => one.id !== id);
  for (const listener of notes.listeners) listener();
}

const TONES: Record<string, Tone> = { confirmed: 'good', queued: 'wait', unverified: 'wait', stuck: 'bad', failed: 'bad' };

// A receipt in words. What was not seen is not called done.
export function described(receipt: Receipt, now: number): { tone: Tone; text: string } {
  if (receipt.verdict) {
    const until = receipt.until ? `, ${relative(Date.parse(receipt.until), now)}` : '';
    const place = receipt.position && receipt.position > 1 ? ` (number ${receipt.position} in its outbox)` : '';
    const took = receipt.took_ms && receipt.verdict !== 'queued' ? ` (${(receipt.took_ms / 1000).toFixed(2)} s)` : '';
    const person = receipt.person ? ' A person has to do something first.' : '';
    return { tone: TONES[receipt.verdict] ?? 'wait', text: `${receipt.verdict}: ${receipt.witness ?? ''}${until}${place}${took}${person}` };
  }
  const bad = receipt.results?.find((one) => !one.ok);
  if (bad) return { tone: 'bad', text: bad.error ?? 'refused' };
  const state = receipt.results?.[0]?.state ?? receipt.state ?? receipt.status;
  if (receipt.id) return { tone: 'good', text: `accepted as ${receipt.id}` };
  return { tone: 'good', text: state ? `done; its state is now ${state}` : 'done' };
}

// Runs one verb and says what became of it. The result is null when it was refused.
export async function act<T extends Receipt>(title: string, path: string, body: object, agent = ''): Promise<T | null> {
  try {
    const receipt = await post<T>(path, body);
    const { tone, text } = described(receipt, store.now());
    note(tone, title, text, agent);
    return receipt;
  } catch (error) {
    const fix = error instanceof ApiError && error.fix ? ` – ${error.fix}` : '';
    note('bad', title, `${(error as Error).message}${fix}`, agent);
    return null;
  }
}

export function actOn(agent: string, verb: string, body: object = {}, title = verb): Promise<Receipt | null> {
  return act(`${title} · ${agent}`, agentPath(agent, verb), body, agent);
}
