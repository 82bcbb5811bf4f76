// The worker of the language server: the same server as in editors, with the files of the page.

import { startServer } from '@tollgate/language-server';
import { workerTransport } from '@tollgate/language-server/browser';
import { createHost, type ShownFiles } from './project/host.ts';
import { VERSION } from './version.ts';

const current: { shown: ShownFiles } = { shown: { files: [], profile: '' } };

type PageMessage = MessageEvent<{ readonly method?: string; readonly params?: ShownFiles }>;

// Notifications that begin with `$/` are for whoever knows them; the server ignores them.
self.addEventListener('message', ({ data }: PageMessage) => {
  if (data.method === '$/tollgate/files' && data.params !== undefined) current.shown = data.params;
});

const setup = { version: VERSION, runsCommands: false, loadHost: async () => createHost(() => current.shown) };
// An error of the worker, which the page sees.
startServer(setup, workerTransport(self)).catch(reportError);
