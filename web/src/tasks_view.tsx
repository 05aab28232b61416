// The tasks, how they are, and what they said.

import { useEffect, useState } from 'preact/hooks';
import { act } from './action';
import { get, getText } from './api';
import { mayAct, store, useNow, useStore } from './context';
import { Icon } from './icon';
import { tokens, usd } from './number';
import { ActButton, Empty, Panel, Skeleton } from './parts';
import { pathOf, placed } from './place';
import { type Route, agentHref } from './route';
import { age, clock, parse, relative, span } from './time';
import type { Task } from './types';

const TONE: Record<string, string> = {
  running: 's-busy', completed: 's-ready', 'completed-with-denials': 's-waiting', failed: 's-crashed', crashed: 's-crashed',
  hung: 's-stuck', limited: 's-limited', abandoned: 's-stuck', cancelled: 's-exited',
};
const MARK: Record<string, string> = {
  running: 'busy', completed: 'check', 'completed-with-denials': 'stuck', failed: 'crashed', crashed: 'crashed', hung: 'stuck',
  limited: 'limited', abandoned: 'stuck', cancelled: 'exited',
};

// The list: now, when an event says that something changed, and now and then.
function useTasks(): { tasks: Task[] | null; again: () => void } {
  const [tasks, setTasks] = useState<Task[] | null>(null);
  const load = () => { get<{ tasks: Task[] }>('tasks').then((answer) => setTasks(answer.tasks.map((task) => ({ ...task, task_name: placed(task, task.task_name), session_name: placed(task, task.session_name) }))), () => setTasks((old) => old ?? [])); };
  useEffect(() => {
    load();
    const end = store.subscribe('tasks', load);
    const timer = setInterval(() => { if (!document.hidden) load(); }, 15_000);
    return () => { end(); clearInterval(timer); };
  }, []);
  return { tasks, again: load };
}

function lasted(task: Task, now: number): string {
  const end = parse(task.finished_at ?? task.abandoned_at) || now;
  return span((end - parse(task.started_at)) / 1000);
}

function Status({ status }: { status: string }) {
  return <span class={`badge ${TONE[status] ?? 's-unknown'}`}><Icon name={MARK[status] ?? 'unknown'} size={14} /><span class="word">{status}</span></span>;
}

function Row({ task, now, open }: { task: Task; now: number; open: boolean }) {
  return (
    <li>
      <a class={open ? 'task open' : 'task'} href={open ? '#/tasks' : `#/tasks/${encodeURIComponent(task.task_name)}`} aria-expanded={open}>
        <Status status={task.status} />
        <span class="name clip">{task.task_name}</span>
        <span class="muted clip grow">{task.reason ?? task.project_dir}</span>
        <span class="num muted hide-phone">{tokens(task.tokens)}</span>
        <span class="num hide-phone">{usd(task.cost_usd)}</span>
        <span class="num muted">{lasted(task, now)}</span>
      </a>
    </li>
  );
}

function useOutput(task: Task): string | null {
  const [output, setOutput] = useState<string | null>(null);
  useEffect(() => {
    let gone = false;
    const load = () => getText(pathOf('tasks', task.task_name, 'output'))
      .then((text) => { if (!gone) setOutput(text); }, (error: Error) => { if (!gone) setOutput((old) => old ?? error.message); });
    void load();
    const timer = task.final ? 0 : window.setInterval(load, 3000);
    return () => { gone = true; clearInterval(timer); };
  }, [task.task_name, task.final]);
  return output;
}

function Detail({ task, now, again }: { task: Task; now: number; again: () => void }) {
  const output = useOutput(task);
  const on = (verb: string) => async () => { await act(`${verb} · ${task.task_name}`, pathOf('tasks', task.task_name, verb), {}); again(); };
  return (
    <Panel title={task.task_name} aside={<Status status={task.status} />}>
      <dl class="fields">
        <div><dt>Runtime</dt><dd>{task.runtime}{task.model ? `, ${task.model}` : ''}</dd></div>
        <div><dt>Folder</dt><dd>{task.project_dir}</dd></div>
        <div><dt>Started</dt><dd>{clock(parse(task.started_at), now)}, {age(task.started_at, now)} ago</dd></div>
        {task.reason ? <div><dt>Reason</dt><dd>{task.reason}</dd></div> : null}
        {task.limited_until ? <div><dt>Limited</dt><dd>ends {relative(parse(task.limited_until), now)}</dd></div> : null}
        <div><dt>Retries</dt><dd>{task.retry_count}</dd></div>
        {task.denials ? <div><dt>Refused tools</dt><dd>{task.denials}</dd></div> : null}
        <div><dt>Spent</dt><dd>{tokens(task.tokens)} tokens, {usd(task.cost_usd)}</dd></div>
      </dl>
      <div class="line wrap">
        <a class="button" href={agentHref(task.session_name)}>Its agent</a>
        {mayAct() && !task.final ? <ActButton label="Cancel" icon="stop" danger onAct={on('cancel')} /> : null}
        {mayAct() && (task.status === 'limited' || task.status === 'abandoned') ? <ActButton label="Go on now" icon="resume" onAct={on('resume')} /> : null}
        {mayAct() && task.final ? <ActButton label="Forget it and its folder" icon="close" danger onAct={on('clean')} /> : null}
      </div>
      <h3>Output</h3>
      <pre class="output" tabIndex={0}>{output === null ? 'loading' : output || 'nothing yet'}</pre>
    </Panel>
  );
}

export function TasksView({ route }: { route: Route }) {
  useStore('me');
  const now = useNow(5000);
  const { tasks, again } = useTasks();
  const list = tasks ? [...tasks].sort((a, b) => Number(a.final) - Number(b.final) || parse(b.started_at) - parse(a.started_at)) : null;
  const open = list?.find((task) => task.task_name === route.name);
  return (
    <div class="page">
      <div class="line"><h1 class="grow">Tasks</h1>{mayAct() ? <a class="button primary" href="#/start?kind=task">New task</a> : null}</div>
      {list === null ? <Skeleton rows={4} high={44} /> : null}
      {list?.length === 0 ? <Empty icon="tasks" title="No tasks"><p class="muted">A task is a prompt that comes to an end by itself.</p></Empty> : null}
      {list?.length ? <ul class="tasks">{list.map((task) => <Row key={task.task_name} task={task} now={now} open={task === open} />)}</ul> : null}
      {open ? <Detail key={open.task_name} task={open} now={now} again={again} /> : null}
    </div>
  );
}
