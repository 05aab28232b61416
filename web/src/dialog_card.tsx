// The question on an agent's screen: each row a button that says what choosing it means (src/model/dialog.h).

import { useState } from 'preact/hooks';
import { actOn } from './action';
import { mayAct } from './context';
import { ActButton, Panel } from './parts';
import type { Agent, Cost, DialogRow } from './types';

const MEANING: Record<Cost, string> = {
  free: 'changes nothing',
  allow: 'lets this one pass',
  deny: 'refuses it',
  permission: 'widens what it may do from now on',
  money: 'costs money',
  destroys: 'loses work or a conversation',
  question: 'only you know',
};
const DANGEROUS = new Set<Cost>(['permission', 'money', 'destroys']);

export function DialogRows({ agent, onKeepable }: { agent: Agent; onKeepable?: (can: boolean) => void }) {
  const rows = agent.dialog?.rows ?? [];
  const choose = async (row: DialogRow, number: number) => {
    const receipt = await actOn(agent.name, 'answer', { row: String(number), dialog: agent.dialog?.id ?? '' }, `answer “${row.text}”`);
    onKeepable?.(receipt?.keepable === true);
  };
  return (
    <div class="dialog-rows" role="group" aria-label={`Answers for ${agent.name}`}>
      {rows.map((row, i) => mayAct()
        ? <ActButton key={`${i} ${row.text}`} class={`choice c-${row.cost}`} label={row.text} danger={DANGEROUS.has(row.cost)} onAct={() => choose(row, i + 1)}>
            <span class="meaning">{MEANING[row.cost] ?? row.cost}</span>
          </ActButton>
        : <p key={i} class="choice-text">{row.text} <span class="meaning">{MEANING[row.cost] ?? row.cost}</span></p>)}
    </div>
  );
}

// The command, path or diff it is about, whole.
export function DialogSubject({ agent }: { agent: Agent }) {
  return agent.dialog?.subject ? <pre class="subject">{agent.dialog.subject}</pre> : null;
}

export function DialogCard({ agent }: { agent: Agent }) {
  const [keepable, setKeepable] = useState(false);
  if (!agent.dialog && !keepable) return null;
  return (
    <Panel title={agent.dialog ? 'It asks' : 'Answered'} class="asks" aside={agent.kind && agent.dialog ? <span class="tag">{agent.kind}</span> : null}>
      {agent.dialog ? <p class="question">{agent.dialog.question || 'a dialog without a question'}</p> : null}
      <DialogSubject agent={agent} />
      {agent.dialog && !agent.dialog.known ? <p class="muted small">Nobody described this dialog: what the rows mean is a guess from their shape.</p> : null}
      <DialogRows agent={agent} onKeepable={setKeepable} />
      {keepable && mayAct()
        ? <ActButton label="Answer the same question like this from now on" icon="check"
            onAct={async () => { if (await actOn(agent.name, 'answer', { keep: true }, 'keep the answer')) setKeepable(false); }} />
        : null}
    </Panel>
  );
}
