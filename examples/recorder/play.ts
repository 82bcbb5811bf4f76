import { request } from 'node:http';
import { connect } from 'node:net';
import { visitsOfDay } from './day.ts';
import { DAY_PORT, HTTP_PORT } from './nginx.ts';
import { MALFORMED, VISITS, type Visit } from './visits.ts';

/** Sends every visit, one after the other. */
export async function playVisits(): Promise<void> {
  for (const visit of VISITS) await send(visit);
  for (const bytes of MALFORMED) await sendRaw(bytes);
}

/** Sends the visits of a day within seconds. Each tells nginx the time that it writes to the log; see `nginx.ts`. */
export async function playDay(midnight: Date): Promise<void> {
  for (const visit of visitsOfDay()) {
    const time = new Date(midnight.getTime() + visit.second * 1000);
    await send(visit, DAY_PORT, { 'X-Demo-Time': localTime(time), 'X-Demo-Msec': (time.getTime() / 1000).toFixed(3) });
  }
}

/** As nginx writes it: `21/Nov/2026:01:07:56 +0000`. */
function localTime(time: Date): string {
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(time.toUTCString())!;
  return `${day}/${month}/${year}:${clock} +0000`;
}

function send(visit: Visit, port = HTTP_PORT, extra: Readonly<Record<string, string>> = {}): Promise<void> {
  const headers: Record<string, string> = { Host: 'books.example', 'X-Forwarded-For': visit.from, ...extra };
  if (visit.agent !== undefined) headers['User-Agent'] = visit.agent;
  if (visit.referer !== undefined) headers.Referer = visit.referer;
  if (visit.key !== undefined) headers['X-Api-Key'] = visit.key;
  if (visit.bodySize !== undefined) headers['Content-Length'] = String(visit.bodySize);
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method: visit.method ?? 'GET', path: visit.path, headers };
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
