import { EXAMPLES } from '@tollgate/edge-api';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { startForTest } from '../edge-api/start.ts';
import { goClients } from './clients/go-client.ts';
import { pythonClients } from './clients/python-clients.ts';
import { runClient, type Steps } from './clients/run-client.ts';

/**
 * The published clients of a compatible service for Python and Go, run unmodified with nothing but their base URL changed. The one for
 * JavaScript has a suite of its own, `public-client.test.ts`.
 */
const python = pythonClients();
/** Versions differ little: the oldest and the newest show most. */
const chosen = inject('isDeep') ? python : python.filter((_, index) => index === 0 || index === python.length - 1);
const go = goClients();
const programs = [...chosen, ...go];
const results = new Map<string, Steps>();

const ca = String(EXAMPLES.CertificateAuthority?.ca_pem);

describe.skipIf(programs.length === 0)('published clients', () => {
  it.each(programs)('$name does everything that it can with each resource', async program => {
    const server = await startForTest({
      versionHeaders: 'Ngrok-Version',
      operationIdHeader: 'Ngrok-Operation-Id',
      errorPrefix: 'ERR_NGROK_',
    });
    const steps = await runClient(program, server, ca);
    results.set(program.name, steps);
    await server.stop();
    const failed = Object.entries(steps).filter(([, notes]) => notes.some(note => note !== 'ok'));
    expect(failed).toEqual([]);
    expect(Object.keys(steps).length).toBeGreaterThan(35);
  });
});

it.skipIf(python.length > 0)(
  'is skipped for Python: no client is installed; run scripts/install-test-tools.sh',
  () => undefined,
);
it.skipIf(go.length > 0)('is skipped for Go: its client cannot be built', () => undefined);

/** Prints how many steps of each resource each client completed. */
afterAll(() => {
  const names = [...results.keys()];
  const resources = [...new Set([...results.values()].flatMap(steps => Object.keys(steps)))].sort();
  const cell = (notes: readonly string[] | undefined) =>
    notes === undefined ? '–' : `${notes.filter(note => note === 'ok').length}/${notes.length}`;
  const lines = resources.map(resource =>
    [resource.padEnd(34), ...names.map(name => cell(results.get(name)?.[resource]).padEnd(14))].join(''),
  );
  console.info([['resource'.padEnd(34), ...names.map(name => name.padEnd(14))].join(''), ...lines].join('\n'));
});
