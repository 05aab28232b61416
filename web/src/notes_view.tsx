// What became of what was asked for, in a corner; and new alerts, said aloud.

import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { type Note, dismiss, notes } from './action';
import { store, useStore } from './context';
import { Icon } from './icon';
import { IconButton } from './parts';

const ICONS = { good: 'check', wait: 'limited', bad: 'crashed' };
const STAYS_MS = { good: 6000, wait: 12_000, bad: 20_000 };

function One({ note }: { note: Note }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(note.id), STAYS_MS[note.tone]);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={`note t-${note.tone}`}>
      <Icon name={ICONS[note.tone]} />
      <div class="grow"><b>{note.title}</b><p>{note.text}</p></div>
      <IconButton icon="close" label="Dismiss" onClick={() => dismiss(note.id)} />
    </div>
  );
}

export function Notes() {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const listener = () => again(0);
    notes.listeners.add(listener);
    return () => { notes.listeners.delete(listener); };
  }, []);
  return <div class="notes" role="status" aria-live="polite">{notes.list.slice(0, 4).map((note) => <One key={note.id} note={note} />)}</div>;
}

// For screen readers only: the newest alert, once.
export function Announcer() {
  useStore('alerts');
  const [text, setText] = useState('');
  const seen = useRef<number | null>(null);
  const newest = store.alerts[0];
  useEffect(() => {
    if (seen.current !== null && newest && newest.seq > seen.current && store.unseen)
      setText(`Alert, ${newest.severity}: ${newest.agent ?? ''} ${newest.text}`);
    seen.current = newest?.seq ?? 0;
  }, [newest?.seq]);
  return <div class="sr" role="alert" aria-live="assertive">{text}</div>;
}
