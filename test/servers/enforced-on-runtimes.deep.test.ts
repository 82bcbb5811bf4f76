import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createEnforcer, type DecisionRecord } from '@tollgate/enforce';
import { FETCH_HOST_WITH_ADDRESSES } from '@tollgate/enforce/fetch';
import { analyzePolicy, createPhaseEnvironments, type Policy } from '@tollgate/policy';
import { createSimulation } from '@tollgate/simulator';
import { type Exchange, type HeaderField, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { compiledPolicy, type ModuleContext } from '../simulation/compiled-module.ts';
import { runs, seed } from '../support/runs.ts';
import { expectSameReplay } from './decision-logs.ts';
import { APPLICATION, decidedWire, enforcedPolicies, fieldsByName, unchunked } from './enforced-traffic.ts';
import { hasRuntime, RUNTIMES, type RuntimeName, startRuntime, writeWorker } from './fetch-runtimes.ts';
import { REQUESTS, type SentRequest, sendWhole } from './sent-requests.ts';

// What a compiled policy does in front of a handler in workerd, Bun and Deno is what the simulator decides about the bytes that were sent.

const [POLICIES, REQUESTS_EACH] = [runs(10, 250, 'RUNTIME_POLICIES'), runs(20, 40, 'RUNTIME_REQUESTS')];
const SEED = seed(20_261_129, 'RUNTIME_SEED');

/** Says which policy is asked, and where the client is, as platforms do. Also tells what happened last. */
const HANDLER = `
let last = {};
const enforcers = [];
const handlers = modules.map(({ createEnforcer }, at) =>
  fetchHandler(
    () => (enforcers[at] ??= createEnforcer({ seed: 7, onDecision: record => { last.record = record; } })),
    request => {
      last.asked = { url: request.url, headers: [...request.headers] };
      return new Response(${JSON.stringify(APPLICATION.body)}, { status: ${APPLICATION.status}, headers: ${JSON.stringify(APPLICATION.headers)} });
    },
    request => ({ clientIp: request.headers.get('x-client') ?? undefined }),
  ),
);
export async function handle(request) {
  const policy = request.headers.get('x-policy');
  if (policy === 'last') {
    const told = new Response(JSON.stringify(last));
    last = {};
    return told;
  }
  try {
    return await handlers[Number(policy)](request);
  } catch (error) {
    last.error = String(error?.stack ?? error);
    throw error;
  }
}
`;

interface Last {
  readonly asked?: { readonly url: string; readonly headers: readonly (readonly [string, string])[] };
  readonly record?: DecisionRecord;
  readonly error?: string;
}

/** Returns a request with what the handler is told besides it. */
function toPolicy({ headers, ...request }: SentRequest, policy: number): SentRequest {
  const told = [
    { name: 'x-client', value: request.from },
    { name: 'x-policy', value: String(policy) },
  ];
  return { ...request, headers: [...headers, ...told], from: '127.0.0.1' };
}

/** Headers that workerd knows by name, of those that are sent; empty ones of them are left out there. */
const KNOWN = /^(?:user-agent|referer|cookie)$/i;

/** Returns the fields that a runtime shows to handlers. */
function shownBy(runtime: RuntimeName, fields: readonly HeaderField[]): readonly HeaderField[] {
  if (runtime === 'workerd') return fields.filter(({ name, value }) => value !== '' || !KNOWN.test(name));
  if (runtime === 'bun') return fields;
  // Deno leaves out empty values in front of others.
  return fields.filter(({ name, value }, at) => {
    const same = (one: HeaderField) => one.name.toLowerCase() === name.toLowerCase();
    const isFirst = fields
      .slice(0, at)
      .filter(same)
      .every(one => one.value === '');
    return value !== '' || !isFirst || !fields.slice(at + 1).some(same);
  });
}

/** Returns what was sent as a handler sees it; undefined if there is no `Request` of it. */
function seenBy(
  runtime: RuntimeName,
  { method, target, headers }: SentRequest,
  clientIp: string,
): Exchange | undefined {
  const host = headers.find(({ name }) => name === 'Host')?.value.toLowerCase();
  if (!host || !target.startsWith('/') || !URL.canParse(target, `http://${host}/`)) return undefined;
  // Clients send one (RFC 6265, section 5.4), and what joins several is not a comma.
  if (headers.filter(({ name }) => name === 'Cookie').length > 1) return undefined;
  const url = new URL(`http://${host}${target}`);
  const path = url.href.slice(url.origin.length);
  const fields = headers.map(({ name, value }) => ({ name, value: value.replace(/^[ \t]+|[ \t]+$/g, '') }));
  return {
    place: { file: 'sent', number: 1, unit: 'entry' },
    ...{ time: undefined, clientIp, tls: TLS_UNKNOWN, method, target: path, url: `http://${url.host}${path}` },
    scheme: 'http',
    protocol: undefined,
    requestHeaders: { ...NO_HEADER_KNOWN, fields: shownBy(runtime, fields), complete: true },
    response: {
      status: APPLICATION.status,
      headers: {
        ...NO_HEADER_KNOWN,
        fields: APPLICATION.headers.map(([name, value]) => ({ name, value })),
        complete: true,
      },
      bodySize: undefined,
    },
  };
}

/** What a runtime itself adds. */
const ADDED = /^(?:date|connection|transfer-encoding|content-length|keep-alive|vary|host)$/;

/** Returns values by name as one text, as `Headers` of a runtime has them. Deno leaves out empty values in front of others, and blanks at the end of what it has copied. */
function joined(
  runtime: RuntimeName,
  headers: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, string>> {
  const own = Object.entries(headers).filter(([name]) => !ADDED.test(name));
  return Object.fromEntries(
    own.map(([name, values]) => {
      if (name === 'cookie') return [name, values.join('; ')];
      const text = values.join(', ').trim();
      return [
        name,
        runtime === 'deno'
          ? text
              .replace(/^(?:, ?)+(?=.)/, '')
              .replaceAll(/, */g, ', ')
              .trim()
          : text,
      ];
    }),
  );
}

/** Returns a header as a character for each byte; workerd has text. */
function bytesIn(runtime: RuntimeName, [name, value]: readonly [string, string]): HeaderField {
  return { name, value: runtime === 'workerd' ? Buffer.from(value).toString('latin1') : value };
}

interface Wire {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

function policiesOf(
  profile: Profile,
  context: ModuleContext,
): readonly { policy: Policy; code: string; text: string }[] {
  const endpoint = profile.endpoints[0]!;
  return fc.sample(enforcedPolicies(profile), { seed: SEED, numRuns: POLICIES }).flatMap(document => {
    const text = JSON.stringify(document);
    const { policy } = analyzePolicy(new SourceText('policy.json', text), { ...context, endpoint });
    const { environments } = context;
    if ('refusals' in createEnforcer(policy!, { profile, environments, host: FETCH_HOST_WITH_ADDRESSES })) return [];
    const compiled = compiledPolicy(policy!, context);
    return 'code' in compiled ? [{ policy: policy!, code: compiled.code, text }] : [];
  });
}

async function compareOn(runtime: RuntimeName, profile: Profile, folder: string): Promise<void> {
  const context = { profile, environments: createPhaseEnvironments(profile, profile.endpoints[0]!) };
  const policies = policiesOf(profile, context);
  expect(policies.length).toBeGreaterThan(POLICIES / 10);
  await writeWorker(
    folder,
    policies.map(({ code }) => code),
    HANDLER,
  );
  const running = await startRuntime(runtime, folder, policies.length);
  try {
    const requests = fc.sample(REQUESTS, { seed: SEED, numRuns: REQUESTS_EACH });
    let [compared, open] = [0, 0];
    for (const [at, { policy, text }] of policies.entries()) {
      const run = createSimulation(policy, { ...context, seed: 7 }).begin();
      const records: DecisionRecord[] = [];
      for (const one of requests) {
        let sent = seenBy(runtime, toPolicy(one, at), one.from);
        if (sent === undefined) continue;
        const { exchange, body } = await sendWhole(toPolicy(one, at), running.port);
        const { asked, record, error } = await lastOf(running.port);
        expect([error, text]).toEqual([undefined, text]);
        // The runtime itself refuses some requests.
        if (record === undefined) continue;
        records.push(record);
        sent = { ...sent, time: Date.parse(String(record.time)) };
        const [client, application] = decidedWire(run.decide(sent), sent) as [Wire, Wire | undefined];
        compared++;
        if (record.decision.needs !== undefined) {
          expect([exchange.response?.status, text]).toEqual([500, text]);
          open++;
          continue;
        }
        const received = exchange.response!.headers.fields;
        const found = {
          status: exchange.response!.status,
          headers: joined(runtime, fieldsByName(received)),
          body: unchunked(body, received),
        };
        const gotten = asked && joined(runtime, fieldsByName(asked.headers.map(field => bytesIn(runtime, field))));
        const expected = client.headers === undefined ? found : { ...client, headers: joined(runtime, client.headers) };
        expect({ found, gotten, text, one }).toEqual({
          ...{ found: expected, gotten: application && joined(runtime, application.headers) },
          ...{ text, one },
        });
      }
      await expectSameReplay(records, policy, context);
    }
    expect(compared).toBeGreaterThan((policies.length * REQUESTS_EACH) / 4);
    expect(open).toBeLessThan(compared / 4);
  } finally {
    running.stop();
  }
}

async function lastOf(port: number): Promise<Last> {
  const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'x-policy': 'last' } });
  return (await answer.json()) as Last;
}

