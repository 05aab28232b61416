// Requests to the daemon. Everything is on our own host; the cookie goes along by itself.

import { pathOf } from './place';
import type { Receipt } from './types';

const BASE = '/api/v1/';

export class ApiError extends Error {
  constructor(readonly status: number, what: string, readonly fix: string) { super(what); }
}

// Set by the page: called when a credential is missing or was taken back.
export const onUnauthorized: { call: () => void } = { call: () => {} };

async function fault(response: Response): Promise<ApiError> {
  let what = `the daemon answered ${response.status}`, fix = '';
  try {
    const { error } = await response.json();
    if (error?.what) { what = String(error.what); fix = String(error.fix ?? ''); }
  } catch { /* not JSON: the status says enough */ }
  if (response.status === 401) onUnauthorized.call();
  return new ApiError(response.status, what, fix);
}

async function request(path: string, init: RequestInit, timeout: number): Promise<Response> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), timeout);
  let response: Response;
  try {
    response = await fetch(BASE + path, { ...init, signal: abort.signal, cache: 'no-store' });
  } catch {
    throw new ApiError(0, abort.signal.aborted ? 'no answer in time' : 'the daemon cannot be reached',
      init.method === 'POST' ? 'it is not known whether it was done: look before you try again' : '');
  } finally { clearTimeout(timer); }
  if (!response.ok) throw await fault(response);
  return response;
}

export async function get<T>(path: string): Promise<T> {
  return (await request(path, {}, 20_000)).json() as Promise<T>;
}

export async function getText(path: string): Promise<string> {
  const response = await request(path, {}, 20_000);
  if (!(response.headers.get('Content-Type') ?? '').includes('json')) return response.text();
  const body = await response.json();
  return String(body.output ?? body.screen ?? body.text ?? '');
}

// A delivery is watched until it is taken, so an answer may need a while.
export async function post<T = Receipt>(path: string, body: object = {}): Promise<T> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  return (await request(path, init, 120_000)).json() as Promise<T>;
}

export function agentPath(name: string, rest = ''): string {
  return pathOf('agents', name, rest);
}

export function socketUrl(name: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${BASE}${agentPath(name, 'terminal')}`;
}
