import { chmodSync, existsSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { ExternalError } from '@tollgate/diagnostics';
import type { FastifyInstance } from 'fastify';
import type { ServerSettings } from '../settings/server-settings.ts';

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
