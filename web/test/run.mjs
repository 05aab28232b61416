// Bundles the tests (they are TypeScript) and runs them with node's own runner, also on Node 18.

import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, '..', '.test');
const entries = readdirSync(here).filter((name) => name.endsWith('_test.ts')).map((name) => join(here, name));

rmSync(out, { recursive: true, force: true });
await build({ entryPoints: entries, outdir: out, bundle: true, platform: 'node', format: 'esm', target: 'node18', outExtension: { '.js': '.mjs' },
  logLevel: 'warning', jsx: 'automatic', jsxImportSource: 'preact' });
const files = readdirSync(out).map((name) => join(out, name));
const { status } = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit', env: { ...process.env, TZ: 'UTC' } });
process.exit(status ?? 1);
