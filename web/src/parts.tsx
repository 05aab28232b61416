// Small pieces that several views use.

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon';
import type { Agent } from './types';

export function IconButton(props: { icon: string; label: string; onClick: () => void; pressed?: boolean; disabled?: boolean }) {
  return (
    <button type="button" class="icon-button" aria-label={props.label} title={props.label}
      aria-pressed={props.pressed} disabled={props.disabled} onClick={props.onClick}>
      <Icon name={props.icon} />
    </button>
  );
}

interface ActProps {
  label: string;
  icon?: string;
  class?: string;
  title?: string;
  disabled?: boolean;
  danger?: boolean; // needs a second tap within four seconds
  children?: ComponentChildren;
  onAct: () => unknown;
}

// Does something, once at a time: it is disabled until the answer is there.
export function ActButton({ label, icon, danger, onAct, title, disabled, children, ...rest }: ActProps) {
  const [armed, setArmed] = useState(false);
  const [running, setRunning] = useState(false);
  const alive = useRef(true);
  useEffect(() => () => { alive.current = false; }, []);
  useEffect(() => {
    if (!armed) return;
    const timer = setTimeout(() => setArmed(false), 4000);
    return () => clearTimeout(timer);
  }, [armed]);
  const press = async () => {
    if (danger && !armed) return setArmed(true);
    setArmed(false);
    setRunning(true);
    try { await onAct(); } finally { if (alive.current) setRunning(false); }
  };
  const classes = ['button', rest.class ?? '', danger ? 'danger' : '', armed ? 'armed' : ''].join(' ');
  return (
    <button type="button" class={classes} title={title} disabled={disabled || running} aria-busy={running} onClick={press}>
      {icon ? <Icon name={icon} size={14} /> : null}
      <span>{armed ? `Again to confirm: ${label}` : label}</span>
      {armed ? null : children}
    </button>
  );
}

export function Panel(props: { title: string; aside?: ComponentChildren; class?: string; children: ComponentChildren }) {
  return (
    <section class={`panel ${props.class ?? ''}`} aria-label={props.title}>
      <header><h2>{props.title}</h2>{props.aside}</header>
      <div class="body">{props.children}</div>
    </section>
  );
}

export function Empty({ icon, title, children }: { icon: string; title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} size={28} />
      <p class="title">{title}</p>
      {children}
    </div>
  );
}

// Reserves the room that a list will have.
export function Skeleton({ rows, high }: { rows: number; high: number }) {
  return (
    <div aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => <div key={i} class="skeleton" style={{ height: `${high}px` }} />)}
    </div>
  );
}

export function Select(props: { label: string; value: string; options: [string, string][]; onChange: (value: string) => void; hideLabel?: boolean }) {
  return (
    <label class={props.hideLabel ? 'select bare' : 'select'}>
      <span class={props.hideLabel ? 'sr' : ''}>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
    </label>
  );
}

// What the keyboard reaches when that is not the plain prompt, and what runs behind it.
export function Keyboard({ agent }: { agent: Agent }) {
  const elsewhere = agent.input && agent.input !== 'prompt' && agent.input !== 'none';
  return (
    <>
      {elsewhere ? <span class="tag" title="what the keyboard reaches">{agent.input}</span> : null}
      {agent.background ? <span class="tag" title="run behind its prompt">{agent.background} {agent.background === 1 ? 'job' : 'jobs'}</span> : null}
    </>
  );
}
