import { EDGE_V2, type EvaluationContext, MODERN, STRING_KEY, sampleActivation } from '@tollgate/catalog';
import { type Activation, compileClosures, EvaluationError } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import { SourceText } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { analyzePolicy } from '../analysis/analyze-policy.ts';
import type { Policy } from '../rules/policy.ts';
import { migratePolicy } from './migrate-policy.ts';

const OLD_PLACE: EvaluationContext = { endpoint: 'https-route', phase: 'outbound' };
const NEW_PLACE: EvaluationContext = { endpoint: 'https-route', phase: 'on_http_response' };

/** Conditions that lose nothing, over all kinds of variables. */
const CONDITIONS = [
  "req.Method == 'GET'",
  "req.URL.contains('/a')",
  'size(req.URL) > 15',
  "req.Path.startsWith('/a')",
  "req.Host == 'e.co'",
  "req.Params['q'][0] == '1'",
  "hasQueryParam('q') && getQueryParam('q').exists(v, v != req.Method)",
  "req.Headers['X-A'][0] == '1'",
  "'X-A' in req.Headers",
  "getReqHeader('X-B') == ['1', '2']",
  'has(req.Headers.Accept)',
  'size(req.Headers) > 1',
  "hasReqCookie('id') && getReqCookie('id').Value == '1'",
  "req.Cookies.exists(c, c.Name == 'id')",
  "req.Cookies.exists_one(c, c.Value == '1')",
  "req.Cookies.all(cookie, cookie.Name.startsWith('i') || cookie.Value == '2')",
  'req.Cookies.size() == 2',
  'req.ContentLength > 3',
  'req.ContentLength < 3',
  "req.ClientTLS.Version == 'TLS 1.3'",
  "'TLS 1.2' < req.ClientTLS.Version",
  "req.ClientTLS.Version.contains('1.3')",
  "req.ClientTLS.CertCN == 'device'",
  "req.ClientTLS.CertCN != ''",
  "inCidrRange(conn.ClientIP, '10.0.0.0/8')",
  "conn.Geo.CountryCode in ['DE', 'FR']",
  'double(conn.Geo.Latitude) > 50.0',
  "res.StatusCode >= '400'",
  'res.StatusCode == 404',
  "res.StatusCode in ['200', '404']",
  "res.StatusCode.startsWith('4')",
  "res.StatusCode < '5'",
  'int(res.StatusCode) / 100 == 4',
  "res.Headers['X-A'][0] == '1'",
  'res.Cookies.all(c, c.Secure || c.HttpOnly)',
  "getResCookie('id').Secure",
  "res.Location == '/a'",
];

const CONDITION: fc.Arbitrary<string> = fc.letrec<{ condition: string }>(tie => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(...CONDITIONS),
    tie('condition').map(one => `!(${one})`),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `(${a}) && ${b}`),
    fc.tuple(tie('condition'), tie('condition')).map(([a, b]) => `${a} || (${b})`),
    fc.tuple(tie('condition'), tie('condition'), tie('condition')).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
  ),
})).condition;

const COOKIES = fc.uniqueArray(fc.constantFrom('id', 'ix', 'theme'), { maxLength: 3 });

const TRAFFIC = fc.record({
  method: fc.constantFrom('GET', 'POST'),
  path: fc.constantFrom('/', '/a', '/b/a'),
  query: fc.constantFrom(undefined, '1', 'GET'),
  headers: fc.dictionary(fc.constantFrom('X-A', 'X-B', 'Accept'), fc.constantFrom(['1'], ['1', '2'])),
  cookies: COOKIES,
  length: fc.constantFrom(-1, 0, 9),
  version: fc.constantFrom('1.2', '1.3'),
  certificate: fc.constantFrom(undefined, 'device', 'other'),
  address: fc.constantFrom('10.1.2.3', '192.0.2.1'),
  country: fc.constantFrom('DE', 'US'),
  status: fc.constantFrom(200, 302, 404, 503),
  responseHeaders: fc.dictionary(fc.constantFrom('X-A', 'X-B'), fc.constantFrom(['1'], ['2'])),
  responseCookies: COOKIES,
  flag: fc.boolean(),
  location: fc.constantFrom('', '/a'),
});

