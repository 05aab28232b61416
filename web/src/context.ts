// The one store of the page and the hooks that read it.

import { useEffect, useReducer, useState } from 'preact/hooks';
import { onUnauthorized } from './api';
import { type Counts, counts } from './fleet';
import { Notifier } from './notify';
import { type Route, parseRoute } from './route';
import { Store, type Topic } from './store';
import { Stream } from './stream';

// A hidden page has no frames; it still has to keep up.
export const store = new Store((flush) => (document.hidden ? setTimeout(flush, 250) : requestAnimationFrame(flush)));
export const notifier = new Notifier(store);
export const stream = new Stream(store, () => notifier.state() === 'on');
onUnauthorized.call = () => store.setLink('unauthorized');

// Renders again whenever one of the topics changed.
export function useStore(...topics: Topic[]): Store {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const ends = topics.map((topic) => store.subscribe(topic, () => again(0)));
    return () => ends.forEach((end) => end());
  }, []);
  return store;
}

let summed: { version: number; counts: Counts } | null = null;

// Several places show the sums; they are worked out once for each change.
export function fleetCounts(): Counts {
  if (summed?.version !== store.version) summed = { version: store.version, counts: counts(store.agents.values()) };
  return summed.counts;
}

// The server's time, in steps.
export function useNow(everyMs = 1000): number {
  const [now, set] = useState(() => store.now());
  useEffect(() => {
    const timer = setInterval(() => { if (!document.hidden) set(store.now()); }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function useRoute(): Route {
  const [route, set] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const read = () => set(parseRoute(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return route;
}

// May this credential act at all?
export function mayAct(): boolean {
  return store.me?.role === 'operator' && store.me.control === true;
}

export function useMedia(query: string): boolean {
  const [matches, set] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const read = () => set(list.matches);
    list.addEventListener('change', read);
    return () => list.removeEventListener('change', read);
  }, [query]);
  return matches;
}
