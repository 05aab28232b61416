// Why Pawl thinks what it thinks: the evidence of now with its ages, or one event of the past.

import { useEffect, useState } from 'preact/hooks';
import { agentPath, get } from './api';
import { fields, sentence } from './event_text';
import { StateBadge } from './icon';
import { Panel } from './parts';
import { clock, parse, relative, span } from './time';
import type { Agent, Event, Why } from './types';

// Asked again when the state changed, and now and then: ages grow.
function useWhy(agent: Agent): Why | null {
  const [why, setWhy] = useState<Why | null>(null);
  useEffect(() => {
    let gone = false;
    const ask = () => {
      if (!document.hidden) get<Why>(agentPath(agent.name, 'why')).then((answer) => { if (!gone) setWhy(answer); }, () => {});
    };
    ask();
    const timer = setInterval(ask, 5000);
    return () => { gone = true; clearInterval(timer); };
  }, [agent.name, agent.state, agent.kind]);
  return why;
}

function Policy({ why, now }: { why: Why; now: number }) {
  const policy = why.policy;
  if (!policy) return null;
  return (
    <p class="policy">
      <span class="label">Pawl will</span> {policy.action ?? 'do nothing'}{policy.because ? `: ${policy.because}` : ''}
      {policy.until ? ` (${relative(parse(policy.until), now)})` : ''}
      {policy.rule ? <span class="tag">{policy.rule}</span> : null}
    </p>
  );
}

export function EvidenceNow({ agent, now }: { agent: Agent; now: number }) {
  const why = useWhy(agent);
  if (!why) return <Panel title="Why" class="reason"><p class="muted">{agent.because}</p></Panel>;
  return (
    <Panel title="Why" class="reason" aside={<span class="muted small">{Math.round((why.confidence ?? 1) * 100)} % sure, by {why.tier ?? 'nothing'}</span>}>
      <p>{why.because}</p>
      {why.rule_is ? <p class="small"><span class="label">Rule</span> {why.rule_is}</p> : null}
      {why.changes_when ? <p class="small"><span class="label">Changes when</span> {why.changes_when}</p> : null}
      <Policy why={why} now={now} />
      {why.evidence?.length ? (
        <table class="evidence">
          <thead><tr><th>Channel</th><th>Says</th><th>Means</th><th class="right">Age</th></tr></thead>
          <tbody>
            {why.evidence.map((one, i) => (
              <tr key={i}>
                <td>{one.channel}</td><td class="says">{one.says}</td>
                <td>{one.means ? <StateBadge state={one.means} quiet /> : <span class="muted">–</span>}</td>
                <td class="right num">{one.age_s == null ? '' : span(one.age_s)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {why.drift?.map((text) => <p key={text} class="small attention">{text}</p>)}
      {why.terminal ? <p class="small muted">{why.terminal}</p> : null}
    </Panel>
  );
}

// What was known at an instant: the last event at or before it, as the journal has it.
export function EvidenceThen({ name, event, at, now }: { name: string; event: Event | null; at: number; now: number }) {
  const [full, setFull] = useState<Event | null>(null);
  useEffect(() => {
    let gone = false;
    setFull(null);
    if (event) get<Why>(agentPath(name, `why?seq=${event.seq}`)).then((why) => { if (!gone && why.event) setFull(why.event); }, () => {});
    return () => { gone = true; };
  }, [name, event?.seq]);
  const shown = full ?? event;
  return (
    <Panel title={`What was known at ${clock(at, now)}`}>
      {shown ? (
        <>
          <p>{sentence(shown)}</p>
          <p class="muted small">event {shown.seq}, {clock(parse(shown.at), now)}, {span((at - parse(shown.at)) / 1000)} before</p>
          <dl class="fields">
            {fields(shown).map(([key, value]) => <div key={key}><dt>{key}</dt><dd>{value}</dd></div>)}
          </dl>
        </>
      ) : <p class="muted">Nothing was written down before that.</p>}
    </Panel>
  );
}