type Traffic = typeof TRAFFIC extends fc.Arbitrary<infer T> ? T : never;
type Values = { readonly [name: string]: unknown };

/** What edge-v2 shows of traffic. */
function oldActivation(traffic: Traffic): Activation {
  const { conn, req, res } = sampleActivation(EDGE_V2, OLD_PLACE) as { [name: string]: Values };
  return {
    conn: { ...conn, ClientIP: traffic.address, Geo: { ...(conn!.Geo as Values), CountryCode: traffic.country } },
    req: {
      ...req,
      ...{ Method: traffic.method, URL: urlOf(traffic), Path: traffic.path, Host: 'e.co', Headers: traffic.headers },
      Params: traffic.query === undefined ? {} : { q: [traffic.query] },
      Cookies: traffic.cookies.map((Name, index) => ({
        Name,
        Value: String(index + 1),
        Secure: false,
        HttpOnly: false,
      })),
      ContentLength: traffic.length,
      ClientTLS: {
        ...(req!.ClientTLS as Values),
        Version: `TLS ${traffic.version}`,
        CertCN: traffic.certificate ?? '',
      },
    },
    res: {
      ...res,
      ...{ StatusCode: String(traffic.status), Headers: traffic.responseHeaders, Location: traffic.location },
      Cookies: traffic.responseCookies.map(Name => ({ Name, Value: '', Secure: traffic.flag, HttpOnly: false })),
    },
  };
}

/** What modern shows of it. */
function newActivation(traffic: Traffic): Activation {
  const { conn, req, res } = sampleActivation(MODERN, NEW_PLACE) as { [name: string]: Values };
  const client = (conn!.tls as { client: Values }).client;
  const { common_name: _, ...subject } = client.subject as Values;
  const { content_length: __, ...request } = req!;
  const certificate = {
    ...client,
    subject: { ...subject, ...(traffic.certificate && { common_name: traffic.certificate }) },
  };
  return {
    conn: {
      ...conn,
      client_ip: { ...(conn!.client_ip as Values), [STRING_KEY]: traffic.address },
      geo: { ...(conn!.geo as Values), country_code: traffic.country },
      tls: { ...(conn!.tls as Values), version: traffic.version, client: certificate },
    },
    req: {
      ...request,
      ...{ method: traffic.method, host: 'e.co', headers: lowered(traffic.headers) },
      url: {
        ...(req!.url as Values),
        ...{ [STRING_KEY]: urlOf(traffic), path: traffic.path },
        query_params: traffic.query === undefined ? {} : { q: [traffic.query] },
      },
      cookies: byName(traffic.cookies.map((name, index) => ({ name, value: String(index + 1) }))),
      ...(traffic.length >= 0 && { content_length: traffic.length }),
    },
    res: {
      ...res,
      ...{ status_code: traffic.status, headers: lowered(traffic.responseHeaders), location: traffic.location },
      cookies: byName(
        traffic.responseCookies.map(name => ({ name, value: '', secure: traffic.flag, http_only: false })),
      ),
    },
  };
}

function urlOf({ path, query }: Traffic): string {
  return `https://e.co${path}${query === undefined ? '' : `?q=${query}`}`;
}

function lowered(headers: Readonly<Record<string, readonly string[]>>): Values {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name.toLowerCase(), values]));
}

function byName(cookies: readonly { readonly name: string }[]): Values {
  return Object.fromEntries(cookies.map(cookie => [cookie.name, [cookie]]));
}

type Evaluate = (activation: Activation) => unknown;

