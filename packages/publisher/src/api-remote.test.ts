import { createClient } from '@tollgate/edge-api';
import { expect, it } from 'vitest';
import { createApiRemote } from './api-remote.ts';
import { createPacer, type Timing } from './remote.ts';

const REF = { kind: 'tls-edge', id: 'edgtls_1' } as const;

/** A clock that waits by moving on, and says when requests were sent. */
function onClock(limit: number | undefined, answers: readonly Response[]) {
  let now = 0;
  const log: string[] = [];
  const timing: Timing = {
    now: () => now,
    wait: async ms => {
      now += ms;
    },
    random: () => 1,
  };
  const pacer = createPacer(limit, timing, (ms, reason) => log.push(`${reason} ${ms}`));
  const left = [...answers];
  const fetch = async (_: unknown, init?: RequestInit) => {
    log.push(`${init?.method} at ${now}`);
    return left.shift()!;
  };
  const client = createClient({ baseUrl: 'http://edge.example', token: 'key', retries: 0, fetch });
  return { log, remote: createApiRemote({ client, url: 'http://edge.example', pacer, timing }) };
}

function edge(): Response {
  const policy = { inbound: [], outbound: null };
  return Response.json({ id: REF.id, hostports: [], policy }, { headers: { etag: '"1"' } });
}

function refusal(status: number, headers: Record<string, string> = {}): Response {
  return Response.json({ status_code: status, msg: 'not now', details: {} }, { status, headers });
}

it.each([429, 503])('repeats a read after %i when the server says', async status => {
  const { log, remote } = onClock(100, [refusal(status, { 'retry-after': '5' }), edge()]);
  expect(await remote.read(REF)).toMatchObject({ ok: true, value: { tag: '"1"' } });
  // Its own back-off after 503, of 200 ms, is over first.
  const wait = status === 429 ? 'server 5000' : 'server 4800';
  expect(log).toEqual(['GET at 0', wait, 'GET at 5000']);
});

it.each([
  [429, 'throttled'],
  [503, 'unsettled'],
])('does not repeat a write after %i, and delays what follows', async (status, kind) => {
  const { log, remote } = onClock(100, [refusal(status, { 'retry-after': '5' }), edge()]);
  const answer = await remote.write({ ref: REF, module: 'policy', value: null, tag: '"1"' });
  await remote.read(REF);
  expect([answer.kind, log]).toEqual([kind, ['DELETE at 0', 'server 5000', 'GET at 5000']]);
});

it('keeps within the rate in any 60 seconds', async () => {
  const { log, remote } = onClock(2, [edge(), edge(), edge(), edge()]);
  for (let count = 0; count < 4; count += 1) await remote.read(REF);
  expect(log).toEqual(['GET at 0', 'GET at 0', 'rate 60000', 'GET at 60000', 'GET at 60000']);
});

/** A server that admits requests as `isAdmitted` says, and a clock on which a request takes 20 ms. */
function limited(isAdmitted: (now: number) => boolean, retryAfter: string | undefined) {
  let now = 0;
  let refused = 0;
  const timing: Timing = {
    now: () => now,
    wait: async ms => {
      now += ms;
    },
    random: () => 0.5,
  };
  const fetch = async () => {
    now += 20;
    if (isAdmitted(now)) return edge();
    refused += 1;
    return refusal(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
  };
  const client = createClient({ baseUrl: 'http://edge.example', token: 'key', retries: 0, fetch });
  const pacer = createPacer(undefined, timing);
  const remote = createApiRemote({ client, url: 'http://edge.example', pacer, timing });
  return { remote, seen: () => ({ seconds: Math.round(now / 1000), refused }) };
}

/** At most so many in any 60 seconds. */
function rolling(limit: number) {
  const sent: number[] = [];
  return (now: number) => {
    while (sent.length > 0 && now - sent[0]! >= 60_000) sent.shift();
    return sent.length < limit && sent.push(now) > 0;
  };
}

/** A bucket of `burst` requests that is refilled with so many per second. */
function bucket(burst: number, perSecond: number) {
  let [left, last] = [burst, 0];
  return (now: number) => {
    left = Math.min(burst, left + ((now - last) / 1000) * perSecond);
    last = now;
    return left >= 1 && --left >= 0;
  };
}

it.each<[string, (now: number) => boolean, string | undefined, { seconds: number; refused: number }]>([
  ['no limit', () => true, undefined, { seconds: 4, refused: 0 }],
  ['120 a minute, and says when', rolling(120), '10', { seconds: 70, refused: 6 }],
  ['120 a minute, and does not say', rolling(120), undefined, { seconds: 83, refused: 7 }],
  ['bursts of 20 and 10 a second', bucket(20, 10), undefined, { seconds: 18, refused: 26 }],
])('reads 200 records from a server with %s as fast as it may', async (_, isAdmitted, retryAfter, expected) => {
  const { remote, seen } = limited(isAdmitted, retryAfter);
  for (let count = 0; count < 200; count += 1) expect(await remote.read(REF)).toMatchObject({ ok: true });
  expect(seen()).toEqual(expected);
});

it.each([500, 502])('repeats a read after %i, but not forever', async status => {
  const { log, remote } = onClock(
    100,
    Array.from({ length: 9 }, () => refusal(status)),
  );
  expect(await remote.read(REF)).toEqual({
    ok: false,
    failure: { kind: 'unreachable', message: `status ${status}: not now` },
  });
  expect(log).toEqual([0, 200, 600, 1400, 3000, 6200].map(ms => `GET at ${ms}`));
});

it.each<[string, number, string, number]>([
  ['a status without a body', 404, '', 1],
  ['the words of another server', 404, '404 page not found', 1],
  ['a page', 403, '<html>', 1],
  ['an error that is cut off', 404, '{"status_co', 6],
  ['a page of a server that is busy', 502, '<html>', 6],
])('repeats a read only if that may help: %s', async (_, status, body, tries) => {
  const answers = Array.from({ length: 9 }, () => new Response(body, { status }));
  const { log, remote } = onClock(undefined, answers);
  expect(await remote.list(['tls-edge'])).toMatchObject({ ok: false, failure: { kind: 'unreachable' } });
  expect(log).toHaveLength(tries);
});

it('reads the lists of several kinds at the same time', async () => {
  const sent: string[] = [];
  const all = Promise.withResolvers<void>();
  const fetch = async (input: unknown) => {
    const kind = new URL(String(input)).pathname.split('/').at(-1)!;
    if (sent.push(kind) === 3) all.resolve();
    await all.promise;
    return Response.json({
      [`${kind}_edges`]: [{ id: kind, hostports: [], routes: [{ id: 'r' }] }],
      next_page_uri: null,
    });
  };
  const timing: Timing = { now: () => 0, wait: async () => undefined, random: () => 0 };
  const url = 'http://edge.example';
  const client = createClient({ baseUrl: url, token: 'key', retries: 0, fetch });
  const remote = createApiRemote({ client, url, pacer: createPacer(100, timing), timing });
  const listed = await remote.list(['https-route', 'tls-edge', 'tcp-edge']);
  expect(listed.ok && listed.value.records.map(({ ref }) => ref.id)).toEqual(['r', 'tls', 'tcp']);
});
