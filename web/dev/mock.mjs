// A made-up daemon for looking at the page: node dev/mock.mjs [--agents N] [--port P] [--role reader] [--still]
// Serves dist/ with the real content policy, and the routes of doc/http.md with invented agents whose states change.

import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { World } from './world.mjs';
import { attach } from './terminal.mjs';

const flag = (name, other) => { const at = process.argv.indexOf(name); return at < 0 ? other : process.argv[at + 1]; };
const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const world = new World(Number(flag('--agents', 6)), !process.argv.includes('--still'));
const role = flag('--role', 'operator');
let refuse = false; // POST /mock/refuse: every credential is refused from then on; POST /mock/drop: streams are cut

export const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "manifest-src 'self'; worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png',
  '.webmanifest': 'application/manifest+json', '.txt': 'text/plain; charset=utf-8' };
const streams = new Set();

const json = (response, body, status = 200) => {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ version: 1, ...body }));
};
const refused = (response, status, what, fix = '') => json(response, { error: { what, fix, exit_code: 1 } }, status);

function serveFile(response, path) {
  try {
    const file = path === '/' ? '/index.html' : path;
    const body = readFileSync(join(dist, file.replace(/\.\./g, '')));
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', 'Content-Security-Policy': CSP, 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' });
    response.end(body);
  } catch { refused(response, 404, 'there is no such page'); }
}

function serveEvents(request, response, url) {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  const say = (text) => response.write(text);
  const hello = () => say(`event: hello\ndata: ${JSON.stringify({ last: world.seq, now: new Date().toISOString() })}\n\n`);
  hello();
  const since = Number(url.searchParams.get('since') ?? request.headers['last-event-id'] ?? world.seq);
  const event = (one) => say(`id: ${one.seq}\ndata: ${JSON.stringify(one)}\n\n`);
  world.events.filter((one) => one.seq > since).forEach(event);
  const listener = { event, view: (agent) => say(`event: view\ndata: ${JSON.stringify(agent)}\n\n`), gone: (name) => say(`event: gone\ndata: ${JSON.stringify({ name })}\n\n`) };
  world.listeners.add(listener);
  streams.add(response);
  const timer = setInterval(hello, 20_000);
  request.on('close', () => { clearInterval(timer); world.listeners.delete(listener); streams.delete(response); });
}

function look(response, parts, url) {
  const [kind, name, what, more] = parts;
  if (kind === 'me') return json(response, { role, control: role === 'operator', pawl: '0.9', host: 'mock', now: new Date().toISOString(), healthy: true, trouble: null });
  if (kind === 'timeline') return json(response, world.timeline());
  if (kind === 'alerts') return json(response, { alerts: world.alerts() });
  if (kind === 'report') return json(response, world.report(url.searchParams.get('since') ?? '12h'));
  if (kind === 'tasks' && !name) return json(response, { tasks: world.tasks });
  if (kind === 'tasks' && what === 'output') { response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }); return response.end(world.output(name)); }
  if (kind === 'agents' && !name) return json(response, { agents: [...world.agents.values()] });
  const agent = world.agents.get(name);
  if (kind !== 'agents' || !agent) return refused(response, 404, `no agent named '${name}'`, 'pawl ls shows them all');
  if (!what) return json(response, { agent });
  if (what === 'timeline') return json(response, world.timelineOf(name, url.searchParams.get('since') ?? '8h'));
  if (what === 'screen') return json(response, world.screen(agent, url.searchParams.get('at')));
  if (what === 'why') return json(response, world.why(agent, Number(url.searchParams.get('seq'))));
  if (what === 'log') { response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }); return response.end(world.output(name)); }
  return refused(response, 404, `no route ${what} ${more ?? ''}`);
}

function change(response, parts, body) {
  const [kind, name, verb] = parts;
  if (role !== 'operator') return refused(response, 403, 'this credential can only look');
  if (kind === 'tasks') return json(response, name ? world.tasks.find((one) => one.task_name === name) ?? {} : world.startTask(body));
  if (!name) return world.agents.has(body.name) ? refused(response, 409, `there is an agent '${body.name}' already`, 'choose another name') : json(response, world.start(body));
  if (!world.agents.has(name)) return refused(response, 404, `no agent named '${name}'`);
  setTimeout(() => json(response, world.act(name, verb, body)), 300);
}

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://mock');
  if (url.pathname === '/mock/refuse') { refuse = true; }
  if (url.pathname === '/mock/refuse' || url.pathname === '/mock/drop') { for (const one of streams) one.destroy(); return json(response, {}); }
  if (!url.pathname.startsWith('/api/v1/')) return serveFile(response, url.pathname);
  if (refuse) return refused(response, 401, 'no credential', 'run: pawl serve --url');
  const parts = url.pathname.slice('/api/v1/'.length).split('/').map(decodeURIComponent);
  if (parts[0] === 'events') return serveEvents(request, response, url);
  if (request.method === 'GET') return look(response, parts, url);
  let text = '';
  request.on('data', (chunk) => { text += chunk; });
  request.on('end', () => change(response, parts, JSON.parse(text || '{}')));
});

const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'pawl.terminal' });
server.on('upgrade', (request, socket, head) => {
  const name = decodeURIComponent(request.url.split('/')[4] ?? '');
  const agent = world.agents.get(name);
  if (!agent || refuse) return socket.destroy();
  sockets.handleUpgrade(request, socket, head, (client) => attach(client, agent, role));
});
server.listen(Number(flag('--port', 8823)), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
