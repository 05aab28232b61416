// The page behind an approval link, and the list of browsers that are signed in, in a real browser.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Fleet, barriers, launch, open, until } from './fleet.mjs';

describe('a link from a message', () => {
  const fleet = new Fleet();
  const told = fleet.folder + '/told';
  let browser;
  before(async () => {
    writeFileSync(fleet.folder + '/tell', `#!/bin/sh\ncat >>${told}\n`);
    chmodSync(fleet.folder + '/tell', 0o700);
    fleet.json('serve', '--listen', 'localhost:0');
    fleet.up(['first', 'second'].map((name) =>
      `[agent.${name}]\ncommand = ["pawl-demo-agent", "--scene", "dialog"]\nnotify = ["exec:${fleet.folder}/tell"]\n`).join(''));
    browser = await launch();
  });
  after(async () => { await browser?.close(); fleet.end(); });
  const link = (agent) => until('the link of ' + agent, () => {
    const lines = existsSync(told) ? readFileSync(told, 'utf8').trim().split('\n').filter(Boolean).map((line) => JSON.parse(line)) : [];
    return lines.find((one) => one.agent === agent)?.approve?.url;
  });

  test('shows the question and what it is about, to everybody', async () => {
    const page = await open(browser, await link('first'));
    assert.match(await page.locator('h1').innerText(), /^first asks: May I run this/);
    assert.match(await page.locator('pre').innerText(), /rm -r/);
    assert.equal(await page.locator('a, script').count(), 0, 'nothing leads to the rest of the dashboard');
    for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme });
      assert.deepEqual(await barriers(page), [], scheme);
    }
    assert.deepEqual(page.wrong, []);
  });

  test('a stranger can refuse, and nothing else', async () => {
    const page = await open(browser, await link('first'), { viewport: { width: 360, height: 640 } });
    await page.getByRole('button', { name: 'allows this once' }).click();
    assert.match(await page.getByRole('alert').innerText(), /needs a browser that is signed in as operator/);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, 'it fits a phone');
    await page.getByRole('button', { name: 'refuses it' }).click();
    await until('it is answered', async () => /^Answered with “No/.test(await page.getByRole('status').innerText().catch(() => '')));
    assert.equal(await page.getByRole('button').count(), 0);
    assert.deepEqual(await barriers(page), []);
    assert.deepEqual(page.wrong, []);
  });

  test('whoever is signed in can permit', async () => {
    const page = await open(browser, fleet.json('serve', '--url').url);
    await page.goto(await link('second'));
    await page.getByRole('button', { name: 'allows this once' }).click();
    await until('it is answered', async () => /^Answered with “Yes/.test(await page.getByRole('status').innerText().catch(() => '')));
    await until('it goes on', () => fleet.json('show', 'second').agent.state !== 'waiting');
    assert.deepEqual(page.wrong, []);
  });

  test('browsers are listed in the help, and one signs another out', async () => {
    const mine = await open(browser, fleet.json('serve', '--url').url), other = await open(browser, fleet.json('serve', '--url', '--read-only').url);
    await until('both are there', async () => (await mine.locator('a.row').count()) === 2 && (await other.locator('a.row').count()) === 2);
    await mine.keyboard.press('?');
    const list = mine.getByRole('region', { name: 'Browsers' });
    await list.getByText('this one').waitFor();
    assert.deepEqual(await barriers(mine), []);
    for (const label of ['Sign out', 'Again to confirm: Sign out'])
      await list.getByRole('listitem').filter({ hasText: 'reader' }).getByRole('button', { name: label, exact: true }).click();
    await until('it is out', async () => (await other.evaluate(async () => (await fetch('/api/v1/me')).status)) === 401);
    await until('it is off the list', async () => (await list.getByRole('listitem').filter({ hasText: 'reader' }).count()) === 0);
    assert.equal(await mine.evaluate(async () => (await fetch('/api/v1/me')).status), 200);
  });
});
