import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** The connections of a server. */
export interface Connections {
  /** Closes unused connections now, and every other one after the response that it waits for. Call it before `app.close()`. */
  readonly release: () => void;
}

/**
 * Tracks connections so that a server can stop without waiting for its clients. `app.close()` alone closes connections that are idle at that moment. It
 * waits for those that never carried a request, and for those whose client keeps them open after the response.
 */
export function trackConnections(app: FastifyInstance): Connections {
  const sockets = new Set<Socket>();
  let isStopping = false;
  app.server.on('connection', (socket: Socket) => {
    if (isStopping) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('onSend', (_, reply, _body, done) => {
    if (isStopping) reply.header('connection', 'close');
    done();
  });
  // The headers of this response may have been sent before the server began to stop.
  app.addHook('onResponse', (request, _, done) => {
    if (isStopping) request.raw.socket.destroySoon();
    done();
  });
  return {
    release: () => {
      isStopping = true;
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    },
  };
}
