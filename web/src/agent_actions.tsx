// What can be done to one agent. Nothing of it is there for somebody who only looks.

import { useEffect, useState } from 'preact/hooks';
import { actOn } from './action';
import { ActButton, Panel, Select } from './parts';
import type { Agent } from './types';

export const MODES: [string, string][] = [
  ['active', 'active: inbox and prompt'], ['task-only', 'task-only: its prompt'], ['paused', 'paused: nothing'],
];
export const PERMISSIONS: [string, string][] =
  ['plan', 'default', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'].map((mode) => [mode, mode]);

const ended = (agent: Agent) => agent.state === 'exited' || agent.state === 'crashed';

export function Controls({ agent }: { agent: Agent }) {
  const on = (verb: string, body?: object, title?: string) => () => actOn(agent.name, verb, body, title);
  return (
    <div class="controls" role="group" aria-label="Actions">
      {agent.paused || agent.parked
        ? <ActButton label="Resume" icon="resume" class="primary" onAct={on('resume')} title="Rules may act again (p)" />
        : <ActButton label="Pause" icon="pause" onAct={on('pause')} title="Rules leave it alone (p)" />}
      {ended(agent)
        ? <ActButton label="Start" icon="resume" class="primary" onAct={on('start')} />
        : <ActButton label="Wake" icon="wake" onAct={on('wake', {})} title="Look at your work and go on" />}
      <ActButton label="Restart" icon="restart" danger onAct={on('restart')} title="Its conversation goes on, where the program can" />
      {ended(agent) ? null : <ActButton label="Stop" icon="stop" danger onAct={on('stop')} />}
    </div>
  );
}

type Kind = 'send' | 'now' | 'wake' | 'inbox';
const KINDS: [Kind, string][] = [
  ['send', 'Send when it is ready'], ['now', 'Send now'], ['wake', 'Wake: before all others'], ['inbox', 'Put into its inbox'],
];

export function Compose({ agent }: { agent: Agent }) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<Kind>('send');
  const [priority, setPriority] = useState('normal');
  const deliver = async () => {
    if (!text.trim()) return;
    const verb = kind === 'now' ? 'send' : kind;
    const body = kind === 'inbox' ? { text, priority } : kind === 'now' ? { text, now: true } : { text };
    if (await actOn(agent.name, verb, body, kind === 'inbox' ? 'inbox' : verb)) setText('');
  };
  return (
    <Panel title="Tell it" class="compose">
      <label>
        <span class="sr">Text for {agent.name}</span>
        <textarea id="compose" rows={3} value={text} placeholder="Typed when it is ready, and watched until it is taken"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void deliver();
            if (event.key === 'Escape') event.currentTarget.blur();
          }} />
      </label>
      <div class="line">
        <Select label="How" hideLabel value={kind} options={KINDS} onChange={(value) => setKind(value as Kind)} />
        {kind === 'inbox' ? <Select label="Priority" hideLabel value={priority} options={[['high', 'high'], ['normal', 'normal'], ['low', 'low']]} onChange={setPriority} /> : null}
        <ActButton label="Send" icon="send" class="primary" disabled={!text.trim()} onAct={deliver}><kbd>Ctrl ⏎</kbd></ActButton>
      </div>
      {agent.outbox.length ? <p class="muted small">{agent.outbox.length} {agent.outbox.length === 1 ? 'text waits' : 'texts wait'} to be typed.</p> : null}
    </Panel>
  );
}

export function MoreActions({ agent }: { agent: Agent }) {
  const [mode, setMode] = useState(agent.mode);
  const [permission, setPermission] = useState(agent.permission);
  useEffect(() => setMode(agent.mode), [agent.mode]);
  useEffect(() => setPermission(agent.permission), [agent.permission]);
  const adopted = agent.pane?.target.startsWith('%');
  return (
    <details class="more">
      <summary>More: mode, permission, fresh restart</summary>
      <div class="line">
        <Select label="Mode" value={mode} options={MODES} onChange={setMode} />
        <ActButton label="Set" disabled={mode === agent.mode} onAct={() => actOn(agent.name, 'mode', { mode })} />
      </div>
      <div class="line">
        <Select label="Permission" value={permission} options={PERMISSIONS} onChange={setPermission} />
        <ActButton label="Set" disabled={permission === agent.permission} danger={permission === 'bypassPermissions'}
          title="From its next start on" onAct={() => actOn(agent.name, 'permission', { mode: permission })} />
      </div>
      <div class="line wrap">
        <ActButton label="Restart fresh" icon="restart" danger title="In a new conversation" onAct={() => actOn(agent.name, 'restart', { fresh: true }, 'restart fresh')} />
        {adopted ? <ActButton label="Release its pane" icon="release" danger onAct={() => actOn(agent.name, 'release')} /> : null}
        <ActButton label={ended(agent) ? 'Forget it and its recordings' : 'Stop and forget it'} icon="close" danger
          onAct={async () => { if (await actOn(agent.name, 'rm', { force: !ended(agent) }, 'forget')) location.hash = '#/'; }} />
      </div>
    </details>
  );
}
