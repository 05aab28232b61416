// Forms for a new agent and for a new task. Empty fields are left to Pawl's own defaults.

import { useState } from 'preact/hooks';
import { act } from './action';
import { MODES, PERMISSIONS } from './agent_actions';
import { mayAct, useStore } from './context';
import { ActButton, Empty, Panel } from './parts';
import { agentHref, go, type Route } from './route';

type Values = Record<string, string>;
interface FieldOf { key: string; label: string; hint?: string; options?: [string, string][]; area?: boolean; required?: boolean }

const RUNTIMES = ['claude', 'codex', 'gemini', 'pi'];
const DEFAULT: [string, string] = ['', 'as configured'];

const AGENT: FieldOf[] = [
  { key: 'name', label: 'Name', hint: 'letters, digits, . _ -', required: true },
  { key: 'runtime', label: 'Runtime', hint: 'claude, codex, gemini … or one of your pawl.toml' },
  { key: 'dir', label: 'Folder', hint: 'where it works' },
  { key: 'model', label: 'Model', hint: 'a full or a short name' },
  { key: 'permission', label: 'Permission', options: [DEFAULT, ...PERMISSIONS] },
  { key: 'restart', label: 'When it ends by itself', options: [DEFAULT, ['never', 'never start again'], ['resume', 'resume its conversation'], ['fresh', 'start fresh']] },
  { key: 'mode', label: 'When it idles', options: [DEFAULT, ...MODES] },
  { key: 'prompt', label: 'Prompt', hint: 'what it is told when it is idle, again and again', area: true },
  { key: 'command', label: 'Command instead of a runtime', hint: 'make check' },
];

const TASK: FieldOf[] = [
  { key: 'name', label: 'Name', hint: 'small letters, digits and -', required: true },
  { key: 'prompt', label: 'Prompt', hint: 'what it has to do', area: true, required: true },
  { key: 'runtime', label: 'Runtime', hint: 'claude (default), codex, gemini, pi …' },
  { key: 'dir', label: 'Folder', hint: 'where it works' },
  { key: 'model', label: 'Model', hint: 'a full or a short name' },
  { key: 'permission', label: 'Permission', options: [DEFAULT, ...PERMISSIONS] },
  { key: 'interactive', label: 'Its interface', options: [['', 'none: only its prompt and its output'], ['yes', 'a terminal you can look at and use']] },
  { key: 'command', label: 'Command instead of a runtime', hint: 'gets the prompt on its standard input' },
  { key: 'deadline', label: 'Give up after', hint: '5h' },
  { key: 'retries', label: 'Go on at most', hint: '10 times' },
  { key: 'max-cost', label: 'At most, in USD', hint: '5' },
  { key: 'max-tokens', label: 'At most, in tokens', hint: '2000000' },
];

// A command line into words: spaces separate, quotes keep together.
export function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((m) => m[1] ?? m[2] ?? m[3] ?? '');
}

export function bodyOf(values: Values): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    if (!value.trim()) continue;
    body[key] = key === 'command' ? words(value) : key === 'interactive' ? true : key === 'prompt' ? value : value.trim();
  }
  return body;
}

function Field({ of, value, set, form }: { of: FieldOf; value: string; set: (value: string) => void; form: string }) {
  const id = `${form}-${of.key}`;
  const common = { id, value, required: of.required, 'aria-required': of.required };
  const onInput = (event: { currentTarget: { value: string } }) => set(event.currentTarget.value);
  return (
    <div class={of.area ? 'field wide' : 'field'}>
      <label for={id}>{of.label}{of.required ? <span class="muted"> (needed)</span> : null}</label>
      {of.options ? <select {...common} onChange={onInput}>{of.options.map(([v, text]) => <option key={v} value={v}>{text}</option>)}</select>
        : of.area ? <textarea {...common} rows={5} placeholder={of.hint} onInput={onInput} />
          : <input {...common} type="text" placeholder={of.hint} autocomplete="off" autocapitalize="off" spellcheck={false} list={of.key === 'runtime' ? 'runtimes' : undefined} onInput={onInput} />}
    </div>
  );
}

function Form({ form, fields, path, label, then }: { form: string; fields: FieldOf[]; path: string; label: string; then: (name: string) => void }) {
  const [values, setValues] = useState<Values>({});
  const ready = fields.every((field) => !field.required || values[field.key]?.trim());
  const dangerous = values['permission'] === 'bypassPermissions';
  const submit = async () => {
    const done = await act(`${label} · ${values['name']}`, path, bodyOf(values));
    if (done) then(values['name']!.trim());
  };
  return (
    <div class="form">
      {fields.map((field) => <Field key={field.key} form={form} of={field} value={values[field.key] ?? ''} set={(value) => setValues({ ...values, [field.key]: value })} />)}
      {dangerous ? <p class="attention small wide">It will never ask before it does something. Use a sandbox.</p> : null}
      <div class="wide line"><ActButton label={label} icon="start" class="primary" danger={dangerous} disabled={!ready} onAct={submit} /></div>
    </div>
  );
}

export function StartView({ route }: { route: Route }) {
  useStore('me');
  const task = route.query.get('kind') === 'task';
  if (!mayAct()) return <Empty icon="start" title="This link can only look" />;
  return (
    <div class="page narrow">
      <h1>Start</h1>
      <div class="tabs" role="group" aria-label="What to start">
        <a href="#/start" aria-current={task ? undefined : 'page'}>An agent</a>
        <a href="#/start?kind=task" aria-current={task ? 'page' : undefined}>A task</a>
      </div>
      <datalist id="runtimes">{RUNTIMES.map((name) => <option key={name} value={name} />)}</datalist>
      {task
        ? <Panel title="A new task"><p class="muted small">A prompt for an agent of its own, that comes to an end by itself.</p>
            <Form key="task" form="task" fields={TASK} path="tasks" label="Start the task" then={(name) => go(`#/tasks/${encodeURIComponent(name)}`)} /></Panel>
        : <Panel title="A new agent"><p class="muted small">It stays until it is stopped. A runtime or a command is needed.</p>
            <Form key="agent" form="agent" fields={AGENT} path="agents" label="Start the agent" then={(name) => go(agentHref(name))} /></Panel>}
    </div>
  );
}
