// Ports, Unix sockets and TLS certificates, which are renewed while the server runs.

import { chmodSync, existsSync, readFileSync, rmSync, unwatchFile, watchFile } from 'node:fs';
import { connect } from 'node:net';
import { createSecureContext } from 'node:tls';
import { ExternalError, fileProblem } from '@tollgate/diagnostics';
import type { FastifyInstance } from 'fastify';
import type { ServerSettings } from '../settings/settings.ts';

/** Only the owner and the group may connect. */
const SOCKET_MODE = 0o660;

/**
 * Listens on the Unix socket or else the port of the settings. Returns the URL, or the path of the socket.
 *
 * @throws ExternalError `server/listen`
 */
export async function listen(
  app: FastifyInstance,
  { host, port, socket }: Pick<ServerSettings, 'host' | 'port' | 'socket'>,
): Promise<string> {
  const place = socket === '' ? `${host}:${port}` : `\`${socket}\``;
  try {
    if (socket === '') return await app.listen({ host, port });
    await removeAbandoned(socket);
    await app.listen({ path: socket });
    chmodSync(socket, SOCKET_MODE);
    return `unix:${socket}`;
  } catch (cause) {
    const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
    const taken = socket === '' ? 'the port is in use' : 'another process listens there';
    const reason = isTaken ? taken : cause instanceof Error ? cause.message : String(cause);
    throw new ExternalError('server/listen', `cannot listen on ${place}: ${reason}`, { cause });
  }
}

/** Removes the socket that a killed process has left behind, which nothing listens on. */
async function removeAbandoned(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const code = await new Promise<string>(resolve => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve('');
    });
    probe.once('error', error => resolve('code' in error ? String(error.code) : ''));
  });
  if (code === 'ECONNREFUSED') rmSync(path);
}

/** How often files are looked at, in milliseconds. Notifications miss a replaced link, with which certificates are often renewed. */
const LOOK = 1_000;

/** A certificate chain and its private key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The settings of TLS. */
type TlsSettings = Pick<ServerSettings, 'tlsCertFile' | 'tlsKeyFile'>;

/**
 * Reads and checks the certificate of the listener; undefined without TLS.
 *
 * @throws ExternalError `settings/invalid` or `settings/unreadable`; the message never contains the key
 */
export function readCertificate({ tlsCertFile, tlsKeyFile }: TlsSettings): Certificate | undefined {
  if (tlsCertFile === '' && tlsKeyFile === '') return undefined;
  if (tlsCertFile === '' || tlsKeyFile === '') {
    throw new ExternalError('settings/invalid', 'TLS needs both `--tls-cert-file` and `--tls-key-file`');
  }
  const certificate = { cert: readText(tlsCertFile), key: readText(tlsKeyFile) };
  try {
    createSecureContext(certificate);
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'it is not PEM';
    const message = `\`${tlsCertFile}\` and \`${tlsKeyFile}\` are not a certificate and its key: ${reason}`;
    throw new ExternalError('settings/invalid', message, { cause });
  }
  return certificate;
}

/** Calls back when one of the files may have changed. Returns a function that ends the watch. */
export function watchCertificate({ tlsCertFile, tlsKeyFile }: TlsSettings, changed: () => void): () => void {
  const paths = [tlsCertFile, tlsKeyFile].filter(path => path !== '');
  for (const path of paths) watchFile(path, { interval: LOOK, persistent: false }, changed);
  return () => {
    for (const path of paths) unwatchFile(path, changed);
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = fileProblem(cause);
    throw new ExternalError('settings/unreadable', `cannot read \`${path}\`: ${reason}`, { cause });
  }
}
