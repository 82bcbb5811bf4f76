import type { Profile } from '@tollgate/catalog';
import { type Decision, type HeaderMap, headerValues } from '@tollgate/simulator';
import type { Exchange, HeaderField } from '@tollgate/traffic';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Json } from '../schemas/generated-policy.ts';
import { policiesOver } from './sent-policies.ts';

// Policies with many kinds of actions, what an application behind them responds, and what the client and the application get by a decision.

/** What the application behind the policy responds with. */
export const APPLICATION = {
  status: 404,
  body: 'from the application',
  headers: [
    ['content-type', 'text/plain'],
    ['server', 'app'],
    ['x-mark', '0'],
  ],
} as const;

const EVERYWHERE: readonly Json[] = [
  { type: 'remove-headers', config: { headers: ['x-api-key', 'cookie', 'server', 'x-mark'] } },
  { type: 'add-headers', config: { headers: { 'set-cookie': 'by=edge', 'x-api-key': 'ü' } } },
  { type: 'log', config: { metadata: { seen: 'yes' } } },
];

function actionsOnRequests({ name }: Profile): readonly Json[] {
  const key = name === 'modern' ? 'conn.client_ip' : 'conn.ClientIP';
  const limit = { name: 'all', algorithm: 'sliding_window', capacity: 3, rate: '60s', bucket_key: [key] };
  return [
    ...EVERYWHERE,
    { type: 'add-headers', config: { headers: { cookie: 'by=edge' } } },
    { type: 'redirect', config: { from: '/a(.*)', to: '/b$1', headers: { 'x-why': 'moved' } } },
    { type: 'redirect', config: { from: '.*/admin(.*)', to: 'https://other.example/ü$1' } },
    { type: 'url-rewrite', config: { from: '/a', to: '/rewritten' } },
    { type: 'restrict-ips', config: { enforce: true, allow: ['127.0.0.0/8'], deny: ['127.0.0.2/32'] } },
    { type: 'rate-limit', config: limit },
  ];
}

/** Policies of the suite of servers, with more kinds of actions. */
export function enforcedPolicies(profile: Profile): fc.Arbitrary<Json> {
  const others = (actions: readonly Json[]) =>
    fc.array(fc.tuple(fc.nat(5), fc.boolean(), fc.constantFrom(...actions)), { maxLength: 3 });
  return fc
    .tuple(policiesOver(profile), others(actionsOnRequests(profile)), others(EVERYWHERE))
    .map(([document, onRequests, onResponses]) => {
      const [requests, responses] = Object.values(document as object) as (readonly { readonly actions: Json[] }[])[];
      for (const [rules, placed] of [[requests!, onRequests] as const, [responses!, onResponses] as const])
        for (const [at, isFirst, action] of placed) {
          const { actions } = rules[at % rules.length]!;
          if (isFirst) actions.unshift(action);
          else actions.splice(0, actions.length, action);
        }
      return document;
    });
}

/** Headers that servers add to responses, or that say how a body is framed. */
const FRAMING = new Set(['date', 'connection', 'transfer-encoding', 'content-length', 'keep-alive']);

interface Wire {
  readonly status: number | undefined;
  /** Values by name in lower case, in order. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

/** Returns the values of each header, but not of those that frame a message. */
export function fieldsByName(fields: readonly HeaderField[]): Wire['headers'] {
  const headers: Record<string, string[]> = {};
  for (const { name, value } of fields) {
    const key = name.toLowerCase();
    const values = headers[key] ?? [];
    values.push(Buffer.from(value, 'latin1').toString());
    if (!FRAMING.has(key)) headers[key] = values;
  }
  return headers;
}

/** Returns a body whose chunks are at most a few bytes long. */
export function unchunked(body: Buffer, headers: readonly HeaderField[]): string {
  const text = body.toString();
  const isChunked = headers.some(
    ({ name, value }) => name.toLowerCase() === 'transfer-encoding' && value === 'chunked',
  );
  return isChunked ? text.replace(/([0-9a-f]+)\r\n((?:(?!\r\n).)*)\r\n/gis, '$2') : text;
}

function decidedHeaders(map: HeaderMap): Wire['headers'] {
  return Object.fromEntries(
    Object.keys(map).flatMap(key => {
      const values = headerValues(map, key) as readonly string[] | undefined;
      const name = key.toLowerCase();
      return values === undefined || values.length === 0 || FRAMING.has(name) ? [] : [[name, values]];
    }),
  );
}

/** What the client and the application get by a decision. */
export function decidedWire({ outcomes, response, upstream }: Decision, sent: Exchange): readonly unknown[] {
  // Only the application knows what it responds to another URL.
  const isRewritten = upstream.request.changes.url && upstream.isAsked === true;
  if (!isRewritten) expect(outcomes).toHaveLength(1);
  const isMade = response?.changes.isMade === true;
  const body = isMade ? response.body : APPLICATION.body;
  const client = response && { status: response.status, headers: decidedHeaders(response.headers), body };
  const application = upstream.isAsked && {
    target: upstream.request.changes.url ? upstream.request.target : sent.target,
    headers: decidedHeaders(upstream.request.headers),
  };
  return [isRewritten ? ANYTHING : client, application || undefined];
}

const ANYTHING: unknown = expect.anything();
