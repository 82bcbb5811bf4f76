import type { Profile } from '@tollgate/catalog';
import fc from 'fast-check';
import type { Json } from '../schemas/generated-policy.ts';

/** Names of inputs: those of the modern profile, and those with capitals. */
interface Names {
  readonly headers: string;
  readonly responseHeaders: string;
  readonly strings: readonly string[];
  readonly parts: readonly string[];
  readonly query: string;
  readonly ip: string;
  readonly status: string;
  readonly key: (name: string) => string;
}

const MODERN: Names = {
  headers: 'req.headers',
  responseHeaders: 'res.headers',
  strings: ['req.method', 'req.host', 'req.url', 'req.url.path', 'req.url.raw_path', 'req.url.query', 'req.version'],
  parts: ['req.url.host', 'req.url.scheme', 'req.url.authority', 'req.url.uri'],
  query: 'req.url.query_params',
  ip: 'conn.client_ip',
  status: 'res.status_code >= 400',
  key: name => name,
};

const CAPITALS: Names = {
  headers: 'req.Headers',
  responseHeaders: 'res.Headers',
  strings: ['req.Method', 'req.Host', 'req.URL', 'req.Path', 'req.Protocol'],
  parts: [],
  query: 'req.Params',
  ip: 'conn.ClientIP',
  status: "res.StatusCode.startsWith('4')",
  key: name => name.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase()),
};

const TEXTS = [
  ...[
    'a.example',
    'www.a.example',
    'b.example',
    'a.example:8080',
    '.example',
    '/admin',
    '/a',
    '/',
    'GET',
    'POST',
    'http',
  ],
  ...['HTTP/1.1', 'http://a.example/', 'q=1', '8080', '-', '', 'k1', 'curl', 'A', '"', '%'],
];
const VALUES = [
  '',
  '-',
  'k1',
  'k2',
  'null',
  '"-"',
  '"',
  'session=1',
  'curl/8.1',
  'text/plain',
  'https://a.example/x?y=1',
  'a,b',
  'a',
];
const HEADERS = [
  'x-api-key',
  'x-api-key',
  'x-api-key',
  'user-agent',
  'referer',
  'cookie',
  'host',
  'content-length',
  'x-never-sent',
];

/** Policies over what the requests of this suite vary. */
export function policiesOver({ name }: Profile): fc.Arbitrary<Json> {
  const names = name === 'modern' ? MODERN : CAPITALS;
  const [request, response] = name === 'modern' ? ['on_http_request', 'on_http_response'] : ['inbound', 'outbound'];
  const mark: Json = { type: 'add-headers', config: { headers: { 'x-mark': '1' } } };
  const answer: Json = { type: 'custom-response', config: { status_code: 503, content: 'no' } };
  const ruleOf = (conditions: fc.Arbitrary<string>, ends: readonly Json[]) =>
    fc.record({
      expressions: fc.array(conditions, { minLength: 1, maxLength: 2 }),
      actions: fc.oneof(
        { weight: 4, arbitrary: fc.constant([mark]) },
        fc.constantFrom(...ends).map(one => [one]),
      ),
    });
  const rules = (conditions: fc.Arbitrary<string>, ...ends: readonly Json[]) =>
    fc.array(ruleOf(conditions, ends), { minLength: 1, maxLength: 5 });
  return fc
    .tuple(
      rules(conditionsOn(names), { type: 'deny' }, answer),
      rules(fc.oneof(conditionsOn(names), responseConditions(names)), answer),
    )
    .map(([one, other]) => ({ [request!]: one, [response!]: other }) as Json);
}

/** The name that a server has by its configuration. */
const CONFIGURED = 'configured.example';

/** A policy that asks for the host in every way, each in a rule of its own. */
export function hostPolicy({ name }: Profile): Json {
  const { headers, key } = name === 'modern' ? MODERN : CAPITALS;
  const [request, host, url] =
    name === 'modern' ? ['on_http_request', 'req.host', 'req.url'] : ['inbound', 'req.Host', 'req.URL'];
  const header = `${headers}['${key('host')}']`;
  const conditions = [
    'a.example',
    'A.Example',
    'a.example:80',
    'b.example',
    'B.Example',
    'B.Example:80',
    CONFIGURED,
  ].flatMap(one => [
    `${host} == '${one}'`,
    `${url}.startsWith('http://${one}/')`,
    `${header}[0] == '${one}'`,
    `${host} == '${one}' && ${header}[0].endsWith('e')`,
  ]);
  const actions: Json = [{ type: 'add-headers', config: { headers: { 'x-mark': '1' } } }];
  return { [request!]: conditions.map(one => ({ expressions: [one], actions })) };
}

