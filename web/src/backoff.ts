// How long to wait before the next try. Pure: chance is an argument.

const FIRST_MS = 500, MOST_MS = 20_000;

// Doubles up to 20 s; between half of it and all of it, so that many pages do not come back at once.
export function delay(attempt: number, chance: number): number {
  const full = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return Math.round(full / 2 + (full / 2) * chance);
}

export const SILENCE_MS = 45_000; // the server says hello every 20 s
