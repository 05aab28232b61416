// The keys, shown on "?".

import { useEffect, useRef } from 'preact/hooks';
import { post } from './api';
import { useKeys } from './keys';
import { ActButton, IconButton } from './parts';
import { Sessions } from './sessions';

const KEYS: [string, [string, string][]][] = [
  ['Everywhere', [['g f', 'fleet'], ['g a', 'alerts'], ['g t', 'tasks'], ['g r', 'report'], ['g n', 'start something new'], ['?', 'this help'], ['Esc', 'back']]],
  ['Fleet', [['/', 'search'], ['j  k', 'down, up'], ['Enter', 'open'], ['p', 'pause or resume']]],
  ['One agent', [['t', 'take control, give it back'], ['s', 'write to it'], ['1 … 9', 'to an answer; Enter gives it'], ['Ctrl Enter', 'send'], ['p', 'pause or resume'], ['l', 'back to live'], ['[  ]', 'the agent before, after']]],
  ['Timeline (focused)', [['← →', 'event before, after'], ['+ −', 'zoom'], ['Shift ← →', 'move'], ['0', 'everything'], ['End', 'live']]],
];

export function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({ Escape: close, '?': close });
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog class="help" ref={dialog} aria-label="Keys" onClose={close} onClick={(event) => { if (event.target === dialog.current) close(); }}>
      <div class="line"><h2 class="grow">Keys</h2><IconButton icon="close" label="Close" onClick={close} /></div>
      <div class="help-groups">
        {KEYS.map(([title, keys]) => (
          <section key={title}><h3>{title}</h3>
            <dl>{keys.map(([key, what]) => <div key={key + what}><dt>{key.split(/ {1,2}/).map((one) => <kbd key={one}>{one}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
          </section>
        ))}
      </div>
      <p class="muted small">While you have control of a terminal, all keys go to it. Give it back with the button above it.</p>
      <Sessions />
      <ActButton label="Sign this browser out" icon="release" danger onAct={() => post('logout').then(() => location.reload(), () => location.reload())} />
    </dialog>
  );
}
