// Amounts as people read them; unknown is "–", never 0.

export function tokens(n: number | null | undefined): string {
  if (n == null) return '–';
  if (n < 1000) return String(n);
  if (n < 99950) return `${(n / 1000).toFixed(1)} k`;
  if (n < 999500) return `${Math.round(n / 1000)} k`;
  return n < 99.95e6 ? `${(n / 1e6).toFixed(1)} M` : `${Math.round(n / 1e6)} M`;
}

export function usd(n: number | null | undefined): string {
  if (n == null) return '–';
  return n >= 1000 ? `$${Math.round(n)}` : `$${n.toFixed(2)}`;
}

export function count(n: number, one: string, many = one + 's'): string {
  return `${n} ${n === 1 ? one : many}`;
}

export function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((part / whole) * 100)} %` : '–';
}
