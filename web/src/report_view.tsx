// The report of a night: what was done, what was lost and why, what Pawl did about it, and what it could not decide.

import { useEffect, useState } from 'preact/hooks';
import { get } from './api';
import { useNow } from './context';
import { count, percent, tokens, usd } from './number';
import { Empty, Panel, Select, Skeleton } from './parts';
import { placed } from './place';
import { type Route, agentHref, replace, withQuery } from './route';
import { clock, parse, span } from './time';
import type { Intervention, Report, ReportAgent, Seconds, State } from './types';

const RANGES: [string, string][] = [['8h', 'Last 8 hours'], ['12h', 'Last 12 hours'], ['24h', 'Last day'], ['72h', 'Last 3 days'], ['168h', 'Last week']];
// … and the time while no daemon ran.
const BAR = ['busy', 'starting', 'typing', 'ready', 'shell', 'waiting', 'limited', 'stuck', 'crashed', 'unknown', 'exited', 'unwatched'];
const CAUSES: [string, string][] = [['waiting', 'waiting for a person'], ['limited', 'usage limits'], ['stuck', 'stuck'], ['crashed', 'crashed'], ['idle', 'idle']];
const CAUSE_STATE: Record<string, State> = { idle: 'ready' };

const sum = (time: Seconds) => Object.values(time).reduce((all, s) => all + s, 0);

// Parts of one whole, each a colour, with the words beside it for those who do not see colours.
function Stack({ time, label }: { time: Seconds; label: string }) {
  const whole = sum(time) || 1;
  let x = 0;
  return (
    <svg class="stack" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label={label}>
      {BAR.filter((state) => time[state]).map((state) => {
        const width = ((time[state] ?? 0) / whole) * 1000, at = x;
        x += width;
        return <rect key={state} class={`f-${state}`} x={at} y={0} width={width} height={10}><title>{`${state} ${span(time[state] ?? 0)}`}</title></rect>;
      })}
    </svg>
  );
}

const spoken = (time: Seconds) => BAR.filter((state) => time[state]).map((state) => `${state} ${span(time[state] ?? 0)}`).join(', ');

function Numbers({ report }: { report: Report }) {
  const { totals } = report;
  const made = totals.interventions;
  const cells: [string, string, string][] = [
    ['Time at work', span(totals.time['busy'] ?? 0), `${percent(totals.time['busy'] ?? 0, sum(totals.time))} of all`],
    ['Time lost', span(sum(totals.lost)), `${percent(sum(totals.lost), sum(totals.time))} of all`],
    ['Turns', String(totals.turns), count(totals.work_done, 'piece of work done', 'pieces of work done')],
    ['Interventions', String(made.confirmed + made.failed + made.unverified), `${made.confirmed} confirmed, ${made.failed} failed, ${made.unverified} unverified`],
    ['Restarts', String(totals.restarts), count(totals.nudges, 'nudge')],
    ['Spent', usd(totals.cost_usd), `${tokens(totals.tokens)} tokens`],
  ];
  return (
    <dl class="numbers">
      {cells.map(([label, value, more]) => <div key={label}><dt>{label}</dt><dd class="num">{value}</dd><dd class="muted small">{more}</dd></div>)}
    </dl>
  );
}

function Lost({ lost }: { lost: Seconds }) {
  const most = Math.max(1, ...Object.values(lost));
  return (
    <Panel title="Time lost by cause">
      <table class="bars"><tbody>
        {CAUSES.filter(([key]) => lost[key]).sort((a, b) => (lost[b[0]] ?? 0) - (lost[a[0]] ?? 0)).map(([key, label]) => (
          <tr key={key}><th scope="row">{label}</th>
            <td class="bar-cell"><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class={`f-${CAUSE_STATE[key] ?? key}`} width={((lost[key] ?? 0) / most) * 100} height={10} /></svg></td>
            <td class="num right">{span(lost[key] ?? 0)}</td></tr>
        ))}
      </tbody></table>
      {sum(lost) ? null : <p class="calm">Nothing was lost.</p>}
    </Panel>
  );
}

