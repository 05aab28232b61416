// The frame around the views: navigation, banners, keys that work everywhere.

import { Component, type ComponentChildren } from 'preact';
import { useEffect, useReducer, useState } from 'preact/hooks';
import { AgentView } from './agent_view';
import { AlertsView } from './alerts_view';
import { fleetCounts, mayAct, notifier, store, stream, useRoute, useStore } from './context';
import { FleetView } from './fleet_view';
import { Help } from './help';
import { Icon } from './icon';
import { useKeys } from './keys';
import { Announcer, Notes } from './notes_view';
import { Notifier } from './notify';
import { Empty, IconButton } from './parts';
import { ReportView } from './report_view';
import { type Route, go } from './route';
import { StartView } from './start_view';
import { TasksView } from './tasks_view';
import { nextTheme, onTheme, theme } from './theme';

const VIEWS: [Route['view'], string, string, string][] = [
  ['fleet', '#/', 'Fleet', 'g f'], ['alerts', '#/alerts', 'Alerts', 'g a'], ['tasks', '#/tasks', 'Tasks', 'g t'],
  ['report', '#/report', 'Report', 'g r'], ['start', '#/start', 'Start', 'g n'],
];

const NOTIFYING = {
  on: 'Notifications are on', off: 'Notify me when an agent needs me', blocked: 'Notifications are blocked in the settings of the browser',
};

function Tools({ help }: { help: () => void }) {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => onTheme(() => again(0)), []);
  useEffect(() => notifier.onChange(() => again(0)), []);
  const notifying = notifier.state();
  return (
    <>
      {Notifier.possible() ? <IconButton icon="notify" label={NOTIFYING[notifying]} pressed={notifying === 'on'} disabled={notifying === 'blocked'} onClick={() => void notifier.toggle()} /> : null}
      <IconButton icon="theme" label={`Colours: ${theme()}`} onClick={nextTheme} />
      <IconButton icon="help" label="Keys (?)" onClick={help} />
    </>
  );
}

// A view that cannot show something odd must not take the others with it.
class Guard extends Component<{ children: ComponentChildren }, { error: string }> {
  state = { error: '' };
  componentDidCatch(error: Error): void { this.setState({ error: error.message || 'unknown' }); }
  render() {
    if (!this.state.error) return this.props.children;
    return <Empty icon="crashed" title="This view broke"><p>{this.state.error}</p>
      <button type="button" class="button" onClick={() => this.setState({ error: '' })}>Try again</button></Empty>;
  }
}

function Nav({ route, help }: { route: Route; help: () => void }) {
  useStore('alerts', 'fleet', 'me');
  const person = fleetCounts().person;
  useEffect(() => { document.title = `${person ? `(${person}) ` : ''}${route.name || 'Pawl'}`; }, [person, route.name]);
  const current = route.view === 'agent' ? 'fleet' : route.view;
  return (
    <nav class="nav" aria-label="Views">
      <a class="brand" href="#/" aria-label="Pawl, fleet"><img src="/icon.svg" width="22" height="22" alt="" /><span>Pawl</span></a>
      {VIEWS.filter(([view]) => view !== 'start' || !store.me || mayAct()).map(([view, href, label, keys]) => (
        <a key={view} class={view === 'start' && !store.me ? 'nav-item later' : 'nav-item'} href={href} aria-current={current === view ? 'page' : undefined} title={`${label} (${keys})`}>
          <Icon name={view} size={18} /><span>{label}</span>
          {view === 'alerts' && (store.unseen || person) ? <b class={store.unseen ? 'count new' : 'count'}>{store.unseen || person}<span class="sr">{store.unseen ? ' new' : ' need a person'}</span></b> : null}
        </a>
      ))}
      <span class="grow" />
      <div class="nav-foot">
        {store.me && !mayAct() ? <span class="role"><span class="tag">only looking</span></span> : null}
        <span class="where muted small clip" title={store.me ? `Pawl ${store.me.pawl}` : ''}>{store.me?.host ?? ''}</span>
        <Tools help={help} />
      </div>
    </nav>
  );
}

function Banner() {
  useStore('link', 'me');
  const trouble = store.me && !store.me.healthy ? store.me.trouble ?? 'the daemon is in trouble' : null;
  if (store.link === 'lost') return (
    <div class="banner bad" role="alert"><Icon name="stuck" size={14} /><span class="grow">Connection lost, trying again. What you see may be old.</span>
      <button type="button" class="button" onClick={() => stream.hurry()}>Try now</button></div>
  );
  if (trouble) return <div class="banner bad" role="alert"><Icon name="stuck" size={14} /><span>{trouble}</span></div>;
  return null;
}

function Unauthorized() {
  return (
    <main class="login">
      <img src="/icon.svg" width="48" height="48" alt="" />
      <h1>This page needs a link</h1>
      <p>On the machine where Pawl runs:</p>
      <pre>pawl serve --url</pre>
      <p>Open the link that it prints. It works once, within ten minutes, and signs this browser in.</p>
      <p class="muted small">For somebody who only looks: <code>pawl serve --url --read-only</code></p>
      <button type="button" class="button" onClick={() => location.reload()}>I have done that</button>
    </main>
  );
}

function View({ route }: { route: Route }) {
  switch (route.view) {
    case 'agent': return <AgentView route={route} />;
    case 'alerts': return <AlertsView />;
    case 'tasks': return <TasksView route={route} />;
    case 'start': return <StartView route={route} />;
    case 'report': return <ReportView route={route} />;
    default: return <FleetView route={route} />;
  }
}

export function App() {
  useStore('link', 'me');
  const route = useRoute();
  const [help, setHelp] = useState(false);
  useKeys({
    'g f': () => go('#/'), 'g a': () => go('#/alerts'), 'g t': () => go('#/tasks'), 'g r': () => go('#/report'),
    'g n': () => { if (mayAct()) go('#/start'); }, '?': () => setHelp(true), Escape: () => { if (route.view !== 'fleet') go('#/'); },
  });
  useEffect(() => { document.getElementById('main')?.scrollTo(0, 0); }, [route.view, route.name]);
  if (store.link === 'unauthorized') return <Unauthorized />;
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>Skip to the content</a>
      <Nav route={route} help={() => setHelp(true)} />
      <Banner />
      <main id="main" tabIndex={-1}>
        <div class="phone-tools">{store.me && !mayAct() ? <span class="tag">only looking</span> : null}<Tools help={() => setHelp(true)} /></div>
        <Guard key={route.view + route.name}><View route={route} /></Guard>
      </main>
      <Notes />
      <Announcer />
      {help ? <Help close={() => setHelp(false)} /> : null}
    </div>
  );
}
