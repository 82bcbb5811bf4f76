import fc from 'fast-check';

const HEADERS = fc.dictionary(
  fc.constantFrom('Host', 'X-A', 'x-a', 'X-B', 'Cookie', 'Content-Length', 'Content-Type', 'Authorization'),
  fc.constantFrom('1', '2', '-', '', 'e.co', 'id=1', '9', 'text/event-stream', 'Basic YWRhOmNvcnJlY3QtaG9yc2U=', 'é'),
  { maxKeys: 4 },
);
const ADDRESS = fc.oneof(fc.constantFrom('10.1.2.3', '::1', '192.0.2.1:80', 'x', 7, null), fc.ipV4());
const URL_TEXT = fc.oneof(
  fc.constantFrom('https://e.co/a?q=1', 'http://e.co', 'https://E.co/b?q', '/a', 'https://e.co/é', 'no'),
  fc.nat(99).map(number => `https://e.co/a/${number}`),
);
const RECORD = fc.record(
  {
    time: fc.oneof(
      fc.nat(99_999).map(ms => new Date(ms).toISOString()),
      fc.constantFrom(1e9, '', null),
    ),
    client_ip: ADDRESS,
    client_port: fc.constantFrom(1024, '51312', null),
    method: fc.constantFrom('GET', 'POST', '', 5),
    url: URL_TEXT,
    host: fc.constantFrom('e.co', 'f.co'),
    path: fc.constantFrom('/a', '/b'),
    target: fc.constantFrom('/a?q=1', 'http://E.co/a', 'https://e.co:8443/b', '*', '-', 7),
    request_line: fc.constantFrom('GET /b HTTP/1.1', 'GET HTTP://e.co/a HTTP/1.0', 'http://e.co/', ''),
    query: fc.constantFrom('', 'q=1'),
    protocol: fc.constantFrom('HTTP/1.1', 'h2', 'x'),
    status: fc.constantFrom(200, '404', 503, 0, 1e3, null),
    tls_version: fc.constantFrom('TLS 1.2', '1.3', 'none', null),
    server_name: fc.constantFrom('e.co', ''),
    country: fc.constantFrom('DE', 'FR', 'Atlantis', ''),
    city: fc.constantFrom('Berlin', 1),
    user_agent: fc.constantFrom('', '-', 'curl', null),
    request_headers: fc.oneof({ weight: 4, arbitrary: HEADERS }, fc.constantFrom(null, {}, [], { 'X-A': ['1'] }, 'x')),
    response_headers: HEADERS,
    other: fc.constantFrom(1, 'a', [1], { a: { b: 1 } }),
  },
  { requiredKeys: [] },
);

/** As different programs write JSON, and what is none. */
const STYLES: readonly ((record: object) => string)[] = [
  JSON.stringify,
  JSON.stringify,
  record => JSON.stringify(record).replaceAll('":', '": ').replaceAll(',"', ', "'),
  record => JSON.stringify(record).replaceAll('/', '\\/'),
  record => `${JSON.stringify(record)}\r`,
  record => JSON.stringify(Object.fromEntries(Object.entries(record).toReversed())),
  record => JSON.stringify(record).replace('{', '{"method":"PUT",'),
  record => JSON.stringify(record).replace('"X-A":', '"x-a":"2","X-A":'),
  record => JSON.stringify(record).slice(1),
];

/** As one program writes them. */
export const PLAIN_LINES = fc
  .tuple(fc.array(RECORD, { minLength: 1, maxLength: 12 }), fc.constantFrom(1, 20))
  .map(([records, times]) =>
    Array.from({ length: times }, () => records)
      .flat()
      .map(record => JSON.stringify(withoutOddHeaders(record)))
      .join('\n'),
  );

