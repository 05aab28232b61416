// The fleet at a glance: who needs a person first. Only the rows in sight are in the document.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { actOn } from './action';
import { fleetCounts, mayAct, store, useMedia, useNow, useStore } from './context';
import { type Choice, SORTS, type Sort, chosen } from './fleet';
import { FleetRow } from './fleet_row';
import { Icon } from './icon';
import { useKeys } from './keys';
import { usd, tokens } from './number';
import { Empty, Select, Skeleton } from './parts';
import { type Route, agentHref, go, replace, withQuery } from './route';
import { stripEnd } from './strip';
import { age } from './time';
import type { Agent, State } from './types';
import { STATES } from './urgency';

const ROW = 52, CARD = 128, BEYOND = 8; // heights as app.css has them; rows beyond the edges

function choiceOf(route: Route): Choice {
  const states = (route.query.get('states') ?? '').split(',').filter((s) => STATES.includes(s as State)) as State[];
  const sort = route.query.get('sort') as Sort;
  return {
    states: new Set(states), person: route.query.get('person') === '1', search: route.query.get('q') ?? '',
    sort: SORTS.some(([name]) => name === sort) ? sort : 'urgency',
  };
}

function Chips({ route, choice }: { route: Route; choice: Choice }) {
  const sums = fleetCounts();
  const toggle = (state: State) => {
    const next = new Set(choice.states);
    next.has(state) ? next.delete(state) : next.add(state);
    replace(withQuery(route, { states: [...next].join(',') }));
  };
  return (
    <div class="chips" role="group" aria-label="Filter by state">
      <button type="button" class="chip person" aria-pressed={choice.person}
        onClick={() => replace(withQuery(route, { person: choice.person ? '' : '1' }))}>
        <Icon name="person" size={14} /><span>needs a person</span><b>{sums.person}</b>
      </button>
      {STATES.filter((state) => sums.states.get(state) || choice.states.has(state)).map((state) => (
        <button key={state} type="button" class={`chip s-${state}`} aria-pressed={choice.states.has(state)} onClick={() => toggle(state)}>
          <Icon name={state} size={14} /><span>{state}</span><b>{sums.states.get(state) ?? 0}</b>
        </button>
      ))}
    </div>
  );
}

function Summary() {
  const sums = fleetCounts();
  return (
    <p class="summary">
      <b>{sums.all}</b> {sums.all === 1 ? 'agent' : 'agents'}
      <span class={sums.person ? 'attention' : 'calm'}>{sums.person ? `${sums.person} need${sums.person === 1 ? 's' : ''} a person` : 'nobody is needed'}</span>
      {sums.tokens === null && sums.cost === null ? null : <span class="muted">today {tokens(sums.tokens)} tokens, {usd(sums.cost)}</span>}
    </p>
  );
}

function Tools({ route, choice }: { route: Route; choice: Choice }) {
  return (
    <div class="tools">
      <label class="search">
        <span class="sr">Search agents</span>
        <Icon name="search" size={14} />
        <input id="search" type="search" placeholder="Search  ( / )" value={choice.search} autocomplete="off" spellcheck={false}
          onInput={(event) => replace(withQuery(route, { q: event.currentTarget.value }))}
          onKeyDown={(event) => {
            if (event.key === 'Escape') replace(withQuery(route, { q: '' }));
            if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
          }} />
      </label>
      <Select label="Sort" hideLabel value={choice.sort} options={SORTS as [string, string][]}
        onChange={(sort) => replace(withQuery(route, { sort: sort === 'urgency' ? '' : sort }))} />
    </div>
  );
}

// Which rows are in sight of the scrolling element.
function useWindow(count: number, high: number) {
  const list = useRef<HTMLUListElement>(null);
  const [range, setRange] = useState<[number, number]>([0, 30]);
  useLayoutEffect(() => {
    const main = document.getElementById('main')!;
    const read = () => {
      const top = list.current ? list.current.getBoundingClientRect().top - main.getBoundingClientRect().top : 0;
      const first = Math.max(0, Math.floor(-top / high) - BEYOND);
      const last = Math.min(count, Math.ceil((main.clientHeight - top) / high) + BEYOND);
      setRange((old) => (old[0] === first && old[1] === last ? old : [first, last]));
    };
    read();
    main.addEventListener('scroll', read, { passive: true });
    addEventListener('resize', read);
    return () => { main.removeEventListener('scroll', read); removeEventListener('resize', read); };
  }, [count, high]);
  return { list, range };
}