/** The conditions of the first rule, ready to run. Which error one ends in is of no account: none of them matches. */
function conditionsOf(
  text: string,
  profile: typeof EDGE_V2 | typeof MODERN,
  { endpoint, phase }: EvaluationContext,
): readonly Evaluate[] {
  const { policy, diagnostics, environments } = analyzePolicy(new SourceText('p', text), { profile, endpoint });
  expect(diagnostics).toEqual([]);
  return expressionsOf(policy!, phase).map(({ typed }) => {
    const program = compileClosures(inlineBodies(typed!, environments[phase]), environments[phase]);
    return activation => {
      const value = program.evaluate(activation);
      return value instanceof EvaluationError ? 'error' : value;
    };
  });
}

function expressionsOf(
  policy: Policy,
  phase: EvaluationContext['phase'],
): Policy['rules'][EvaluationContext['phase']][number]['expressions'] {
  return policy.rules[phase][0]!.expressions;
}

function migrated(text: string): string {
  const source = new SourceText('p', text);
  const { text: result, diagnostics } = migratePolicy(source, { from: EDGE_V2, to: MODERN, endpoint: 'https-route' });
  expect(diagnostics).toEqual([]);
  return result!;
}

it('migrates conditions to the same meaning', () => {
  const values = new Map<unknown, number>();
  const conditions = fc.array(CONDITION, { minLength: 10, maxLength: 20 });
  fc.assert(
    fc.property(conditions, fc.array(TRAFFIC, { minLength: 10, maxLength: 10 }), (expressions, all) => {
      const text = JSON.stringify({ outbound: [{ expressions, actions: [{ type: 'log' }] }] });
      const before = conditionsOf(text, EDGE_V2, OLD_PLACE);
      const after = conditionsOf(migrated(text), MODERN, NEW_PLACE);
      for (const traffic of all) {
        const [old, now] = [oldActivation(traffic), newActivation(traffic)];
        const results = before.map((evaluate, index) => ({ expression: expressions[index], value: evaluate(old) }));
        expect(after.map((evaluate, index) => ({ expression: expressions[index], value: evaluate(now) }))).toEqual(
          results,
        );
        for (const { value } of results) values.set(value, (values.get(value) ?? 0) + 1);
      }
    }),
    { numRuns: inject('isDeep') ? 40 : 12 },
  );
  expect([...values.keys()].sort()).toEqual(['error', false, true]);
  expect(Math.min(...values.values())).toBeGreaterThan(50);
});

/** A string in each style of YAML scalars. */
const STYLES: readonly ((text: string) => string)[] = [
  text => `'${text.replaceAll("'", "''")}'`,
  text => JSON.stringify(text),
  text => JSON.stringify(text).replaceAll('r', '\\x72').replaceAll(' ', '\\u0020'),
  text => `|-\n      ${text.replaceAll(' && ', ' &&\n      ')}`,
  text => `>\n      ${text.replaceAll(' ', '\n      ')}\n`,
  text => `${text} # comment`,
  text => text.replaceAll(' ', '\n      '),
];

it('edits expressions in every style of scalar', () => {
  fc.assert(
    fc.property(CONDITION, fc.constantFrom(...STYLES), (condition, style) => {
      const isPlain = [STYLES[5], STYLES[6]].includes(style);
      fc.pre(!isPlain || !/^[!'"]|: /.test(condition));
      const reference = migrated(
        JSON.stringify({ outbound: [{ expressions: [condition], actions: [{ type: 'log' }] }] }),
      );
      const document = `# head\noutbound:\n- expressions:\n  - ${style(condition)}\n  actions: [{type: log}]\n`;
      const result = migrated(document);
      expect(spaced(result)).toBe(spaced(reference));
      expect(result.startsWith('# head\non_http_response:\n- expressions:\n')).toBe(true);
      expect(result.endsWith('\n  actions: [{type: log}]\n')).toBe(true);
    }),
    { numRuns: inject('isDeep') ? 50 : 6 },
  );
});

/** The one expression of a policy, without regard to the white space in it. */
function spaced(text: string): string {
  const { policy } = analyzePolicy(new SourceText('p', text), { profile: MODERN, endpoint: 'https-route' });
  return expressionsOf(policy!, 'on_http_response')[0]!.source.replace(/\s+/g, ' ').trim();
}
