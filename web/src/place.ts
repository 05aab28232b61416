// Agents and tasks of other machines are named as on the command line: "gpu/docs". Their paths are below that machine's.

interface Row { machine?: string | null }

export function placed(row: Row, name: string): string;
export function placed(row: Row, name: string | null): string | null;
export function placed(row: Row, name: string | null): string | null {
  return row.machine && name !== null ? `${row.machine}/${name}` : name;
}

// "agents/docs/stop" or "machines/gpu/agents/docs/stop".
export function pathOf(kind: 'agents' | 'tasks', name: string, rest = ''): string {
  const slash = name.indexOf('/');
  const machine = slash < 0 ? '' : `machines/${encodeURIComponent(name.slice(0, slash))}/`;
  return `${machine}${kind}/${encodeURIComponent(name.slice(slash + 1))}${rest ? '/' + rest : ''}`;
}
