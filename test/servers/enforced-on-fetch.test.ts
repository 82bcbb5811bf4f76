import { EDGE_V2, MODERN, type Profile } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { createEnforcer, type DecisionRecord, type Enforcer } from '@tollgate/enforce';
import { FETCH_HOST_WITH_ADDRESSES, fetchHandler } from '@tollgate/enforce/fetch';
import { analyzePolicy, createPhaseEnvironments } from '@tollgate/policy';
import { createSimulation, type Decision, type HeaderMap, headerValues } from '@tollgate/simulator';
import { type Exchange, type HeaderField, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs, seed } from '../support/runs.ts';
import { expectSameReplay } from './decision-logs.ts';
import { policiesOver } from './sent-policies.ts';
import { REQUESTS, type SentRequest } from './sent-requests.ts';

// What a policy in front of a fetch handler does is what the simulator decides about the fields that were sent, or an error where a `Request` does
// not show how often a header was sent.

const FIELDS: readonly HeaderField[] = [
  ...[
    { name: 'content-type', value: 'text/plain' },
    { name: 'server', value: 'app' },
    { name: 'x-mark', value: '0' },
  ],
];

/** Returns what a client can send through `fetch`; undefined for requests that no `Request` can be. */
function requestOf({ method, target, headers, from }: SentRequest): { request: Request; sent: Exchange } | undefined {
  const host = headers.find(({ name }) => name === 'Host')?.value.toLowerCase();
  if (!host || !URL.canParse(target, `http://${host}/`)) return undefined;
  const url = new URL(target, `http://${host}/`);
  const fields = headers.filter(({ name }) => !/^(?:connection|content-length)$/i.test(name));
  // Values that cannot be in a `Headers` object, and those that it does not keep as they are.
  if (fields.some(({ value }) => !/^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(value))) return undefined;
  // Clients send one (RFC 6265, section 5.4), and what joins several is not a comma.
  if (fields.filter(({ name }) => name === 'Cookie').length > 1) return undefined;
  const own = fields.filter(({ name }) => name !== 'Host');
  const request = new Request(url, {
    method,
    headers: own.map(({ name, value }) => [name, value] as [string, string]),
  });
  // An empty query keeps its question mark, which `search` does not have.
  const path = url.href.slice(url.origin.length);
  const sent: Exchange = {
    place: { file: 'sent', number: 1, unit: 'entry' },
    ...{
      time: 0,
      clientIp: from,
      tls: TLS_UNKNOWN,
      method,
      target: path,
      url: `http://${url.host}${path}`,
      scheme: 'http',
    },
    protocol: undefined,
    requestHeaders: { ...NO_HEADER_KNOWN, fields: [{ name: 'Host', value: url.host }, ...own], complete: true },
    response: { status: 404, headers: { ...NO_HEADER_KNOWN, fields: FIELDS, complete: true }, bodySize: undefined },
  };
  return { request, sent };
}

const [POLICIES, REQUESTS_EACH] = [runs(8, 250, 'ENFORCED_POLICIES'), 40];
const SEED = seed(20_261_129, 'ENFORCED_SEED');

function valuesOf(map: HeaderMap): Readonly<Record<string, string>> {
  const known = Object.keys(map).flatMap(name => {
    const values = headerValues(map, name) as readonly string[] | undefined;
    return values?.length ? [[name.toLowerCase(), values.join(', ').trim()] as const] : [];
  });
  return Object.fromEntries(known);
}

/** A copied object has no blank at the end of what it has joined. */
function trimmed(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].map(([name, value]) => [name, value.trim()]));
}

function withoutHost({ host: _, ...others }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return others;
}

function decided({ response, upstream }: Decision): readonly unknown[] {
  const body = response?.changes.isMade ? response.body : 'from the application';
  const client = response && { status: response.status, headers: valuesOf(response.headers), body };
  return [client, upstream.isAsked ? withoutHost(valuesOf(upstream.request.headers)) : undefined];
}

describe.each<Profile>([MODERN, EDGE_V2])('a policy of the profile $name in front of a fetch handler', profile => {
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);
  const documents = fc.sample(policiesOver(profile), { seed: SEED, numRuns: POLICIES });
  const requests = fc.sample(REQUESTS, { seed: SEED, numRuns: REQUESTS_EACH });

  it('does what the simulator decides', async () => {
    let [compared, open] = [0, 0];
    for (const document of documents) {
      const text = JSON.stringify(document);
      const { policy } = analyzePolicy(new SourceText('policy.json', text), { profile, endpoint, environments });
      const records: DecisionRecord[] = [];
      const onDecision = (one: DecisionRecord) => void records.push(one);
      const created = createEnforcer(policy!, { profile, environments, host: FETCH_HOST_WITH_ADDRESSES, onDecision });
      // A fetch handler neither sees which version of HTTP was spoken nor sends the status of a plain `deny` of the oldest profile.
      if ('refusals' in created) {
        expect([text, created.refusals[0]!.message]).toEqual([
          text,
          expect.stringMatching(/req\.(?:version|Protocol)|status 999/),
        ]);
        continue;
      }
      const enforcer: Enforcer = created.enforcer;
      const simulation = createSimulation(policy!, { profile, environments });
      for (const one of requests) {
        const both = requestOf(one);
        if (both === undefined) continue;
        let asked: Request | undefined;
        const handler = (request: Request) => {
          asked = request;
          return new Response('from the application', {
            status: 404,
            headers: FIELDS.map(({ name, value }) => [name, value]),
          });
        };
        const answer = await fetchHandler(
          () => enforcer,
          handler,
          () => ({ clientIp: one.from }),
        )(both.request);
        compared++;
        const { decision } = records.at(-1)!;
        if (decision.needs !== undefined) {
          expect([decision.status, text]).toEqual([500, text]);
          open++;
          continue;
        }
        const client = {
          status: answer.status,
          headers: trimmed(answer.headers),
          body: await answer.text(),
        };
        const upstream = asked && withoutHost(trimmed(asked.headers));
        expect([client, upstream, text, one]).toEqual([...decided(simulation.decide(both.sent)), text, one]);
      }
      await expectSameReplay(records, policy!, { profile, environments });
    }
    expect(compared).toBeGreaterThan(POLICIES * 5);
    expect(open).toBeLessThan(compared / 4);
  });
});
