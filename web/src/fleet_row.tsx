// One agent in the list: a row on a desk, a card on a phone. The height is fixed, so that the list can be a window on many.

import { Icon, StateBadge } from './icon';
import { memo } from './memo';
import { tokens, usd } from './number';
import { Keyboard } from './parts';
import { agentHref } from './route';
import { Strip } from './strip_view';
import type { Agent, Change } from './types';
import { level, reason } from './urgency';

export interface RowProps {
  agent: Agent;
  changes: Change[] | undefined;
  end: number;  // of the strip
  age: string;
  top: number;
  index: number;
  all: number;
  onFocus: (name: string) => void;
}

function Marks({ agent }: { agent: Agent }) {
  return (
    <>
      {agent.parked ? <span class="tag bad">parked</span> : null}
      {agent.paused ? <span class="tag">paused</span> : null}
      <Keyboard agent={agent} />
      {agent.outbox.length ? <span class="tag" title="texts that wait to be typed">{agent.outbox.length} queued</span> : null}
      {agent.inbox.waiting ? <span class="tag" title="work in its inbox">{agent.inbox.waiting} in</span> : null}
    </>
  );
}

function Spending({ agent }: { agent: Agent }) {
  const spent = agent.spent?.tokens ?? agent.tokens;
  return (
    <span class="spent" title={agent.spent ? `today (${agent.spent.day}, UTC)` : undefined}>
      <span class={agent.spent?.used_up ? 'num over' : 'num'}>{usd(agent.cost_usd)}</span>
      <span class="num muted">{tokens(spent)}<span class="sr"> tokens</span></span>
    </span>
  );
}

function View({ agent, changes, end, age, top, index, all, onFocus }: RowProps) {
  return (
    <li class="row-slot" style={{ transform: `translateY(${top}px)` }} aria-setsize={all} aria-posinset={index + 1}>
      <a class={`row l-${level(agent)} s-${agent.state}${agent.parked ? ' parked' : ''}`} id={`row-${agent.name}`} href={agentHref(agent.name)}
        onFocus={() => onFocus(agent.name)}>
        <StateBadge state={agent.state} kind={agent.kind} />
        <span class="who">
          <span class="name">{agent.machine ? <span class="machine" title={`on machine ${agent.machine}`}>{agent.machine}/</span> : null}{agent.name.slice(agent.machine ? agent.machine.length + 1 : 0)}</span>
          <span class="sub"><span class="runtime">{agent.runtime}</span><Marks agent={agent} /></span>
        </span>
        <span class="what">
          <span class="why">{level(agent) === 'person' ? <Icon name="person" size={13} /> : null}{reason(agent)}</span>
          <span class="last">{agent.last_line || '\u00a0'}</span>
        </span>
        <Strip changes={changes} end={end} />
        <span class="age num" title={`since ${agent.since}`}>{age}</span>
        <Spending agent={agent} />
      </a>
    </li>
  );
}

export const FleetRow = memo(View, (a: RowProps, b: RowProps) =>
  a.agent === b.agent && a.changes === b.changes && a.end === b.end && a.age === b.age && a.top === b.top &&
  a.index === b.index && a.all === b.all);
