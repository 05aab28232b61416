// Where it begins.

import { render } from 'preact';
import { App } from './app';
import { notifier, stream } from './context';
import { listenForKeys } from './keys';
import { applyTheme, watchSystemTheme } from './theme';

applyTheme();
watchSystemTheme();
listenForKeys();
render(<App />, document.getElementById('app')!);
stream.start();
notifier.start();
// Only the static shell is kept, for installing and for a quick start; without it everything works but notifications.
if ('serviceWorker' in navigator && isSecureContext) navigator.serviceWorker.register('/sw.js').catch(() => {});