describe.each(RUNTIMES)('a compiled policy in %s', runtime => {
  it.skipIf(!hasRuntime(runtime)).each([MODERN, EDGE_V2])('does what the simulator decides: $name', async profile => {
    const folder = mkdtempSync(join(tmpdir(), `tollgate-${runtime}-`));
    try {
      await compareOn(runtime, profile, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe.each(RUNTIMES)('tokens in %s', runtime => {
  it.skipIf(!hasRuntime(runtime))('are validated with keys that are fetched', async () => {
    const folder = mkdtempSync(join(tmpdir(), `tollgate-${runtime}-`));
    const [right, wrong] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
    const key = { ...(await exportJWK(right.publicKey)), kid: 'one', alg: 'RS256' };
    const asked: string[] = [];
    const issuer = createServer((request, response) => {
      asked.push(request.url!);
      response.end(JSON.stringify({ keys: [key] }));
    });
    await once(issuer.listen(0, '127.0.0.1'), 'listening');
    const { port } = issuer.address() as AddressInfo;
    const config = {
      issuer: { allow_list: [{ value: 'me' }] },
      http: { tokens: [{ type: 'jwt', method: 'header', name: 'Authorization', prefix: 'Bearer ' }] },
      jws: {
        allowed_algorithms: ['RS256'],
        keys: { sources: { additional_jkus: [`http://127.0.0.1:${port}/keys.json`] } },
      },
    };
    const environments = createPhaseEnvironments(MODERN, 'http-endpoint');
    const text = JSON.stringify({ on_http_request: [{ actions: [{ type: 'jwt-validation', config }] }] });
    const { policy } = analyzePolicy(new SourceText('policy.json', text), {
      ...{ profile: MODERN, endpoint: 'http-endpoint', environments },
    });
    const compiled = compiledPolicy(policy!, { profile: MODERN, environments });
    await writeWorker(folder, ['code' in compiled ? compiled.code : ''], HANDLER);
    const running = await startRuntime(runtime, folder, 1);
    try {
      const statusWith = async (token: string | undefined) => {
        const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
        return (await fetch(`http://127.0.0.1:${running.port}/`, { headers: { 'x-policy': '0', ...authorization } }))
          .status;
      };
      const signed = (signer: typeof right, claims: object = {}) =>
        new SignJWT({ iss: 'me', ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(signer.privateKey);
      const valid = await signed(right);
      const statuses = await Promise.all(Array.from({ length: 10 }, () => statusWith(valid)));
      statuses.push(await statusWith(await signed(wrong)), await statusWith(await signed(right, { exp: 1 })));
      expect([...statuses, await statusWith(undefined), await statusWith(valid)]).toEqual([
        ...Array<number>(10).fill(APPLICATION.status),
        ...[401, 401, 401, APPLICATION.status],
      ]);
      expect(asked.length).toBeLessThanOrEqual(10);
    } finally {
      running.stop();
      issuer.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
