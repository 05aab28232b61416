// What the browser tests share: a fleet with a PAWL_HOME of its own, a real Chromium, and nothing left behind.
// PATH has to begin with the build's bin; PAWL_BROWSER is the folder that tools/browser made.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '../..');
const installed = createRequire(path.resolve(process.env.PAWL_BROWSER ?? path.join(ROOT, 'build/browser')) + '/package.json');
const { chromium } = installed('playwright-core');

export class Fleet {
  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), 'pawl-browser-'));
    this.env = { ...process.env, PAWL_HOME: this.folder + '/home', PAWL_CONFIG: this.folder + '/none.toml', PAWL_LISTEN: 'localhost:0' };
  }
  pawl(...words) {
    return execFileSync('pawl', words, { env: this.env, encoding: 'utf8', cwd: this.folder, stdio: ['ignore', 'pipe', 'inherit'] });
  }
  json(...words) {
    return JSON.parse(this.pawl(...words, '--json'));
  }
  events() {
    return this.pawl('events', '--json').trim().split('\n').map((line) => JSON.parse(line));
  }
  up(toml) {
    writeFileSync(this.folder + '/pawl.toml', toml);
    this.pawl('up', '--trust', this.folder + '/pawl.toml');
  }
  // The demo, as `make run` starts it; the link it prints.
  demo() {
    const bin = path.dirname(execFileSync('which', ['pawl'], { encoding: 'utf8' }).trim());
    const said = execFileSync(ROOT + '/demo/run', [], { env: { ...this.env, PAWL_BIN: bin }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return /https?:\S+\/login\/\S+/.exec(said)[0];
  }
  serve(...more) {
    return this.json('serve', '--listen', 'localhost:0', '--no-tls', ...more).url;
  }
  link(...more) {
    return this.pawl('serve', '--url', ...more).trim();
  }
  end() {
    for (const words of [['stop', '--all'], ['daemon', '--stop']]) spawnSync('pawl', words, { env: this.env, stdio: 'ignore' });
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const program = { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] };
export const launch = () => chromium.launch(program);

// A Chromium of somebody whose home this is, with the CAs that are installed there; nothing wrong with a certificate is overlooked.
export const launchAt = (home) => chromium.launchPersistentContext(home + '/profile', { ...program, env: { ...process.env, HOME: home }, viewport: { width: 1280, height: 800 } });

// As `pawl serve --ca` tells people to.
export function installCa(home, ca) {
  const database = home + '/.pki/nssdb';
  mkdirSync(database, { recursive: true });
  writeFileSync(home + '/pawl-ca.crt', ca);
  execFileSync('certutil', ['-d', 'sql:' + database, '-N', '--empty-password']);
  execFileSync('certutil', ['-d', 'sql:' + database, '-A', '-t', 'C,,', '-n', 'Pawl', '-i', home + '/pawl-ca.crt']);
}

// What axe-core finds wrong with the page as it is now; what programs print in terminals has colours of its own.
export async function barriers(page) {
  await page.evaluate(readFileSync(installed.resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate('axe.run({ exclude: [".xterm-rows"] }, { resultTypes: ["violations"] })');
  return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
}

// A page that tells what it should not do: requests elsewhere, errors, what the content policy stopped.
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ignoreHTTPSErrors: true, ...options });
  const page = await context.newPage();
  const origin = new URL(url).origin;
  page.wrong = [];
  page.on('request', (request) => { if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) page.wrong.push('elsewhere: ' + request.url()); });
  page.on('pageerror', (error) => page.wrong.push('error: ' + error.message));
  page.on('console', (message) => { if (/Content Security|Refused to/i.test(message.text())) page.wrong.push(message.text()); });
  page.on('dialog', (dialog) => { page.wrong.push('dialog: ' + dialog.message()); void dialog.dismiss(); });
  await page.goto(url);
  return page;
}

// Looks until it is so.
export async function until(what, condition, seconds = 30) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

export const screenText = (page) => page.locator('.xterm-rows').first().innerText().then((text) => text.replace(/\u00a0/g, ' '));
export const row = (page, name) => page.locator(`[id="row-${name}"]`);
