// What @xterm/headless shows at 20 instants of every recording, as a golden file on stdout.
//   npm install && node xterm.mjs ../../corpus > xterm.golden
//   node xterm.mjs --cases cases > sequences.golden          base64 lines of sequences.py, each on 20x6
//   node xterm.mjs ../../corpus --show claude/idle 12345     the rows at one instant
// Lines: "R name cols rows", then "offset hash col row" per instant (see golden.h for the rules).
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
const require = createRequire(path.join(process.cwd(), 'package.json'));
const { Terminal } = require('@xterm/headless');

const INSTANTS = 20;

function recordings(root) {
  return fs.readdirSync(root, { withFileTypes: true }).filter((d) => d.isDirectory())
    .flatMap((d) => fs.readdirSync(path.join(root, d.name)).filter((f) => f.endsWith('.cast'))
      .map((f) => `${d.name}/${f.slice(0, -5)}`)).sort();
}

function load(root, name) {
  const lines = fs.readFileSync(path.join(root, name + '.cast'), 'utf8').split('\n').filter(Boolean).map((l) => JSON.parse(l));
  const chunks = lines.slice(1).filter((e) => e[1] === 'o').map((e) => Buffer.from(e[2], 'utf8'));
  return { cols: lines[0].width, rows: lines[0].height, chunks };
}

// Byte offsets after output events number ceil(n*i/20), without doubles.
function instants(chunks) {
  const wanted = new Set();
  for (let i = 1; i <= INSTANTS; i++) wanted.add(Math.ceil((chunks.length * i) / INSTANTS));
  const out = []; let offset = 0;
  chunks.forEach((c, i) => { offset += c.length; if (wanted.has(i + 1)) out.push(offset); });
  return [...new Set(out)];
}

function fnv(text) {
  let h = 0xcbf29ce484222325n;
  for (const b of Buffer.from(text, 'utf8')) h = ((h ^ BigInt(b)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return h.toString(16).padStart(16, '0');
}

const write = (term, bytes) => new Promise((done) => term.write(bytes, done));

function look(term) {
  const b = term.buffer.active; const rows = [];
  for (let r = 0; r < term.rows; r++) {
    const line = b.getLine(b.baseY + r);
    rows.push((line ? line.translateToString(true) : '').replace(/ +$/, ''));
  }
  return { text: rows.join('\n'), col: Math.min(b.cursorX, term.cols - 1), row: b.cursorY };
}

async function replay(root, name, at, visit) {
  const { cols, rows, chunks } = load(root, name);
  const bytes = Buffer.concat(chunks);
  const term = new Terminal({ cols, rows, allowProposedApi: true, scrollback: 500, logLevel: 'off' });
  let done = 0;
  for (const offset of at ?? instants(chunks)) {
    await write(term, new Uint8Array(bytes.subarray(done, offset)));
    done = offset;
    visit(offset, look(term));
  }
  term.dispose();
  return { cols, rows };
}

async function cases(file) {
  for (const line of fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const term = new Terminal({ cols: 20, rows: 6, allowProposedApi: true, scrollback: 50, logLevel: 'off' });
    await write(term, new Uint8Array(Buffer.from(line, 'base64')));
    const s = look(term);
    process.stdout.write(`C ${line} ${fnv(s.text)} ${s.col} ${s.row}\n`);
    term.dispose();
  }
}

const [root, flag, name, offset] = process.argv.slice(2);
if (root === '--cases') {
  await cases(flag);
} else if (flag === '--show') {
  await replay(root, name, [Number(offset)], (_, s) => console.log(`${s.text}\ncursor ${s.col} ${s.row}`));
} else {
  for (const n of recordings(root)) {
    const lines = [];
    const { cols, rows } = await replay(root, n, null, (o, s) => lines.push(`${o} ${fnv(s.text)} ${s.col} ${s.row}`));
    process.stdout.write(`R ${n} ${cols} ${rows}\n${lines.join('\n')}\n`);
  }
}
