import type { TestMessage, WrittenExchange } from '@tollgate/policy';
import { type Exchange, type HeaderFacts, normalizeAddress, type RecordLocation } from '@tollgate/traffic';
import { splitUrl, targetOf } from '../url/split-url.ts';

/** Returns the exchange that a test describes. Everything else is unknown. */
export function testExchange({ connection, request, response, now }: WrittenExchange, place: RecordLocation): Exchange {
  const { tls, client_ip: address } = connection ?? {};
  const url = request?.url;
  const parts = url === undefined ? undefined : splitUrl(url);
  return {
    place,
    time: now === undefined ? undefined : Date.parse(now),
    clientIp: address === undefined ? undefined : (normalizeAddress(address) ?? address),
    tls: { version: tls?.version, cipherSuite: tls?.cipher_suite, serverName: tls?.server_name },
    method: request?.method,
    target: parts && (targetOf(parts).startsWith('/') ? targetOf(parts) : `/${targetOf(parts)}`),
    url: parts && parts.scheme !== '' ? url!.replace(/#.*$/s, '') : undefined,
    protocol: request?.protocol,
    requestHeaders: headerFacts(request),
    response: response && { status: response.status, headers: headerFacts(response), bodySize: undefined },
  };
}

function headerFacts({ headers = {}, no_other_headers: complete = false }: TestMessage = {}): HeaderFacts {
  const entries = Object.entries(headers);
  const fields = entries.flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : (value ?? [])).map(one => ({ name, value: one })),
  );
  const absent = entries.flatMap(([name, value]) => (value === null ? [name.toLowerCase()] : []));
  return { fields, absent, complete, withheld: [] };
}
