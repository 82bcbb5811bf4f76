import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorBody, PLAIN_ERRORS } from '@tollgate/edge-api';

/**
 * Responds to invalid HTTP with the error body that clients expect (part B, section 2.4). Without a request, there is no operation id.
 */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = CLIENT_ERRORS[error.code ?? ''] ?? NOT_HTTP;
  const body: ErrorBody = { status_code: status, msg: message, details: {} };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  // Destroy the socket after writing: a client that never closes would keep its half of the connection open.
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

interface ClientError {
  readonly status: number;
  readonly message: string;
}

const NOT_HTTP: ClientError = { status: 400, message: 'The request is not valid HTTP.' };

const CLIENT_ERRORS: Readonly<Record<string, ClientError>> = {
  HPE_HEADER_OVERFLOW: PLAIN_ERRORS['headers-too-large'],
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};
