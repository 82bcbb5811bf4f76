import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EnvoyConfiguration, type EnvoyConnectionConfiguration, envoyBootstrap } from '@tollgate/enforce/envoy';
import { eventually } from '../support/eventually.ts';
import { accepts, freePort } from './log-servers.ts';

const PROGRAMS = [join(import.meta.dirname, '../../node_modules/.cache/tollgate-envoy/envoy/_bin/envoy'), 'envoy'];

/** Returns Envoy's program if it is installed; `scripts/install-test-tools.sh` installs it. */
export function envoyProgram(): string | undefined {
  return PROGRAMS.find(program => {
    try {
      execFileSync(program, ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

/** Envoy in front of an application. */
export interface RunningEnvoy {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Where Envoy finds the application, and what it asks before. */
export interface EnvoySetup {
  readonly folder: string;
  readonly upstreamPort: number;
  /** Nothing for plain Envoy. */
  readonly added?: EnvoyConfiguration;
  /** Asks about connections, and passes TCP on. */
  readonly connections?: EnvoyConnectionConfiguration;
  /** How long Envoy waits for a decision; by default as long as a busy machine may take. */
  readonly wait?: string;
  /** With TLS, as PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** Starts Envoy on a free port of the loopback interface. */
export async function startEnvoy(program: string, setup: EnvoySetup): Promise<RunningEnvoy> {
  const port = await freePort();
  const { folder } = setup;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'envoy.json');
  writeFileSync(file, JSON.stringify(configuration(setup, port)));
  const args = ['-c', file, '--concurrency', '1', '--disable-hot-restart', '-l', 'warning'];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.pipe(createWriteStream(join(folder, 'envoy.log')));
  await reachable(port, child);
  return {
    port,
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

async function reachable(port: number, child: ChildProcess): Promise<void> {
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`Envoy ended with ${child.exitCode}`);
    return accepts(port);
  });
}

/** With every request as the client sent it, and answers without a delay. */
function configuration(
  { upstreamPort, added, connections, wait = '60s', certificate }: EnvoySetup,
  port: number,
): object {
  const none = { http_filters: [], clusters: connections?.clusters ?? [] };
  const local = (at: number) => ({ host: '127.0.0.1', port: at });
  const text = JSON.stringify(envoyBootstrap(added ?? none, local(port), local(upstreamPort)));
  const { static_resources: resources } = JSON.parse(text);
  const [listener] = resources.listeners;
  const [chain] = listener.filter_chains;
  for (const { name, typed_config: filter } of chain.filters[0].typed_config.http_filters)
    if (name.endsWith('ext_proc')) filter.message_timeout = wait;
  Object.assign(chain.filters[0].typed_config, {
    ...{ use_remote_address: false, normalize_path: false, merge_slashes: false },
    path_with_escaped_slashes_action: 'KEEP_UNCHANGED',
    generate_request_id: false,
    delayed_close_timeout: '0s',
    server_header_transformation: 'PASS_THROUGH',
  });
  if (connections !== undefined) {
    const proxy = { '@type': TCP_PROXY, stat_prefix: 'tcp', cluster: 'application' };
    listener.listener_filters = connections.listener_filters;
    chain.filters = [...connections.filters, { name: 'envoy.filters.network.tcp_proxy', typed_config: proxy }];
    for (const { typed_config: filter } of chain.filters) if (filter.grpc_service) filter.grpc_service.timeout = wait;
  }
  if (certificate) {
    const { cert, key } = certificate;
    const pair = { certificate_chain: { inline_string: cert }, private_key: { inline_string: key } };
    listener.listener_filters = [
      { name: 'envoy.filters.listener.tls_inspector', typed_config: { '@type': INSPECTOR } },
    ];
    chain.transport_socket = {
      name: 'envoy.transport_sockets.tls',
      typed_config: {
        '@type': DOWNSTREAM_TLS,
        common_tls_context: { alpn_protocols: ['h2', 'http/1.1'], tls_certificates: [pair] },
      },
    };
  }
  return { static_resources: resources };
}

const TCP_PROXY = 'type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy';
const INSPECTOR = 'type.googleapis.com/envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector';
const DOWNSTREAM_TLS = 'type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext';
