// One agent: its terminal, its timeline, why it is as it is, and what can be done about it.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { actOn } from './action';
import { Compose, Controls, MoreActions } from './agent_actions';
import { agentPath, get, getText } from './api';
import { birth, eventAt, stateAt } from './chart';
import { mayAct, store, useMedia, useNow, useStore } from './context';
import { DialogCard } from './dialog_card';
import { lane, sentence, tone } from './event_text';
import { EvidenceNow, EvidenceThen } from './evidence';
import { Icon, StateBadge } from './icon';
import { useKeys } from './keys';
import { tokens, usd } from './number';
import { Empty, Keyboard, Panel, Select, Skeleton } from './parts';
import { type Route, agentHref, go, replace, withQuery } from './route';
import { STRIP_HOURS } from './strip';
import { LiveTerminal, StillTerminal } from './terminal_panel';
import { TimelineChart } from './timeline_chart';
import { age, clock, parse, relative } from './time';
import type { Agent, Event } from './types';
import { reason } from './urgency';

const RANGES: [string, string][] = [['1h', 'Last hour'], ['8h', 'Last 8 hours'], ['24h', 'Last day'], ['72h', 'Last 3 days'], ['168h', 'Last week']];
const MOST = 5000;

// Its events: from the journal once, then as they come.
// Those of another machine are asked for again when it changed (`state`): the stream has our own.
function useEvents(name: string, range: string, state: string): { events: Event[]; from: number; cut: boolean } {
  const [known, setKnown] = useState<{ events: Event[]; from: number; cut: boolean }>({ events: [], from: store.now() - 3600_000 * parseInt(range, 10), cut: false });
  useEffect(() => {
    let gone = false;
    const early: Event[] = [];
    const listener = (event: Event) => {
      if (event.agent !== name) return;
      early.push(event);
      setKnown((old) => (old.events.some((one) => one.seq === event.seq) ? old : { ...old, events: [...old.events, event].slice(-MOST) }));
    };
    store.eventListeners.add(listener);
    get<{ since: string; events: Event[]; cut: boolean }>(agentPath(name, `timeline?since=${range}`)).then((answer) => {
      if (gone) return;
      const had = new Set(answer.events.map((event) => event.seq));
      setKnown({ events: [...answer.events, ...early.filter((event) => !had.has(event.seq))], from: parse(answer.since), cut: answer.cut });
    }, () => {});
    return () => { gone = true; store.eventListeners.delete(listener); };
  }, [name, range, state]);
  return known;
}

function Head({ agent, now }: { agent: Agent; now: number }) {
  const limited = agent.limited_until ? ` · ends ${relative(parse(agent.limited_until), now)}` : '';
  return (
    <header class="agent-head">
      <a class="icon-button" href="#/" aria-label="Back to the fleet (Esc)" title="Back to the fleet (Esc)"><Icon name="back" /></a>
      <div class="grow">
        <h1><span class="clip">{agent.name}</span> <StateBadge state={agent.state} kind={agent.kind} />
          {agent.parked ? <span class="tag bad">parked</span> : null}{agent.paused ? <span class="tag">paused</span> : null}
          <Keyboard agent={agent} /></h1>
        <p class="muted clip2">for {age(agent.since, now)}{limited} · {reason(agent)}</p>
      </div>
      {mayAct() ? <Controls agent={agent} /> : null}
    </header>
  );
}

function Facts({ agent, now }: { agent: Agent; now: number }) {
  const spent = agent.spent;
  const budget = spent?.budget_usd ? ` of ${usd(spent.budget_usd)}` : '';
  const rows: [string, string][] = [
    ['Runtime', `${agent.runtime} (${agent.backend})`], ['Folder', agent.dir], ['Command', agent.command.join(' ')],
    ['Mode', agent.mode], ['Permission', agent.permission],
    ['Today', `${tokens(spent?.tokens)} tokens, ${usd(agent.cost_usd)}${budget}`], ['Context', agent.tokens ? `${tokens(agent.tokens)} tokens` : '–'],
    ['Restarts', String(agent.restarts)], ['Nudges', String(agent.nudges)],
    ['A person', agent.human_last_seen ? relative(parse(agent.human_last_seen), now) : 'not seen'],
    ['Inbox', `${agent.inbox.waiting} waiting${agent.inbox.given ? `, at ${agent.inbox.given}` : ''}`],
    ['Process', agent.pid ? String(agent.pid) : agent.exit_code != null ? `exit code ${agent.exit_code}` : agent.signal != null ? `signal ${agent.signal}` : '–'],
  ];
  return (
    <Panel title="Facts">
      <dl class="fields">{rows.filter(([, value]) => value).map(([key, value]) => <div key={key}><dt>{key}</dt><dd>{value}</dd></div>)}</dl>
      {agent.notices.map((notice) => <p key={notice.text} class="small attention">{notice.kind}: {notice.text}</p>)}
      {agent.repairs.map((text) => <p key={text} class="small attention">{text}</p>)}
    </Panel>
  );
}

