// What the address says after '#': the view, and what was chosen in it. Back, forward and reload keep working because of it.

export interface Route {
  view: 'fleet' | 'agent' | 'alerts' | 'tasks' | 'start' | 'report';
  name: string; // of an agent or a task
  query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [head = '', ...rest] = path.split('/');
  const params = new URLSearchParams(query);
  const name = decoded(rest.join('/'));
  if (head === 'agents' && name) return { view: 'agent', name, query: params };
  if (head === 'alerts' || head === 'tasks' || head === 'start' || head === 'report')
    return { view: head, name, query: params };
  return { view: 'fleet', name: '', query: params };
}

function decoded(text: string): string {
  try { return decodeURIComponent(text); } catch { return text; }
}

export function agentHref(name: string, at?: string): string {
  return `#/agents/${encodeURIComponent(name)}${at ? '?at=' + encodeURIComponent(at) : ''}`;
}

// The same view with other choices; an empty value is left out.
export function withQuery(route: Route, change: Record<string, string>): string {
  const params = new URLSearchParams(route.query);
  for (const [key, value] of Object.entries(change)) value ? params.set(key, value) : params.delete(key);
  const head = route.view === 'fleet' ? '' : route.view === 'agent' ? 'agents/' : route.view;
  const name = route.name ? (route.view === 'agent' ? '' : '/') + encodeURIComponent(route.name) : '';
  const text = params.toString();
  return `#/${head}${name}${text ? '?' + text : ''}`;
}

export function go(href: string): void { location.hash = href; }

// Without a step in the history: for searching and zooming.
export function replace(href: string): void {
  history.replaceState(null, '', href);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
