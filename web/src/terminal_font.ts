// How large a terminal's font may be. Pure.

const SMALLEST = 6, LARGEST = 15;

// The largest with which all columns fit, `one` being the width of a character at one pixel; what is still too wide is scrolled.
export function fontFor(width: number, cols: number, one: number): number {
  return Math.max(SMALLEST, Math.min(LARGEST, Math.floor((width / (cols * one)) * 10) / 10));
}