function History({ events, at, now, pick }: { events: Event[]; at: number | null; now: number; pick: (at: number) => void }) {
  const [all, setAll] = useState(false);
  const list = useMemo(() => {
    const until = at ?? Infinity;
    return events.filter((event) => parse(event.at) <= until + 1 && (all || lane(event) !== 'other')).slice(-60).reverse();
  }, [events, at, all]);
  return (
    <Panel title={at === null ? 'What happened' : 'What had happened'} aside={
      <label class="check"><input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} /> everything</label>}>
      {list.length ? null : <p class="muted">Nothing in this time.</p>}
      <ol class="history">
        {list.map((event) => (
          <li key={event.seq}>
            <button type="button" onClick={() => pick(parse(event.at))}>
              <time class="num">{clock(parse(event.at), now)}</time>
              <span class={`type t-${tone(event)}`}>{event.type}</span>
              <span class="says">{sentence(event)}</span>
            </button>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

// Text that is fetched when somebody wants it. The screen as text is for those who cannot see the terminal, and for copying.
function OnDemand({ title, path }: { title: string; path: string }) {
  const [text, setText] = useState<string | null>(null);
  const load = () => getText(path).then(setText, (error: Error) => setText(error.message));
  return (
    <details class="more" onToggle={(event) => { if (event.currentTarget.open) void load(); }}>
      <summary>{title}</summary>
      <pre class="output" tabIndex={0}>{text ?? 'loading'}</pre>
      <div class="line"><button type="button" class="button" onClick={load}>Load again</button></div>
    </details>
  );
}

export function AgentView({ route }: { route: Route }) {
  useStore('fleet', 'me');
  const agent = store.agents.get(route.name);
  if (agent) return <Known key={agent.name} agent={agent} route={route} />;
  if (!store.loaded) return <div class="agent"><Skeleton rows={3} high={160} /></div>;
  return <Missing name={route.name} />;
}

function Missing({ name }: { name: string }) {
  useKeys({ Escape: () => go('#/') });
  return <Empty icon="unknown" title={`There is no agent “${name}”`}><a class="button" href="#/">To the fleet</a></Empty>;
}

function Known({ agent, route }: { agent: Agent; route: Route }) {
  const now = useNow();
  const wide = useMedia('(min-width: 1100px)');
  const range = RANGES.some(([value]) => value === route.query.get('range')) ? route.query.get('range')! : '8h';
  const { events, from, cut } = useEvents(agent.name, range, agent.machine ? `${agent.state} ${agent.since}` : '');
  const at = parse(route.query.get('at')) || null;
  const started = useRef(store.now());
  const born = birth(store.strips.get(agent.name), events, parseInt(range, 10) > STRIP_HOURS);
  const begin = Math.min(Math.max(from, born), started.current - 60_000);
  const margin = (started.current - begin) / 60; // so that what happens now is not at the very edge
  const whole = { from: born > from ? begin - margin : begin, to: Math.max(now, started.current) + margin };
  const pick = (ms: number) => replace(withQuery(route, { at: new Date(ms).toISOString() }));
  const live = () => replace(withQuery(route, { at: '' }));
  useAgentKeys(agent, at, live);
  const timeline = (
    <Panel title="Timeline" class="timeline" aside={
      <Select label="Range" hideLabel value={range} options={RANGES} onChange={(value) => replace(withQuery(route, { range: value === '8h' ? '' : value }))} />}>
      <TimelineChart key={range} events={events} whole={whole} born={born} first={[agent.since, agent.state]} at={at} now={now} onPick={pick} onLive={live} />
      {cut ? <p class="muted small">Only the newest {MOST} events of this time are shown.</p> : null}
    </Panel>
  );
  const terminal = at === null
    ? <LiveTerminal key="live" name={agent.name} over={agent.state === 'exited' || agent.state === 'crashed'} />
    : <StillTerminal key="still" name={agent.name} at={new Date(at).toISOString()} onLive={live} />;
  const why = at === null
    ? <EvidenceNow agent={agent} now={now} />
    : <EvidenceThen name={agent.name} event={eventAt(events, at)} state={stateAt(events, at)} at={at} now={now} />;
  const talk = mayAct() ? <Compose agent={agent} /> : null;
  const more = mayAct() ? <MoreActions agent={agent} /> : null;
  const history = <History events={events} at={at} now={now} pick={pick} />;
  const text = (
    <>
      <OnDemand title="Screen as text" path={agentPath(agent.name, `screen${at === null ? '' : `?at=${encodeURIComponent(new Date(at).toISOString())}`}`)} />
      <OnDemand title="Log: the last 500 lines it printed" path={agentPath(agent.name, 'log?lines=500')} />
    </>
  );
  const facts = <Facts agent={agent} now={now} />;
  const dialog = at === null ? <DialogCard agent={agent} /> : null;
  return (
    <div class="agent">
      <Head agent={agent} now={now} />
      {wide
        ? <div class="two"><div class="left">{terminal}{timeline}{history}{text}</div><div class="right-side">{dialog}{talk}{why}{facts}{more}</div></div>
        : <div class="one">{dialog}{terminal}{talk}{timeline}{why}{history}{facts}{text}{more}</div>}
    </div>
  );
}

function useAgentKeys(agent: Agent, at: number | null, live: () => void) {
  const neighbour = (step: number) => {
    const names = [...store.agents.keys()].sort();
    const next = names[names.indexOf(agent.name) + step];
    if (next) go(agentHref(next));
  };
  const answers = Object.fromEntries('123456789'.split('').map((digit) =>
    [digit, () => document.querySelectorAll<HTMLElement>('.dialog-rows .choice')[Number(digit) - 1]?.focus()]));
  useKeys({
    ...answers,
    Escape: () => (at === null ? go('#/') : live()),
    p: () => { if (mayAct()) void actOn(agent.name, agent.paused || agent.parked ? 'resume' : 'pause'); },
    s: () => document.getElementById('compose')?.focus(),
    t: () => document.getElementById('control')?.click(),
    l: live,
    ']': () => neighbour(1), '[': () => neighbour(-1),
  });
}

