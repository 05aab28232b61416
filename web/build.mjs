// Makes dist/ from src/ and static/. The same input gives the same bytes: dist/ is committed, and the C++ build embeds it.

import { build } from 'esbuild';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, 'dist');
const at = (...parts) => join(here, ...parts);

// xterm.js writes <style> elements and style attributes; our content policy has neither. Another version may write them
// otherwise: then this fails, instead of a terminal without colours.
const POLICY = [
  { of: /(\w+(?:\.\w+)*)\.createElement\("style"\)/g, by: 'pawlSheet($1)', times: 2 },
  { of: /(\w+)\.setAttribute\("style",/g, by: '$1.style.cssText=(', times: 1 },
];
const policy = {
  name: 'policy',
  setup(build) {
    build.onLoad({ filter: /xterm[\\/]lib[\\/]xterm\.js$/ }, ({ path }) => {
      let text = readFileSync(path, 'utf8');
      for (const { of, by, times } of POLICY) {
        const found = (text.match(of) ?? []).length;
        if (found !== times) throw new Error(`xterm.js: ${of} is there ${found} times, not ${times}: look at build.mjs`);
        text = text.replace(of, by);
      }
      const sheet = JSON.stringify(at('src', 'sheet.cjs'));
      return { contents: `const pawlSheet = require(${sheet});\n${text.replace(/\/\/# sourceMappingURL=.*/, '')}`, loader: 'js' };
    });
  },
};

const common = {
  bundle: true, minify: true, format: 'esm', target: ['es2020', 'safari15.4', 'firefox101', 'chrome90'], legalComments: 'none',
  absWorkingDir: here, charset: 'utf8', logLevel: 'warning', jsx: 'automatic', jsxImportSource: 'preact',
};

async function scripts() {
  await build({ ...common, entryPoints: ['src/main.tsx'], outfile: 'dist/app.js', external: ['./terminal.js'] });
  await build({ ...common, entryPoints: ['src/terminal.ts'], outfile: 'dist/terminal.js', plugins: [policy] });
  await build({ ...common, entryPoints: ['src/app.css'], outfile: 'dist/app.css' });
  await build({ ...common, entryPoints: ['node_modules/@xterm/xterm/css/xterm.css'], outfile: 'dist/terminal.css' });
}

function licences() {
  const parts = ['The dashboard of Pawl contains these libraries.\n'];
  for (const name of ['preact', '@xterm/xterm']) {
    const folder = at('node_modules', ...name.split('/'));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    parts.push(`${'='.repeat(78)}\n${name} ${version}\n${'='.repeat(78)}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`);
  }
  writeFileSync(join(dist, 'LICENSES.txt'), parts.join('\n'));
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
cpSync(at('static'), dist, { recursive: true });
await scripts();
licences();

const zipped = (name) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
for (const name of readdirSync(dist).sort()) console.log(`${String(zipped(name)).padStart(8)} B gzip  ${name}`);
const first = ['index.html', 'app.js', 'app.css'].reduce((sum, name) => sum + zipped(name), 0);
console.log(`${String(first).padStart(8)} B gzip  first paint`);
if (first > 100_000) throw new Error('the first paint is larger than 100 kB');
