import { request } from 'node:http';
import { connect } from 'node:net';
import { HTTP_PORT } from './nginx.ts';
import { MALFORMED, VISITS, type Visit } from './visits.ts';

/** Sends every visit, one after the other. */
export async function playVisits(): Promise<void> {
  for (const visit of VISITS) await send(visit);
  for (const bytes of MALFORMED) await sendRaw(bytes);
}

function send(visit: Visit): Promise<void> {
  const headers: Record<string, string> = { Host: 'books.example', 'X-Forwarded-For': visit.from };
  if (visit.agent !== undefined) headers['User-Agent'] = visit.agent;
  if (visit.referer !== undefined) headers.Referer = visit.referer;
  if (visit.bodySize !== undefined) headers['Content-Length'] = String(visit.bodySize);
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: HTTP_PORT, method: visit.method ?? 'GET', path: visit.path, headers };
    const call = request(options, response => response.resume().on('end', resolve));
    call.on('error', reject);
    call.end(visit.bodySize === undefined ? undefined : 'x'.repeat(visit.bodySize));
  });
}

function sendRaw(bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(HTTP_PORT, '127.0.0.1', () => socket.write(bytes));
    socket
      .on('error', reject)
      .on('close', () => resolve())
      .resume();
  });
}
