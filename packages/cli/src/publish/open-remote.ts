// A client for the API of an environment.

import { readFileSync } from 'node:fs';
import * as http from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ExternalError, fileProblem } from '@tollgate/diagnostics';
import { createClient } from '@tollgate/edge-api';
import { createApiRemote, createPacer, type EdgeReader, type Remote, type WaitReason } from '@tollgate/publisher';
import { UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { pathToRead } from '../trust/confinement.ts';
import type { Environment, PublishProject } from './project.ts';
import { apiKey, resolveSecret } from './secrets.ts';

/** Opens the API of an environment. Sends nothing yet. */
export function openRemote(project: PublishProject, environment: Environment, terminal: Terminal): Remote & EdgeReader {
  const { name, settings } = environment;
  useProxy(project.env);
  const token = resolveSecret({ source: settings.apiKey, what: apiKey(name) }, { project, environment });
  if (settings.caFile !== undefined) trustCertificates(settings.caFile, project);
  const timing = { now: Date.now, wait: (ms: number) => pause(ms).then(() => undefined), random: Math.random };
  const announce = (ms: number, reason: WaitReason) => {
    const why =
      reason === 'rate'
        ? `to stay within \`requestsPerMinute\` of \`${name}\``
        : 'because the server has had too many requests';
    printMessage(terminal, `waiting ${Math.ceil(ms / 1000)} s ${why}`);
  };
  const pacer = createPacer(settings.requestsPerMinute, timing, announce);
  const { url, timeout = 30, versionHeader, headers } = settings;
  refuseConnectionHeaders(name, headers);
  try {
    const client = createClient({
      baseUrl: url,
      token,
      retries: 0,
      timeoutMs: timeout * 1000,
      ...(versionHeader !== undefined && { versionHeader }),
      ...(headers && { fetch: withHeaders(headers) }),
    });
    return createApiRemote({ client, url, pacer, timing, speaksTls });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The message about a token does not contain it.
    throw new UsageError(
      `environment \`${name}\`: ${error.message.replace('baseUrl', '`url`').replace('token', 'the API key')}`,
    );
  }
}

const PROXY_VARIABLES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const;

/** Sends requests through the proxy that the usual variables name, except to hosts in `NO_PROXY`. Older versions of Node cannot. */
function useProxy(env: PublishProject['env']): void {
  const named = PROXY_VARIABLES.find(name => (env[name] ?? '') !== '');
  if (named === undefined) return;
  if (typeof http.setGlobalProxyFromEnv !== 'function') {
    const message = `this version of Node ignores \`${named}\`; use Node 24.14 or newer, or unset the variable`;
    throw new UsageError(message);
  }
  try {
    http.setGlobalProxyFromEnv(env);
  } catch (cause) {
    throw new UsageError(`\`${named}\` must be the URL of a proxy`, { cause });
  }
}

/** Headers that decide which server answers, and how the message ends, are not for a project file. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'host',
  'proxy-authorization',
  'transfer-encoding',
  'upgrade',
]);

function refuseConnectionHeaders(environment: string, headers: Readonly<Record<string, string>> = {}): void {
  const refused = Object.keys(headers).find(name => CONNECTION_HEADERS.has(name.toLowerCase()));
  if (refused !== undefined)
    throw new UsageError(`environment \`${environment}\`: \`headers\` must not contain \`${refused}\`; remove it`);
}

/** Longer than a handshake takes; it only delays a message. */
const HANDSHAKE_MS = 3000;

/** Sends nothing but a handshake, so it does not matter whose certificate it is. */
async function speaksTls(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host: host.replace(/^\[|\]$/g, ''),
    port,
    rejectUnauthorized: false,
    timeout: HANDSHAKE_MS,
  });
  socket.once('secureConnect', () => resolve(true));
  for (const event of ['error', 'timeout', 'close'] as const) socket.once(event, () => resolve(false));
  const found = await promise;
  socket.destroy();
  return found;
}

function withHeaders(extra: Readonly<Record<string, string>>): typeof fetch {
  return (input, init) =>
    fetch(input, { ...init, headers: { ...extra, ...(init?.headers as Record<string, string>) } });
}

function trustCertificates(name: string, { directory, env }: PublishProject): void {
  try {
    const path = pathToRead(resolve(directory, name), { repositoryOf: directory }, env);
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(path, 'utf8')]);
  } catch (cause) {
    const reason = fileProblem(cause);
    throw new ExternalError('publish/certificates', `cannot use the certificates in \`${name}\`: ${reason}`, { cause });
  }
}
