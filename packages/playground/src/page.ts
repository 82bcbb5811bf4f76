// The page of the playground: an editor over the language server, and tabs that run policies in a worker.

import { type PageSetup, startPage } from './page/start-page.ts';

const { server, runner, gallery } = document.body.dataset;
startPage({ server, runner, gallery } as PageSetup).catch((error: unknown) => {
  const message = document.getElementById('notice');
  if (message)
    message.textContent = `The playground could not start: ${error instanceof Error ? error.message : error}`;
  throw error;
});
