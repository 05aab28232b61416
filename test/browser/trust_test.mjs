// The page over TLS in a real browser that has the CA of `pawl serve --ca`: trusted, installable, with its service worker and
// notifications of the browser. And in one that has not: refused.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { Fleet, barriers, installCa, launchAt, row, until } from './fleet.mjs';

describe('a browser with the CA of this machine', () => {
  const fleet = new Fleet();
  const wrong = [];
  let context, page, link, worker;
  before(async () => {
    start('quiet', 'idle');
    link = fleet.json('serve', '--listen', 'localhost:0').url;
    installCa(fleet.folder + '/somebody', fleet.pawl('serve', '--ca'));
    context = await launchAt(fleet.folder + '/somebody');
    await context.grantPermissions(['notifications'], { origin: new URL(link).origin });
    page = await context.newPage();
    page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) wrong.push(message.text()); });
    page.on('pageerror', (error) => wrong.push(error.message));
    page.on('requestfailed', (request) => wrong.push(`${request.url()}: ${request.failure()?.errorText}`));
  });
  after(async () => { await context?.close(); fleet.end(); });
  const start = (name, scene) => fleet.pawl('run', '-d', name, '--', 'pawl-demo-agent', '--scene', scene);
  const shown = () => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map((one) => [one.title, one.body, one.data.hash]));

  test('it opens without a warning', async () => {
    const response = await page.goto(link);
    assert.equal(response.status(), 200);
    assert.match((await response.securityDetails()).issuer, /^Pawl on /);
    await until('its row', async () => (await page.locator('a.row').count()) === 1);
    assert.equal(await page.evaluate('isSecureContext'), true);
  });

  test('the service worker runs', async () => {
    await until('it is activated', () => page.evaluate(async () => (await navigator.serviceWorker.ready).active.state === 'activated'));
    await until('it has the page', () => page.evaluate(() => navigator.serviceWorker.controller !== null));
    worker = context.serviceWorkers().find((one) => one.url().endsWith('/sw.js'));
    assert.ok(worker, 'the browser names it');
    assert.deepEqual(await page.evaluate(async () => (await caches.keys())), ['pawl-shell-1']);
  });

  test('it can be installed as an app', async () => {
    const cdp = await context.newCDPSession(page);
    assert.deepEqual((await cdp.send('Page.getAppManifest')).errors, []);
    const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
    assert.deepEqual(installabilityErrors, []);
  });

  test('an agent that begins to wait is a notification, once somebody wants that', async () => {
    start('other', 'dialog');
    await until('other waits', async () => (await row(page, 'other').innerText().catch(() => '')).includes('waiting'));
    assert.deepEqual(await shown(), [], 'nobody asked for any');
    await page.getByRole('button', { name: 'Notify me when an agent needs me' }).first().click();
    await page.getByRole('button', { name: 'Notifications are on' }).first().waitFor();
    start('asker', 'dialog');
    const [note] = await until('the notification', async () => { const all = await shown(); return all.length ? all : null; });
    assert.deepEqual([note[0], note[2]], ['asker needs you', '#/agents/asker']);
    assert.match(note[1], /May I run this/);
    assert.equal((await shown()).length, 1);
  });

  test('it leads to its agent, and goes when the agent goes on', async () => {
    await worker.evaluate(async () => {
      const [note] = await self.registration.getNotifications();
      self.dispatchEvent(Object.assign(new Event('notificationclick'), { notification: { close() {}, data: note.data }, waitUntil() {} }));
    });
    await until('its page', () => page.url().endsWith('#/agents/asker'));
    fleet.pawl('answer', 'asker', '1');
    await until('it is over', async () => (await shown()).every(([title]) => title !== 'asker needs you'));
  });

  test('another certificate of the same CA changes nothing for the person', async () => {
    assert.deepEqual(wrong, []);
    const file = fleet.folder + '/home/tls/certificate.pem', old = readFileSync(file, 'utf8');
    fleet.pawl('daemon', '--stop', '--keep-tasks');
    writeFileSync(fleet.folder + '/home/tls/key.pem', 'torn');
    fleet.pawl('ls');
    assert.notEqual(readFileSync(file, 'utf8'), old);
    await until('it is back', async () => (await page.getByText('Connection lost').count()) === 0, 60);
    wrong.length = 0;  // while there was no daemon, requests failed
    await page.reload();
    await until('its rows', async () => (await page.locator('main').innerText()).includes('asker'));
  });

  test('nobody is kept out: axe has nothing to say', async () => {
    for (const scheme of ['dark', 'light']) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const view of ['', 'agents/asker', 'alerts', 'tasks', 'report', 'start']) {
        await page.goto(new URL(link).origin + '/#/' + view);
        await page.locator('main').waitFor();
        await until('it is drawn', () => page.evaluate(() => document.querySelector('main').innerText.length > 20));
        assert.deepEqual(await barriers(page), [], `${scheme}: ${view}`);
      }
    }
  });

  test('no error is on the console', () => assert.deepEqual(wrong, []));
});

describe('a browser without it', () => {
  const fleet = new Fleet();
  let context;
  after(async () => { await context?.close(); fleet.end(); });

  test('is warned', async () => {
    const link = fleet.json('serve', '--listen', 'localhost:0').url;
    context = await launchAt(fleet.folder + '/stranger');
    const page = await context.newPage();
    await assert.rejects(page.goto(link), /ERR_CERT_AUTHORITY_INVALID/);
  });
});
