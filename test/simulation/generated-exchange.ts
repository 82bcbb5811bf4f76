import type { Exchange, HeaderFacts, HeaderField } from '@tollgate/traffic';
import fc from 'fast-check';

function headers(...first: HeaderField[]): fc.Arbitrary<HeaderFacts> {
  const field = fc.record({ name: fc.constantFrom('X-A', 'x-b', 'Vary'), value: fc.constantFrom('1', '2') });
  const others = fc.constantFrom<HeaderField>(
    { name: 'cookie', value: 'id=1' },
    { name: 'Accept-Encoding', value: 'gzip, br;q=0.5' },
    { name: 'Authorization', value: 'Basic YWRhOmNvcnJlY3QtaG9yc2U=' },
    { name: 'content-type', value: 'text/event-stream; charset=utf-8' },
    { name: 'Content-Length', value: '9' },
  );
  return fc
    .array(fc.oneof(field, others), { maxLength: 4 })
    .map(fields => ({ fields: [...first, ...fields], absent: [], complete: true, withheld: [] }));
}

/** Exchanges of which everything that a recording can hold is recorded. */
export const WHOLE: fc.Arbitrary<Exchange> = fc
  .record({
    target: fc.constantFrom('/', '/a', '/a?q=1', '/b?q'),
    clientIp: fc.constantFrom('10.1.2.3', '192.0.2.1', '::1'),
    method: fc.constantFrom('GET', 'POST'),
    protocol: fc.constantFrom('HTTP/1.1', 'HTTP/2.0'),
    time: fc.nat(200_000),
    geo: fc.record({ countryCode: fc.constantFrom('DE', 'FR', ''), city: fc.constantFrom('Berlin', '') }),
    connection: fc.record({ clientPort: fc.constantFrom(1024, 51_312), serverPort: fc.constantFrom(80, 443) }),
    version: fc.constantFrom('TLS 1.2', 'TLS 1.3'),
    requestHeaders: fc.constantFrom('e.co', 'f.co', 'E.co:8443').chain(host => headers({ name: 'Host', value: host })),
    response: fc.record({ status: fc.constantFrom(200, 404, 503), headers: headers(), bodySize: fc.constant(0) }),
  })
  .map(({ version, ...exchange }) => ({
    ...exchange,
    place: { file: 'a', number: 1, unit: 'entry' },
    tls: { version, cipherSuite: 'TLS_AES_128_GCM_SHA256', serverName: 'e.co' },
    url: `https://${exchange.requestHeaders.fields[0]!.value}${exchange.target}`,
  }));

const HIDDEN = ['host', 'x-a', 'x-b', 'cookie', 'vary', 'accept-encoding', 'authorization', 'content-type'] as const;

/** What is left out of a recording. */
export const MASK = fc.record({
  clientIp: fc.boolean(),
  geo: fc.boolean(),
  connection: fc.boolean(),
  method: fc.boolean(),
  url: fc.boolean(),
  scheme: fc.boolean(),
  hostName: fc.boolean(),
  target: fc.boolean(),
  protocol: fc.boolean(),
  time: fc.boolean(),
  tls: fc.boolean(),
  response: fc.boolean(),
  status: fc.boolean(),
  headers: fc.uniqueArray(fc.constantFrom(...HIDDEN)),
  withheld: fc.boolean(),
  unclear: fc.boolean(),
});

type Mask = typeof MASK extends fc.Arbitrary<infer T> ? T : never;

/** The exchange as a recording has it that leaves these out. */
export function masked(whole: Exchange, mask: Mask): Exchange {
  const keep = <T>(value: T, isMasked: boolean) => (isMasked ? undefined : value);
  const { status, ...response } = whole.response!;
  const { protocol: scheme, hostname } = new URL(whole.url!);
  return {
    ...whole,
    clientIp: keep(whole.clientIp, mask.clientIp),
    geo: keep(whole.geo, mask.geo),
    connection: keep(whole.connection, mask.connection),
    method: keep(whole.method, mask.method),
    url: keep(whole.url, mask.url || mask.target),
    scheme: keep(scheme.slice(0, -1), mask.scheme),
    hostName: keep(hostname, mask.hostName),
    target: keep(whole.target, mask.target),
    protocol: keep(whole.protocol, mask.protocol),
    time: keep(whole.time, mask.time),
    tls: mask.tls ? { version: undefined, cipherSuite: undefined, serverName: undefined } : whole.tls,
    requestHeaders: maskedHeaders(whole.requestHeaders, mask),
    response: keep(
      { ...response, status: keep(status, mask.status), headers: maskedHeaders(response.headers, mask) },
      mask.response,
    ),
  };
}

function maskedHeaders(facts: HeaderFacts, mask: Mask): HeaderFacts {
  if (mask.headers.length === 0) return facts;
  const isKept = (name: string) => !mask.headers.some(hidden => hidden === name.toLowerCase());
  const fields = facts.fields.filter(({ name }) => isKept(name));
  if (mask.unclear) return unclearHeaders(facts, { ...mask, fields });
  if (mask.withheld) return { ...facts, fields, withheld: mask.headers };
  const present = new Set(facts.fields.map(({ name }) => name.toLowerCase()));
  const absent = HIDDEN.filter(name => name !== 'host' && !present.has(name) && isKept(name));
  return { fields, absent, complete: false, withheld: [] };
}

interface UnclearMask extends Pick<Mask, 'headers' | 'withheld'> {
  readonly fields: HeaderFacts['fields'];
}

/** Returns headers as a log has them that writes the same for one that was not sent, and for one with this value. */
function unclearHeaders(facts: HeaderFacts, { headers, fields, withheld }: UnclearMask): HeaderFacts {
  const valuesOf = (name: string) => facts.fields.filter(field => field.name.toLowerCase() === name);
  const repeated = headers.filter(name => valuesOf(name).length > 1);
  const unclear = new Map(
    headers.flatMap(name => (repeated.includes(name) ? [] : [[name, valuesOf(name)[0]?.value ?? '1'] as const])),
  );
  if (withheld) return { ...facts, fields, withheld: repeated, unclear };
  return { fields, absent: [], complete: false, withheld: [], unclear };
}
