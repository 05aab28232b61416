// How large a terminal's font may be. Pure.

const SMALLEST = 6, LARGEST = 15;

// The largest with which all columns fit, `one` being the width of a character at one pixel; what is still too wide is scrolled.
export function fontFor(width: number, cols: number, one: number): number {
  return Math.max(SMALLEST, Math.min(LARGEST, Math.floor((width / (cols * one)) * 10) / 10));
}

// About as high as a terminal will be: room is kept for it before it is there.
export function heightFor(width: number, cols: number, rows: number): number {
  return rows * Math.ceil(fontFor(width, cols, 0.602) * 1.165) + 16;
}
