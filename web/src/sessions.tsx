// The browsers that are signed in: who looks at an operator's page can send one away, or all others.

import { useEffect, useState } from 'preact/hooks';
import { get, post } from './api';
import { mayAct, useNow } from './context';
import { ActButton } from './parts';
import { age } from './time';
import type { Session } from './types';

function Row({ session, now, reload }: { session: Session; now: number; reload: () => void }) {
  return (
    <li class="line">
      <span class="grow clip">{session.name} <span class="muted small">{session.role} from {session.address}</span></span>
      {session.this ? <span class="tag">this one</span> : <span class="muted num small">{age(session.seen, now)}</span>}
      {session.this ? null : <ActButton label="Sign out" danger onAct={() => post(`sessions/${encodeURIComponent(session.id)}/revoke`).then(reload, reload)} />}
    </li>
  );
}

export function Sessions() {
  const [list, setList] = useState<Session[]>([]);
  const now = useNow();
  const reload = () => { void get<{ sessions: Session[] }>('sessions').then((got) => setList(got.sessions), () => setList([])); };
  useEffect(() => { if (mayAct()) reload(); }, []);
  if (list.length === 0) return null;
  const others = list.filter((one) => !one.this).length;
  return (
    <section aria-label="Browsers">
      <h3>Browsers</h3>
      <ul class="plain">{list.map((one) => <Row key={one.id} session={one} now={now} reload={reload} />)}</ul>
      {others > 1 ? <ActButton label="Sign all others out" danger onAct={() => post('sessions/all/revoke').then(reload, reload)} /> : null}
    </section>
  );
}
