// Keeps the static shell, so that the page opens at once and can be installed; leads from a notification to its agent. The network comes first: after an update nobody sees
// an old page. Nothing of /api, /login or another address is ever touched, and no answer of theirs is kept.
const CACHE = 'pawl-shell-1';
const SHELL = ['/', '/app.js', '/app.css', '/terminal.js', '/terminal.css', '/icon.svg', '/manifest.webmanifest'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const clean = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(clean.then(() => self.clients.claim()));
});

async function fromNetwork(request, path) {
  try {
    const response = await fetch(request);
    if (response.ok && response.type === 'basic' && !response.redirected) (await caches.open(CACHE)).put(path, response.clone());
    return response;
  } catch (error) {
    const kept = await caches.match(path);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== self.location.origin || !SHELL.includes(url.pathname)) return;
  event.respondWith(fromNetwork(event.request, url.pathname));
});

// To the page that is open, or to a new one. A page shows these itself (src/notify.ts).
async function lead(hash) {
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!page) return self.clients.openWindow('/' + hash);
  await page.focus().catch(() => {}); // a browser may not let us; the page is led there all the same
  page.postMessage({ go: hash });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const hash = event.notification.data?.hash;
  event.waitUntil(lead(typeof hash === 'string' && hash.startsWith('#/') ? hash : '#/'));
});