function Agents({ agents }: { agents: ReportAgent[] }) {
  const present = BAR.filter((state) => agents.some((agent) => agent.time[state]));
  return (
    <Panel title="Time by state" aside={<ul class="key">{present.map((state) => <li key={state}><svg width="10" height="10" aria-hidden="true"><rect class={`f-${state}`} width="10" height="10" rx="2" /></svg>{state}</li>)}</ul>}>
      <table class="bars"><tbody>
        {agents.slice(0, 200).map((agent) => (
          <tr key={agent.name}><th scope="row">{agent.state ? <a href={agentHref(agent.name)}>{agent.name}</a> : <span class="muted" title="it was removed">{agent.name}</span>}</th>
            <td class="bar-cell"><Stack time={agent.time} label={spoken(agent.time)} /></td>
            <td class="num right">{percent(agent.time['busy'] ?? 0, sum(agent.time))}<span class="sr"> busy</span></td>
            <td class="num right muted hide-phone">{count(agent.turns, 'turn')}</td>
            <td class="num right hide-phone">{usd(agent.cost_usd)}</td></tr>
        ))}
      </tbody></table>
    </Panel>
  );
}

function Interventions({ list, now }: { list: Intervention[]; now: number }) {
  const tones: Record<string, string> = { confirmed: 'good', failed: 'bad', unverified: 'wait' };
  return (
    <Panel title={`Interventions (${list.length})`}>
      {list.length ? null : <p class="muted">Pawl did not have to do anything.</p>}
      <ol class="history">
        {list.slice(0, 200).map((one) => (
          <li key={`${one.machine ?? ''} ${one.seq}`}><a href={agentHref(one.agent, one.at)}>
            <time class="num">{clock(parse(one.at), now)}</time>
            <span class={`type t-${tones[one.result ?? ''] ?? 'plain'}`}>{one.result ?? (one.dry_run ? 'dry run' : 'under way')}</span>
            <span class="says"><b>{one.agent}</b> {one.dry_run ? 'would ' : ''}{one.action}: {one.because}{one.witness ? ` – ${one.witness}` : ''}</span>
          </a></li>
        ))}
      </ol>
    </Panel>
  );
}

function Questions({ report, now }: { report: Report; now: number }) {
  return (
    <Panel title={`Questions for a person (${report.questions.length})`}>
      {report.questions.length ? null : <p class="calm">None.</p>}
      <ul class="needs">
        {report.questions.map((one) => (
          <li key={one.agent + one.since} class="need s-waiting">
            <div class="line"><a class="name" href={agentHref(one.agent)}>{one.agent}</a>{one.kind ? <span class="tag">{one.kind}</span> : null}
              <span class="grow" /><span class="muted num">{clock(parse(one.since), now)}</span></div>
            <p>{one.text}</p>
            <p class="muted small">{one.rows.map((row) => (typeof row === 'string' ? row : row.text)).join(' · ')}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

// Rows of other machines have their agents' names as everywhere in the page.
function named(report: Report): Report {
  return {
    ...report, agents: report.agents.map((one) => ({ ...one, name: placed(one, one.name) })),
    interventions: report.interventions.map((one) => ({ ...one, agent: placed(one, one.agent) })),
    questions: report.questions.map((one) => ({ ...one, agent: placed(one, one.agent) })),
  };
}

export function ReportView({ route }: { route: Route }) {
  const now = useNow(30_000);
  const wish = route.query.get('since');
  const since = RANGES.some(([value]) => value === wish) ? wish! : '12h';
  const [report, setReport] = useState<Report | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    let gone = false;
    setReport(null);
    setError('');
    get<Report>(`report?since=${since}`).then((answer) => { if (!gone) setReport(named(answer)); }, (problem: Error) => { if (!gone) setError(problem.message); });
    return () => { gone = true; };
  }, [since]);
  return (
    <div class="page">
      <div class="line wrap"><h1 class="grow">Report</h1>
        <Select label="Time" hideLabel value={since} options={RANGES} onChange={(value) => replace(withQuery(route, { since: value }))} /></div>
      {error ? <Empty icon="report" title={error} /> : !report ? <Skeleton rows={4} high={120} /> : (
        <>
          <p class="muted small">{clock(parse(report.since), now, false)} to {clock(parse(report.until), now, false)}, {count(report.agents.length, 'agent')}</p>
          <Numbers report={report} />
          <div class="columns-2"><Questions report={report} now={now} /><Lost lost={report.totals.lost} /></div>
          <Agents agents={report.agents} />
          <Interventions list={report.interventions} now={now} />
        </>
      )}
    </div>
  );
}
