// What the API says (doc/http.md), as far as the page reads it. Every text in here may come from an agent: it is shown as text only.

export type State =
  | 'starting' | 'ready' | 'typing' | 'busy' | 'waiting' | 'limited'
  | 'stuck' | 'shell' | 'exited' | 'crashed' | 'unknown';

export type Cost = 'free' | 'allow' | 'deny' | 'permission' | 'money' | 'destroys' | 'question';

export interface DialogRow { text: string; cost: Cost; key?: string }
export interface Dialog { id: string; kind: string; question: string; subject: string; known: boolean; rows: DialogRow[] }
export interface Notice { kind: string; text: string; until: string | null }
export interface Spent {
  day: string;
  tokens: number | null;
  cost_usd: number | null;
  budget_tokens: number | null;
  budget_usd: number | null;
  used_up: boolean;
}

export interface Agent {
  name: string;             // in the page "gpu/docs" when it is another machine's
  machine?: string | null;  // null: this one
  runtime: string;
  backend: string;
  dir: string;
  mode: string;
  strategy: string;
  state: State;
  kind: string | null;
  since: string;
  tier: string | null;
  because: string;
  confidence: number;
  pid: number | null;
  session_id: string | null;
  restarts: number;
  nudges: number;
  limited_until: string | null;
  human_last_seen: string | null;
  paused: boolean;
  parked: boolean;
  parked_because: string | null;
  tokens: number | null;
  cost_usd: number | null;
  spent?: Spent;
  notices: Notice[];
  dialog: Dialog | null;
  input: string;       // what the keyboard reaches
  background: number;  // shells and the like behind a free prompt
  pane: { server: string | null; target: string } | null;
  command: string[];
  exit_code: number | null;
  signal: number | null;
  outbox: { item: number; action: string; bytes: number; from: string | null }[];
  inbox: { waiting: number; given: string | null };
  permission: string;
  repairs: string[];
  last_line?: string | null;
}

// Another machine, and whether it is reached.
export interface Machine { name: string; online: boolean; since: string; because: string | null }

// A browser that is signed in.
export interface Session { id: string; name: string; role: string; address: string; made: string; seen: string; this: boolean }

// One line of the journal. Which other fields there are depends on `type`.
export interface Event {
  seq: number;
  at: string;
  agent: string | null;
  type: string;
  [field: string]: unknown;
}

export interface Alert {
  machine?: string | null;
  seq: number;
  at: string;
  agent: string | null;
  severity: string;
  text: string;
  matter?: string | null;
  todo?: string | null;
  screen?: string | null;
}

export interface Me {
  role: 'operator' | 'reader';
  control: boolean;
  pawl: string;
  host: string;
  now: string;
  healthy: boolean;
  trouble: string | null;
}

// Changes of state of one agent, oldest first; null: it was not there yet.
export type Change = [at: string, state: State | null];

export interface Task {
  machine?: string | null;
  task_name: string;
  runtime: string;
  model: string | null;
  project_dir: string;
  session_name: string;
  started_at: string;
  status: string;
  reason: string | null;
  retry_count: number;
  pane_state: string | null;
  finished_at: string | null;
  abandoned_at: string | null;
  limited_until: string | null;
  denials: number;
  tokens: number | null;
  cost_usd: number | null;
  interactive: boolean;
  final: boolean;
  read: boolean;
}

export interface Screen {
  screen: string;
  cols: number;
  rows: number;
  cursor: { row: number; col: number; visible: boolean };
  title: string;
  at?: string;
}

export interface Opinion { channel: string; tier: string; says: string; means: State | null; age_s: number | null }

export interface Why {
  event?: Event;
  state?: State;
  kind?: string | null;
  since?: string;
  tier?: string | null;
  because?: string;
  confidence?: number;
  rule?: string;
  rule_is?: string;
  changes_when?: string;
  evidence?: Opinion[];
  policy?: { rule: string | null; action: string | null; because: string; until: string | null };
  terminal?: string | null;
  drift?: string[];
}

export type Seconds = Record<string, number>;

export interface Totals {
  time: Seconds;
  lost: Seconds;
  turns: number;
  work_done: number;
  restarts: number;
  nudges: number;
  tokens: number | null;
  cost_usd: number | null;
}
export interface ReportAgent extends Totals {
  machine?: string | null;
  name: string;
  runtime: string;
  state: State | null; // null: it was removed
  kind: string | null;
  because: string;
}
export interface Intervention {
  machine?: string | null;
  seq: number;
  at: string;
  agent: string;
  action: string;
  because: string;
  rule: string | null;
  result: string | null;
  witness: string | null;
  took_ms: number | null;
  dry_run?: boolean;
}
export interface Report {
  since: string;
  until: string;
  agents: ReportAgent[];
  totals: Totals & { interventions: { confirmed: number; failed: number; unverified: number } };
  interventions: Intervention[];
  questions: { machine?: string | null; agent: string; since: string; kind: string | null; text: string; rows: (DialogRow | string)[] }[];
  alerts: Alert[];
}

// What became of something that was asked for.
export interface Receipt {
  verdict?: string;
  witness?: string;
  took_ms?: number;
  position?: number;
  until?: string | null;
  person?: boolean;
  keepable?: boolean;
  results?: { name: string; ok: boolean; state: State | null; error: string | null }[];
  state?: State;
  status?: string; // of a task
  name?: string;
  id?: string;
}
