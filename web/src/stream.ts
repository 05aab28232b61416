// The live connection: server-sent events into the store, with a new try after every loss, and then what was missed.

import { ApiError, get } from './api';
import { SILENCE_MS, delay } from './backoff';
import type { Store } from './store';
import { STRIP_HOURS } from './strip';
import type { Agent, Alert, Change, Event, Machine, Me } from './types';

const REST_AFTER_MS = 60_000, REST_LOOKS_MS = 60_000;

export class Stream {
  private source: EventSource | null = null;
  private attempt = 0;
  private retry = 0;
  private silence = 0;
  private greeted = false;
  private haveStrips = false;
  private resting = 0;

  // `awake`: somebody wants to hear of what happens also while nobody looks.
  constructor(private readonly store: Store, private readonly awake: () => boolean = () => false) {}

  start(): void {
    this.open();
    addEventListener('online', () => this.hurry());
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.resting);
      if (document.hidden) this.resting = window.setTimeout(() => this.rest(), REST_AFTER_MS);
      else this.hurry();
    });
    setInterval(() => { if (!document.hidden && this.store.link === 'live') void this.loadMe(); }, 60_000);
  }

  // Somebody looks, or the network is back: no need to wait out the delay.
  hurry(): void {
    if (this.source || this.store.link === 'unauthorized') return;
    clearTimeout(this.retry);
    this.attempt = 0;
    this.open();
  }

  // Nobody looks. A browser has six connections to a host, so a forgotten tab lets its one go and only looks now and then: its title counts.
  private rest(): void {
    if (!this.source || this.store.link !== 'live' || this.awake()) return;
    this.source.close();
    this.source = null;
    clearTimeout(this.silence);
    const look = async () => {
      if (!document.hidden || this.source) return;
      this.store.beginResync();
      try { this.store.endResync((await get<{ agents: Agent[] }>('agents')).agents); } catch { /* the next look may be luckier */ }
      this.resting = window.setTimeout(look, REST_LOOKS_MS);
    };
    this.resting = window.setTimeout(look, REST_LOOKS_MS);
  }

  private open(): void {
    const since = this.store.lastSeq ? `&since=${this.store.lastSeq}` : '';
    const source = new EventSource(`/api/v1/events?views=1${since}`);
    this.source = source;
    this.greeted = false;
    this.listenTo(source);
    this.heard();
  }

  private listenTo(source: EventSource): void {
    const on = (name: string, take: (data: never) => void) =>
      source.addEventListener(name, (message) => {
        if (source !== this.source) return;
        this.heard();
        try { take(JSON.parse((message as MessageEvent<string>).data) as never); } catch { /* a line we cannot read changes nothing */ }
      });
    on('hello', (hello: { last: number }) => this.hello(hello));
    on('message', (event: Event) => { this.store.event(event); });
    on('view', (agent: Agent) => this.store.view(agent));
    on('gone', (gone: { name: string; machine?: string | null }) => this.store.gone(gone.name, gone.machine));
    on('machines', (machines: Machine[]) => this.store.setMachines(machines));
    source.onerror = () => { if (source === this.source) this.lost(); };
  }

  private hello(hello: { last: number }): void {
    if (this.greeted) return; // a sign of life only
    this.greeted = true;
    this.attempt = 0;
    if (this.store.hello(hello.last)) this.haveStrips = false;
    void this.resync();
  }

  // The stream tells what changes; this is what was there before.
  private async resync(): Promise<void> {
    this.store.beginResync();
    try {
      const [, list] = await Promise.all([this.loadMe(), get<{ agents: Agent[]; machines?: Machine[] }>('agents')]);
      this.store.endResync(list.agents);
      this.store.setMachines(list.machines ?? []);
      this.store.setLink('live');
      await Promise.allSettled([this.loadStrips(), this.loadAlerts()]); // the fleet is there without them
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) this.lost();
    }
  }

  private async loadMe(): Promise<void> { this.store.setMe(await get<Me>('me')); }

  // Once: afterwards the events say it.
  private async loadStrips(): Promise<void> {
    if (this.haveStrips) return;
    const { agents } = await get<{ agents: Record<string, Change[]> }>(`timeline?since=${STRIP_HOURS}h`);
    this.store.setStrips(agents);
    this.haveStrips = true;
  }

  async loadAlerts(): Promise<void> {
    this.store.setAlerts((await get<{ alerts: Alert[] }>('alerts')).alerts);
  }

  private heard(): void {
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => this.lost(), SILENCE_MS);
  }

  private lost(): void {
    this.source?.close();
    this.source = null;
    clearTimeout(this.silence);
    clearTimeout(this.retry);
    this.store.setLink('lost');
    if (this.store.link === 'unauthorized') return;
    this.retry = window.setTimeout(() => void this.again(), delay(this.attempt++, Math.random()));
  }

  // An EventSource does not say why it failed; a request does.
  private async again(): Promise<void> {
    try { await this.loadMe(); } catch (error) {
      if (error instanceof ApiError && error.status === 401) return;
      return this.lost();
    }
    if (!this.source) this.open();
  }
}
