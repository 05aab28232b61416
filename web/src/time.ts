// Times as people read them. Pure: the present is an argument.

const MINUTE = 60, HOUR = 3600, DAY = 86400;

// Milliseconds since the epoch; NaN becomes 0, so that a strange time never breaks a page.
export function parse(text: string | null | undefined): number {
  const ms = text ? Date.parse(text) : NaN;
  return Number.isFinite(ms) ? ms : 0;
}

// "8 s", "12 m", "3 h 05 m", "2 d 4 h": two units at most, the second only where it matters.
export function span(seconds: number): string {
  const s = Math.max(0, Math.floor(seconds));
  if (s < MINUTE) return `${s} s`;
  if (s < HOUR) return `${Math.floor(s / MINUTE)} m`;
  if (s < DAY) {
    const minutes = Math.floor((s % HOUR) / MINUTE);
    return minutes ? `${Math.floor(s / HOUR)} h ${String(minutes).padStart(2, '0')} m` : `${Math.floor(s / HOUR)} h`;
  }
  const hours = Math.floor((s % DAY) / HOUR);
  return hours ? `${Math.floor(s / DAY)} d ${hours} h` : `${Math.floor(s / DAY)} d`;
}

// How long something has lasted at `now` (ms); "" when it is not known.
export function age(since: string | null | undefined, now: number): string {
  const at = parse(since);
  return at ? span((now - at) / 1000) : '';
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}

// "03:12:07" on this machine's clock, with the day in front when it is another one than today.
export function clock(ms: number, now: number, seconds = true): string {
  const at = new Date(ms), today = new Date(now);
  const time = `${two(at.getHours())}:${two(at.getMinutes())}${seconds ? ':' + two(at.getSeconds()) : ''}`;
  if (at.toDateString() === today.toDateString()) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}

// "in 2 h 10 m", "4 h ago", "now".
export function relative(ms: number, now: number): string {
  const s = (ms - now) / 1000;
  if (Math.abs(s) < 1) return 'now';
  return s > 0 ? `in ${span(s)}` : `${span(-s)} ago`;
}

// Steps for the marks of a time axis, in seconds.
const STEPS = [1, 5, 15, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY];

// Round local times within [from, to] (ms), at most `most` of them.
export function ticks(from: number, to: number, most: number): number[] {
  const length = (to - from) / 1000;
  const step = (STEPS.find((s) => length / s <= most) ?? STEPS[STEPS.length - 1]!) * 1000;
  const zone = new Date(from).getTimezoneOffset() * 60000;
  const out: number[] = [];
  for (let t = Math.ceil((from - zone) / step) * step + zone; t <= to && out.length < 100; t += step) out.push(t);
  return out;
}
