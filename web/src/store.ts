// What the page knows of the fleet. It only holds and merges: who fetches is stream.ts, who shows are the views.
// Changes are gathered and told once per frame, so that a hundred messages cost one rendering.

import { placed } from './place';
import { STRIP_HOURS, extended } from './strip';
import type { Agent, Alert, Change, Event, Machine, Me, State } from './types';

export type Topic = 'fleet' | 'alerts' | 'link' | 'me' | 'tasks';
export type Link = 'connecting' | 'live' | 'lost' | 'unauthorized';
export const ALERTS_KEPT = 200;

// Lists are there even if a daemon of another version leaves them out. What changes with every look and nobody is shown goes.
function complete(agent: Agent & { last_alive?: unknown }): Agent {
  const { last_alive: _, ...rest } = agent;
  return { ...rest, name: placed(agent, agent.name), notices: agent.notices ?? [], outbox: agent.outbox ?? [], repairs: agent.repairs ?? [], command: agent.command ?? [],
    inbox: agent.inbox ?? { waiting: 0, given: null } };
}

// Each machine counts its own events.
export const alertKey = (alert: Alert): string => `${alert.machine ?? ''} ${alert.seq}`;

function newestFirst(a: Alert, b: Alert): number {
  return (a.machine ?? '') === (b.machine ?? '') ? b.seq - a.seq : a.at < b.at ? 1 : -1;
}

export class Store {
  readonly agents = new Map<string, Agent>();
  readonly strips = new Map<string, Change[]>();
  alerts: Alert[] = []; // newest first
  unseen = 0;           // alerts since the alerts were last looked at
  me: Me | null = null;
  link: Link = 'connecting';
  machines: Machine[] = []; // other ones
  loaded = false;
  lastSeq = 0;
  version = 0; // of the agents and their strips: for those who remember what they worked out
  skew = 0; // the server's clock minus ours, in ms
  readonly eventListeners = new Set<(event: Event) => void>();

  private readonly listeners = new Map<Topic, Set<() => void>>();
  private readonly dirty = new Set<Topic>();
  private scheduled = false;
  private touched: Set<string> | null = null; // names heard of while a list is on its way

  constructor(private readonly schedule: (flush: () => void) => void, private readonly clock = () => Date.now()) {}

  now(): number { return this.clock() + this.skew; }

  subscribe(topic: Topic, listener: () => void): () => void {
    const set = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, set.add(listener));
    return () => set.delete(listener);
  }

  private changed(topic: Topic): void {
    this.dirty.add(topic);
    if (topic === 'fleet') this.version++;
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(() => {
      this.scheduled = false;
      const topics = [...this.dirty];
      this.dirty.clear();
      for (const one of topics) for (const listener of [...(this.listeners.get(one) ?? [])]) listener();
    });
  }

  setLink(link: Link): void {
    if (this.link === 'unauthorized' && link === 'lost') return; // trying again would not help
    if (this.link !== link) { this.link = link; this.changed('link'); }
  }

  setMe(me: Me): void {
    this.me = me;
    const now = Date.parse(me.now);
    if (Number.isFinite(now)) this.skew = Math.abs(now - this.clock()) > 2000 ? now - this.clock() : 0;
    this.changed('me');
  }

  view(agent: Agent): void {
    this.touched?.add(placed(agent, agent.name));
    this.put(agent);
    this.changed('fleet');
  }

  setMachines(machines: Machine[]): void {
    if (JSON.stringify(machines) === JSON.stringify(this.machines)) return;
    this.machines = machines;
    this.changed('fleet');
  }

  gone(of: string, machine: string | null = null): void {
    const name = placed({ machine }, of);
    this.touched?.add(name);
    this.strips.delete(name);
    if (this.agents.delete(name)) this.changed('fleet');
  }

  // Unchanged ones stay the same object: their rows are not rendered again.
  private put(given: Agent): void {
    const agent = complete(given);
    const old = this.agents.get(agent.name);
    if (old && JSON.stringify(old) === JSON.stringify(agent)) return;
    this.agents.set(agent.name, agent);
  }

  // A list is asked for: from now on, what the stream says is newer than what the list will say.
  beginResync(): void { this.touched = new Set(); }

  endResync(list: Agent[]): void {
    const heard = this.touched ?? new Set<string>();
    this.touched = null;
    const names = new Set(list.map((agent) => placed(agent, agent.name)));
    for (const agent of list) if (!heard.has(placed(agent, agent.name))) this.put(agent);
    for (const name of [...this.agents.keys()])
      if (!names.has(name) && !heard.has(name)) { this.agents.delete(name); this.strips.delete(name); }
    this.loaded = true;
    this.changed('fleet');
  }

  // From the list of all changes; those heard since stay.
  setStrips(strips: Record<string, Change[]>): void {
    for (const [name, changes] of Object.entries(strips)) {
      let merged = changes;
      for (const change of this.strips.get(name) ?? []) merged = extended(merged, change, 0);
      this.strips.set(name, merged);
    }
    this.changed('fleet');
  }

  // An event of the journal; false: it was known already.
  event(event: Event): boolean {
    if (event.seq <= this.lastSeq) return false;
    this.lastSeq = event.seq;
    if (event.type === 'state' && event.agent) this.extendStrip(event.agent, event.at, event['to'] as State);
    if (event.type === 'alert') this.addAlert(event as unknown as Alert);
    if (event.type === 'task') this.changed('tasks');
    for (const listener of this.eventListeners) listener(event);
    return true;
  }

  private extendStrip(name: string, at: string, state: State): void {
    const from = this.now() - STRIP_HOURS * 3600_000;
    this.strips.set(name, extended(this.strips.get(name) ?? [], [at, state], from));
    this.changed('fleet');
  }

  private addAlert(alert: Alert): void {
    if (this.alerts.some((one) => alertKey(one) === alertKey(alert))) return;
    this.alerts = [alert, ...this.alerts].slice(0, ALERTS_KEPT);
    this.unseen++;
    this.changed('alerts');
  }

  setAlerts(alerts: Alert[]): void {
    const known = new Set(alerts.map(alertKey));
    this.alerts = [...alerts, ...this.alerts.filter((one) => !known.has(alertKey(one)))].sort(newestFirst).slice(0, ALERTS_KEPT);
    this.changed('alerts');
  }

  seenAlerts(): void {
    if (this.unseen) { this.unseen = 0; this.changed('alerts'); }
  }

  // The stream begins. True: the journal is another one than we knew, and everything has to be fetched anew.
  hello(last: number): boolean {
    const another = last < this.lastSeq;
    if (another) { this.strips.clear(); this.alerts = []; }
    if (another || !this.lastSeq) this.lastSeq = last;
    return another;
  }
}