// j and k go through the rows, wherever they are.
function useWalk(shown: Agent[], high: number, list: { current: HTMLUListElement | null }) {
  const at = useRef('');
  const walk = (step: number) => {
    const old = shown.findIndex((agent) => agent.name === at.current);
    const next = shown[Math.max(0, Math.min(shown.length - 1, old < 0 ? 0 : old + step))];
    if (!next) return;
    at.current = next.name;
    const main = document.getElementById('main')!, offset = list.current?.offsetTop ?? 0;
    const top = offset + shown.indexOf(next) * high;
    if (top < main.scrollTop + offset) main.scrollTop = Math.max(0, top - offset);
    else if (top + high > main.scrollTop + main.clientHeight) main.scrollTop = top + high - main.clientHeight;
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`row-${next.name}`)?.focus({ preventScroll: true })));
  };
  useKeys({
    j: () => walk(1), ArrowDown: () => walk(1), k: () => walk(-1), ArrowUp: () => walk(-1),
    '/': () => document.getElementById('search')?.focus(),
    Enter: () => { if (at.current) go(agentHref(at.current)); },
    p: () => {
      const agent = store.agents.get(at.current);
      if (agent && mayAct()) void actOn(agent.name, agent.paused || agent.parked ? 'resume' : 'pause');
    },
  });
  return (name: string) => { at.current = name; };
}

// The rows in sight. Scrolling renders only this.
function Rows({ shown, now, high }: { shown: Agent[]; now: number; high: number }) {
  const { list, range } = useWindow(shown.length, high);
  const onFocus = useWalk(shown, high, list);
  const end = stripEnd(now);
  return (
    <ul class="rows" ref={list} style={{ height: `${shown.length * high}px` }} aria-label="Agents">
      {shown.slice(range[0], range[1]).map((agent, i) => (
        <FleetRow key={agent.name} agent={agent} changes={store.strips.get(agent.name)} end={end} age={age(agent.since, now)}
          top={(range[0] + i) * high} index={range[0] + i} all={shown.length} onFocus={onFocus} />
      ))}
    </ul>
  );
}

// Machines that are not reached: since when, and why.
function Away({ now }: { now: number }) {
  const away = store.machines.filter((machine) => !machine.online);
  if (!away.length) return null;
  return (
    <ul class="away" aria-label="Machines that are not reached">
      {away.map((machine) => <li key={machine.name} class="attention small"><Icon name="stuck" size={14} /> <b>{machine.name}</b> is not reached for {age(machine.since, now)}: {machine.because}</li>)}
    </ul>
  );
}

export function FleetView({ route }: { route: Route }) {
  useStore('fleet', 'me');
  const now = useNow();
  const high = useMedia('(max-width: 760px)') ? CARD : ROW;
  const choice = useMemo(() => choiceOf(route), [route]);
  const shown = useMemo(() => chosen(store.agents.values(), choice), [store.version, choice]);
  useEffect(() => { document.getElementById('main')?.scrollTo(0, 0); }, [choice.sort]);
  if (!store.loaded) return <div class="fleet"><Skeleton rows={8} high={high} /></div>;
  return (
    <div class="fleet">
      <h1 class="sr">Fleet</h1>
      <div class="bar">
        <Summary />
        <Tools route={route} choice={choice} />
        <Chips route={route} choice={choice} />
        <div class="columns" aria-hidden="true">
          <span>State</span><span>Agent</span><span>Why, and its last line</span><span>Last 8 hours</span><span class="right">For</span><span class="right">Today</span>
        </div>
      </div>
      <Away now={now} />
      {shown.length ? null : <Nothing any={store.agents.size > 0} route={route} />}
      <Rows shown={shown} now={now} high={high} />
    </div>
  );
}

function Nothing({ any, route }: { any: boolean; route: Route }) {
  if (any) return (
    <Empty icon="search" title="No agent is like that">
      <button type="button" class="button" onClick={() => replace(withQuery(route, { q: '', states: '', person: '' }))}>Show all</button>
    </Empty>
  );
  return (
    <Empty icon="fleet" title="No agents yet">
      {mayAct() ? <a class="button primary" href="#/start">Start one</a> : <p class="muted">pawl run -d NAME -- COMMAND starts one.</p>}
    </Empty>
  );
}