/** A policy that asks for every header in each way that tells apart what logs confuse, each in a rule of its own. */
export function headerPolicy({ name }: Profile): Json {
  const { headers, key } = name === 'modern' ? MODERN : CAPITALS;
  const request = name === 'modern' ? 'on_http_request' : 'inbound';
  const values = { 'x-api-key': ['k1', 'k2'], 'user-agent': ['curl/8.1'], referer: ['-'], cookie: [' '] };
  const conditions = Object.entries(values).flatMap(([header, all]) => {
    const of = `${headers}['${key(header)}']`;
    return [
      `'${key(header)}' in ${headers}`,
      `${of}[0] == ''`,
      ...all.flatMap(value => [
        `${of} == ['${value}']`,
        // Neither without the header nor with an empty one.
        `'${key(header)}' in ${headers} && ${of}[0] == '${value}'`,
      ]),
    ];
  });
  const actions: Json = [{ type: 'add-headers', config: { headers: { 'x-mark': '1' } } }];
  return { [request]: conditions.map(one => ({ expressions: [one], actions })) };
}

function conditionsOn(names: Names): fc.Arbitrary<string> {
  const leaf = fc.oneof(
    { weight: 4, arbitrary: onHeaders(names, names.headers, HEADERS) },
    { weight: 4, arbitrary: onStrings(names) },
    onClients(names),
  );
  return combined(leaf);
}

function responseConditions(names: Names): fc.Arbitrary<string> {
  return combined(
    fc.oneof(onHeaders(names, names.responseHeaders, ['content-type', 'server']), fc.constant(names.status)),
  );
}

function combined(leaf: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    leaf.map(one => `!(${one})`),
    fc.tuple(leaf, fc.constantFrom('&&', '||'), leaf).map(all => all.join(' ')),
  );
}

function onHeaders(names: Names, map: string, keys: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...keys).map(key => `'${names.key(key)}'`);
  const value = fc.constantFrom(...VALUES).map(one => JSON.stringify(one));
  return fc.oneof(
    name.map(key => `${key} in ${map}`),
    name.map(key => `!(${key} in ${map})`),
    name.map(key => `size(${map}[${key}][0]) == 0`),
    fc.tuple(name, value).map(([key, one]) => `${map}[${key}][0] == ${one}`),
    fc.tuple(name, value).map(([key, one]) => `${map}[${key}] == [${one}]`),
    fc.tuple(name, value).map(([key, one]) => `${map}[${key}].exists(v, v.contains(${one}))`),
    fc.tuple(name, value).map(([key, one]) => `${key} in ${map} && ${map}[${key}][0] != ${one}`),
    // What several values of a header and one with commas tell apart.
    name.map(key => `size(${map}[${key}]) == 1`),
    fc.tuple(name, value).map(([key, one]) => `${one} in ${map}[${key}]`),
    fc.tuple(name, value).map(([key, one]) => `${map}[${key}].all(v, v.startsWith(${one}))`),
  );
}

function onStrings({ strings, parts, query }: Names): fc.Arbitrary<string> {
  const input = fc.constantFrom(...strings, ...parts);
  const text = fc.constantFrom(...TEXTS).map(one => JSON.stringify(one));
  return fc.oneof(
    fc.tuple(input, fc.constantFrom('==', '!='), text).map(all => all.join(' ')),
    fc
      .tuple(input, fc.constantFrom('startsWith', 'endsWith', 'contains'), text)
      .map(([of, test, one]) => `${of}.${test}(${one})`),
    fc.constantFrom('q', 'debug', 'number').map(name => `'${name}' in ${query}`),
  );
}

function onClients({ ip }: Names): fc.Arbitrary<string> {
  return fc.constantFrom(
    `${ip} == '127.0.0.2'`,
    `inCidrRange(${ip}, '127.0.0.0/24')`,
    `inCidrRanges(${ip}, ['10.0.0.0/8', '127.10.0.0/16'])`,
  );
}