/** Names in one spelling, each with a value. */
function withoutOddHeaders({ user_agent, request_headers, response_headers, ...record }: RecordValue): object {
  const kept = (headers: unknown) =>
    typeof headers === 'object' && headers !== null && !Array.isArray(headers)
      ? Object.entries(headers).filter(([name]) => name !== 'x-a')
      : [];
  const [request, response] = [kept(request_headers), kept(response_headers)];
  return {
    ...{ client_ip: '10.1.2.3', ...record },
    ...(user_agent !== null && user_agent !== undefined && { user_agent }),
    ...(request.length > 0 && { request_headers: Object.fromEntries(request) }),
    ...(response.length > 0 && { response_headers: Object.fromEntries(response) }),
  };
}

type RecordValue = typeof RECORD extends fc.Arbitrary<infer T> ? T : never;

const LINE = fc.tuple(RECORD, fc.constantFrom(...STYLES)).map(([record, write]) => write(record));
/** Few lines many times, or many. */
export const LINES = fc
  .tuple(fc.array(LINE, { minLength: 1, maxLength: 12 }), fc.constantFrom(1, 2, 20, 600))
  .map(([lines, times]) =>
    Array.from({ length: times }, () => lines)
      .flat()
      .join('\n'),
  );

const LABEL = fc.constantFrom('e', 'e.co', 'E.co', 'xn--e', '1', 'a-b.e', 'e.', '[::1]', 'é.co');
const PATH = fc
  .array(fc.constantFrom('/', 'a', 'admin', '.php', '%2e', '%', '..', 'é', '"', '\\', ';', "'", ' ', '😀'), {
    maxLength: 4,
  })
  .map(parts => `/${parts.join('')}`);
const VARIED_URL = fc
  .tuple(
    fc.constantFrom('https://', 'http://', 'HTTPS://', 'ftp://', ''),
    fc.tuple(LABEL, fc.constantFrom('', '', '', ':8080', ':')).map(parts => parts.join('')),
    fc.oneof(PATH, fc.constantFrom('', `/${'a'.repeat(160)}`, `/${'a'.repeat(159)}`)),
    fc.constantFrom('', '', '?', '?q=1', '?q=%20', '?a?b', '#x', '?q#x'),
  )
  .map(parts => parts.join(''));
const VARIED_ADDRESS = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.constantFrom(
    '2001:db8::1',
    '2001:db8:0::1',
    '2001:DB8::1',
    '2001:db8::1:0',
    '::ffff:10.1.2.3',
    '::ffff:a01:203',
    '010.1.2.3',
  ),
  fc.constantFrom(
    '10.1.2.3:80',
    '[::1]:80',
    '10.1.2.3, 192.0.2.1',
    'fe80::1%eth0',
    '1:2:3:4:5:6::8',
    '1::2:3:4:5:6:7',
    '',
  ),
  ADDRESS,
);
const VARIED_HEADER = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('1', '2', '-', '', 'é', '\\', '"', 'admin'),
);

/** Lines whose URLs, addresses and headers determine what rules read: each value in a field of its own, and most of them different. */
export const VARIED_LINES = fc
  .array(
    fc.record({
      client_ip: VARIED_ADDRESS,
      url: fc.oneof(VARIED_URL, URL_TEXT),
      status: fc.constantFrom(200, 404, 503),
      request_headers: fc.record({ 'X-A': VARIED_HEADER, 'X-B': VARIED_HEADER }),
    }),
    { minLength: 10, maxLength: 40 },
  )
  .map(records => records.map(record => JSON.stringify(record)).join('\n'));

/** Recorded times are in the first seconds of 1970, and far later. */
const LIMITS = fc.oneof(fc.integer({ min: -1_000, max: 100_000 }), fc.integer({ min: 0, max: 1.8e12 }));

/** Selections of lines; none in half of the cases. */
export const SELECTIONS = fc.option(
  fc.oneof(
    fc.record({ since: LIMITS }),
    fc.record({
      until: LIMITS,
      sample: fc.record({ percent: fc.integer({ min: 1, max: 100 }), seed: fc.nat(99) }),
    }),
    fc.record({ sample: fc.record({ count: fc.integer({ min: 1, max: 9 }), seed: fc.nat(99) }) }),
  ),
  { nil: undefined, freq: 1 },
);
