import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createEnforcer, type DecisionRecord, type Enforcer } from '@tollgate/enforce';
import { createEnvoyService, ENVOY_CONNECTION_HOST, envoyConnectionConfiguration } from '@tollgate/enforce/envoy';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CERTIFICATE, KEY } from '../e2e/publish/certificate.ts';
import { expectSameReplay } from './decision-logs.ts';
import { envoyProgram, type RunningEnvoy, startEnvoy } from './envoy-server.ts';

// A policy of a TCP or TLS endpoint behind Envoy's network filter for external authorization.

const program = envoyProgram();
const folder = mkdtempSync(join(tmpdir(), 'tollgate-envoy-connections-'));
const endpoint = 'tls-edge';
const environments = createPhaseEnvironments(EDGE_V2, endpoint);
const options = { profile: EDGE_V2, environments };

const POLICY = `inbound:
  - expressions: ["conn.ClientIP == '127.0.0.2' || conn.TLS.SNI == 'closed.example'"]
    actions: [{ type: deny }]
  - expressions: ["conn.TLS.SNI == ''"]
    actions: [{ type: log, config: { metadata: { name: none } } }]
`;
const { policy, diagnostics } = analyzePolicy(new SourceText('policy.yaml', POLICY), { ...options, endpoint });

const records: DecisionRecord[] = [];

function enforcerIn(mode: 'enforce' | 'shadow'): Enforcer {
  const onDecision = (record: DecisionRecord) => void records.push(record);
  const created = createEnforcer(policy!, { ...options, host: ENVOY_CONNECTION_HOST, mode, onDecision });
  if ('refusals' in created) throw new Error(created.refusals[0]!.message);
  return created.enforcer;
}

let enforcer = enforcerIn('enforce');
const service = createEnvoyService(() => enforcer);
/** Behind Envoy: TLS that passes through. */
const application = createTlsServer({ cert: CERTIFICATE, key: KEY }, socket => {
  socket.on('error', () => {});
  socket.end('from the application');
});
let envoy: RunningEnvoy;

beforeAll(async () => {
  if (program === undefined) return;
  await once(service.server.listen(0, '127.0.0.1'), 'listening');
  await once(application.listen(0, '127.0.0.1'), 'listening');
  const at = { host: '127.0.0.1', port: (service.server.address() as AddressInfo).port };
  envoy = await startEnvoy(program, {
    folder,
    upstreamPort: (application.address() as AddressInfo).port,
    connections: envoyConnectionConfiguration(policy!, { ...options, service: at }),
  });
});
afterAll(async () => {
  await envoy?.stop();
  await service.stop(100);
  application.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => void records.splice(0));

/** Returns what a client of TLS receives; an empty string if the connection is closed. */
async function received(servername: string, localAddress = '127.0.0.1'): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: envoy.port, localAddress });
  socket.on('error', () => {});
  const secure = connectTls({ socket, servername, rejectUnauthorized: false });
  let text = '';
  secure.on('data', chunk => (text += chunk));
  secure.on('error', () => {});
  await new Promise<void>(resolve => void secure.once('close', resolve));
  return text;
}

describe.skipIf(program === undefined)('a policy for connections behind Envoy', () => {
  it('closes those that it denies, and passes the others on', async () => {
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(await received('open.example')).toBe('from the application');
    expect(await received('')).toBe('from the application');
    expect(await received('closed.example')).toBe('');
    expect(await received('open.example', '127.0.0.2')).toBe('');
    expect(records.map(({ decision }) => decision)).toMatchObject([
      { outcome: 'passed', rules: [] },
      { outcome: 'passed', rules: ['inbound 2'], logged: [{ name: 'none' }] },
      { outcome: 'closed', rules: ['inbound 1'] },
      { outcome: 'closed', rules: ['inbound 1'] },
    ]);
    await expectSameReplay(records, policy!, options);
  });

  it('lets everything pass in shadow mode', async () => {
    enforcer = enforcerIn('shadow');
    expect(await received('closed.example')).toBe('from the application');
    expect(records.map(({ decision }) => [decision.mode, decision.outcome])).toEqual([['shadow', 'closed']]);
    enforcer = enforcerIn('enforce');
  });

  it('closes connections while the service is gone', async () => {
    const gone = createServer();
    await once(gone.listen(0, '127.0.0.1'), 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    const alone = await startEnvoy(program!, {
      folder: join(folder, 'alone'),
      upstreamPort: (application.address() as AddressInfo).port,
      connections: envoyConnectionConfiguration(policy!, { ...options, service: { host: '127.0.0.1', port } }),
    });
    const before = envoy;
    envoy = alone;
    expect(await received('open.example')).toBe('');
    envoy = before;
    await alone.stop();
  });
});
