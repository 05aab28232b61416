// Notifications of the browser: an agent begins to need a person, and the page that is open says so, from its own connection to
// the daemon. Nothing goes over anybody's push service; a page that is closed says nothing (doc/notify.md has what does then).
// Which ones is pure (`Watch`), so that it is tested; `Notifier` asks for permission and shows them.

import { agentHref } from './route';
import type { Store } from './store';
import type { Agent } from './types';
import { level, reason } from './urgency';

const KEY = 'pawl.notify';
const MOST_LETTERS = 200; // of the text in one
const MOST_AT_ONCE = 5;   // when more begin to wait together, one says how many

export interface Note { tag: string; title: string; body: string; hash: string }

// Without marks that show nothing or turn the order of letters around: an agent chose these words.
export function plain(text: string): string {
  const clean = text.replace(/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, ' ').replace(/\s+/g, ' ').trim();
  return clean.length > MOST_LETTERS ? clean.slice(0, MOST_LETTERS - 1) + '…' : clean;
}

// What an agent needs a person for; another dialog is another need. Empty: nothing.
function need(agent: Agent): string {
  return level(agent) === 'person' ? `${agent.state} ${agent.kind ?? ''} ${agent.dialog?.id ?? ''} ${agent.parked}` : '';
}

const tagOf = (name: string) => `pawl-agent-${name}`;

export class Watch {
  private readonly needs = new Map<string, string>();
  private begun = false;

  // What is new since the last look, and the tags of what is over. The first look only learns: who opens the page sees it anyway.
  look(agents: Iterable<Agent>): { notes: Note[]; over: string[] } {
    const notes: Note[] = [], names: string[] = [], over: string[] = [], seen = new Set<string>();
    for (const agent of agents) {
      seen.add(agent.name);
      const now = need(agent), before = this.needs.get(agent.name) ?? '';
      this.needs.set(agent.name, now);
      if (now && now !== before) {
        names.push(agent.name);
        notes.push({ tag: tagOf(agent.name), title: `${plain(agent.name)} needs you`, body: plain(reason(agent)), hash: agentHref(agent.name) });
      } else if (!now && before) over.push(tagOf(agent.name));
    }
    for (const name of [...this.needs.keys()]) if (!seen.has(name)) { if (this.needs.get(name)) over.push(tagOf(name)); this.needs.delete(name); }
    const first = !this.begun;
    this.begun = true;
    if (first) return { notes: [], over };
    if (notes.length <= MOST_AT_ONCE) return { notes, over };
    return { notes: [{ tag: 'pawl-many', title: `${notes.length} agents need you`, body: plain(names.join(', ')), hash: '#/' }], over };
  }
}

export type Notifying = 'on' | 'off' | 'blocked';

export class Notifier {
  private readonly watch = new Watch();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly store: Store) {}

  static possible(): boolean { return 'Notification' in window && 'serviceWorker' in navigator && isSecureContext; }

  state(): Notifying {
    if (!Notifier.possible()) return 'off';
    if (Notification.permission === 'denied') return 'blocked';
    try { return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on' ? 'on' : 'off'; } catch { return 'off'; }
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // A person pressed the button: browsers ask for permission only then.
  async toggle(): Promise<void> {
    const next = this.state() === 'on' ? 'off' : 'on';
    if (next === 'on' && Notification.permission !== 'granted') await Notification.requestPermission();
    try { localStorage.setItem(KEY, next); } catch { /* private mode: it stays off */ }
    for (const listener of this.listeners) listener();
  }

  start(): void {
    if (!Notifier.possible()) return;
    this.store.subscribe('fleet', () => { if (this.store.loaded) void this.follow(); });
    navigator.serviceWorker.addEventListener('message', ({ data }) => {
      const hash: unknown = data?.go;
      if (typeof hash === 'string' && hash.startsWith('#/')) location.hash = hash;
    });
  }

  private async follow(): Promise<void> {
    const { notes, over } = this.watch.look(this.store.agents.values());
    if (this.state() !== 'on' || !(notes.length || over.length)) return;
    const worker = await navigator.serviceWorker.ready;
    for (const tag of over) for (const shown of await worker.getNotifications({ tag })) shown.close();
    for (const note of notes) {
      const looksAtIt = !document.hidden && document.hasFocus() && location.hash.split('?')[0] === note.hash;
      if (!looksAtIt) await worker.showNotification(note.title, { tag: note.tag, body: note.body, icon: '/icon-192.png', data: { hash: note.hash } });
    }
  }
}
