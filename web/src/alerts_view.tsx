// What a person should know: who needs one now, and what was said before, each with what can be done about it.

import { useEffect } from 'preact/hooks';
import { actOn } from './action';
import { mayAct, store, stream, useNow, useStore } from './context';
import { DialogRows, DialogSubject } from './dialog_card';
import { chosen } from './fleet';
import { Icon, StateBadge } from './icon';
import { ActButton, Empty, Panel, Skeleton } from './parts';
import { placed } from './place';
import { agentHref } from './route';
import { alertKey } from './store';
import { age, clock, parse } from './time';
import type { Agent, Alert } from './types';

// The one thing that helps most often, and a way to look.
function Remedies({ agent, at }: { agent: Agent | undefined; at?: string }) {
  if (!agent) return null;
  const ended = agent.state === 'crashed' || agent.state === 'exited';
  return (
    <div class="line wrap">
      <a class="button" href={agentHref(agent.name)}>Open</a>
      {at ? <a class="button" href={agentHref(agent.name, at)}>Screen of then</a> : null}
      {mayAct() && (agent.parked || agent.paused) ? <ActButton label="Resume" icon="resume" onAct={() => actOn(agent.name, 'resume')} /> : null}
      {mayAct() && ended ? <ActButton label="Start" icon="restart" onAct={() => actOn(agent.name, 'start')} /> : null}
      {mayAct() && agent.state === 'stuck' ? <ActButton label="Restart" icon="restart" danger onAct={() => actOn(agent.name, 'restart')} /> : null}
    </div>
  );
}

function Needed({ agent, now }: { agent: Agent; now: number }) {
  return (
    <li class={`need s-${agent.state}`}>
      <div class="line">
        <a class="name clip" href={agentHref(agent.name)}>{agent.name}</a><StateBadge state={agent.state} kind={agent.kind} />
        {agent.parked ? <span class="tag bad">parked</span> : null}
        <span class="grow" /><span class="muted num">{age(agent.since, now)}</span>
      </div>
      <p>{agent.dialog?.question || agent.parked_because || agent.because}</p>
      <DialogSubject agent={agent} />
      {agent.dialog ? <DialogRows agent={agent} /> : null}
      <Remedies agent={agent} />
    </li>
  );
}

function Said({ alert, now }: { alert: Alert; now: number }) {
  const name = placed(alert, alert.agent);
  const agent = name ? store.agents.get(name) : undefined;
  return (
    <li class={`alert v-${alert.severity}`}>
      <div class="line">
        <Icon name={alert.severity === 'error' ? 'crashed' : alert.severity === 'warning' ? 'stuck' : 'alerts'} size={14} />
        <span class="severity">{alert.severity}</span>
        {name ? <a class="name clip" href={agentHref(name)}>{name}</a> : alert.machine ? <span class="name clip">{alert.machine}</span> : null}
        <span class="grow" /><time class="muted num" title={alert.at}>{clock(parse(alert.at), now)}</time>
      </div>
      <p>{alert.text}</p>
      {alert.todo ? <p class="small"><span class="label">To do</span> <code>{alert.todo}</code></p> : null}
      {alert.screen ? <details class="small"><summary>Its screen then</summary><pre class="screen">{alert.screen}</pre></details> : null}
      <Remedies agent={agent} at={alert.at} />
    </li>
  );
}

export function AlertsView() {
  useStore('alerts', 'fleet', 'me');
  const now = useNow(5000);
  useEffect(() => { store.seenAlerts(); }, [store.unseen]);
  useEffect(() => { void stream.loadAlerts().catch(() => {}); }, []); // those of other machines are not in the stream
  if (!store.loaded) return <div class="page"><Skeleton rows={4} high={96} /></div>;
  const needed = chosen(store.agents.values(), { states: new Set(), person: true, search: '', sort: 'urgency' });
  return (
    <div class="page">
      <h1>Alerts</h1>
      <Panel title={`Needs a person now (${needed.length})`}>
        {needed.length ? <ul class="needs">{needed.slice(0, 50).map((agent) => <Needed key={agent.name} agent={agent} now={now} />)}</ul>
          : <p class="calm"><Icon name="check" size={14} /> Nobody is needed.</p>}
        {needed.length > 50 ? <a class="button" href="#/?person=1">Show all {needed.length}</a> : null}
      </Panel>
      <Panel title="What was said">
        {store.alerts.length ? <ul class="alerts">{store.alerts.slice(0, 100).map((alert) => <Said key={alertKey(alert)} alert={alert} now={now} />)}</ul>
          : <Empty icon="alerts" title="No alerts" />}
      </Panel>
    </div>
  );
}
