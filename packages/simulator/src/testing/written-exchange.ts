/** An exchange as a test writes it, as small as possible. */
import { isTestUrl, type TestLocation, type TestMessage, type WrittenExchange } from '@tollgate/policy';
import type { Exchange, GeoFacts, HeaderFacts } from '@tollgate/traffic';

/**
 * Returns an exchange as a policy test states it, as far as tests can.
 * @param isClosed state that there are no other headers also where some may have been sent that were not recorded
 */
export function writtenExchange(exchange: Exchange, isClosed = false): WrittenExchange {
  const { time, clientIp, geo, tls, method, target, protocol, requestHeaders, response } = exchange;
  // `OPTIONS *` has none.
  const url = [exchange.url, target].find(one => one !== undefined && isTestUrl(one));
  const connection = {
    ...(clientIp !== undefined && { client_ip: clientIp }),
    ...(geo && locationOf(geo)),
    ...tlsOf(tls),
  };
  return {
    ...(time !== undefined && { now: new Date(time).toISOString() }),
    ...(Object.keys(connection).length > 0 && { connection }),
    request: {
      ...(method !== undefined && { method }),
      ...(url !== undefined && { url }),
      ...(protocol !== undefined && { protocol }),
      ...messageOf(requestHeaders, isClosed),
    },
    ...(response && {
      response: {
        ...(response.status !== undefined && { status: response.status }),
        ...messageOf(response.headers, isClosed),
      },
    }),
  };
}

function tlsOf(facts: Exchange['tls']): NonNullable<WrittenExchange['connection']> {
  const { version, cipherSuite, serverName, clientName, alpn, ja4 } = facts;
  const tls = {
    ...(version !== undefined && { version }),
    ...(cipherSuite !== undefined && { cipher_suite: cipherSuite }),
    ...(serverName !== undefined && { server_name: serverName }),
    ...(clientName !== undefined && { client_name: clientName }),
    ...(alpn !== undefined && { alpn }),
    ...(ja4 !== undefined && { ja4 }),
  };
  return Object.keys(tls).length > 0 ? { tls } : {};
}

function locationOf(facts: GeoFacts): NonNullable<WrittenExchange['connection']> {
  const { countryCode, country, continent, subdivision, city, postalCode, timeZone, latitude, longitude } = facts;
  const { asNumber, asOrganization } = facts;
  const geo: TestLocation = {
    ...(countryCode !== undefined && { country_code: countryCode }),
    ...(country !== undefined && { country }),
    ...(continent !== undefined && { continent }),
    ...(subdivision !== undefined && { subdivision }),
    ...(city !== undefined && { city }),
    ...(postalCode !== undefined && { postal_code: postalCode }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(latitude !== undefined && { latitude }),
    ...(longitude !== undefined && { longitude }),
    ...(asNumber !== undefined && { as_number: asNumber }),
    ...(asOrganization !== undefined && { as_organization: asOrganization }),
  };
  return Object.keys(geo).length > 0 ? { geo } : {};
}

/** Headers with one name are a list, under its first spelling. */
function messageOf({ fields, absent, complete, withheld }: HeaderFacts, isClosed: boolean): TestMessage {
  const headers = new Map<string, { readonly name: string; readonly values: string[] }>();
  for (const { name, value } of fields) {
    const known = headers.get(name.toLowerCase());
    if (known) known.values.push(value);
    else headers.set(name.toLowerCase(), { name, values: [value] });
  }
  const present = Array.from(
    headers.values(),
    ({ name, values }) => [name, values.length === 1 ? values[0]! : values] as const,
  );
  const missing = absent.filter(name => !headers.has(name)).map(name => [name, null] as const);
  const all = Object.fromEntries([...present, ...missing]);
  const areAll = complete && (isClosed || withheld.length === 0);
  return { ...(Object.keys(all).length > 0 && { headers: all }), ...(areAll && { no_other_headers: true }) };
}

/** Returns the smallest part of an exchange that is still acceptable: what can be left out one after the other is left out. */
export function reduceExchange(
  whole: WrittenExchange,
  isAcceptable: (part: WrittenExchange) => boolean,
): WrittenExchange {
  let reduced = whole;
  for (const path of pathsIn(whole)) {
    const smaller = without(reduced, path) as WrittenExchange;
    if (isAcceptable(smaller)) reduced = smaller;
  }
  return reduced;
}

type Path = readonly string[];

/** Whole parts first: most tests need few of them. The method and the URL stay, because a test without them says nothing to people. */
function pathsIn({ now, connection, request, response }: WrittenExchange): readonly Path[] {
  const optional = (path: Path, value: unknown) => (value === undefined ? [] : [path]);
  return [
    ...optional(['response'], response),
    ...optional(['now'], now),
    ...optional(['connection', 'tls'], connection?.tls),
    ...optional(['connection', 'geo'], connection?.geo),
    ...optional(['connection', 'client_ip'], connection?.client_ip),
    ...optional(['request', 'protocol'], request?.protocol),
    ...optional(['request', 'headers'], request?.headers),
    ...Object.keys(request?.headers ?? {}).map(name => ['request', 'headers', name]),
    ...optional(['request', 'no_other_headers'], request?.no_other_headers),
    ...optional(['response', 'headers'], response?.headers),
    ...Object.keys(response?.headers ?? {}).map(name => ['response', 'headers', name]),
    ...optional(['response', 'no_other_headers'], response?.no_other_headers),
    ...optional(['response', 'status'], response?.status),
    ...Object.keys(connection?.tls ?? {}).map(name => ['connection', 'tls', name]),
    ...Object.keys(connection?.geo ?? {}).map(name => ['connection', 'geo', name]),
  ];
}

/** Returns a copy without the member at the path, and without objects that become empty. */
function without(value: object, [name, ...rest]: Path): object {
  const members = Object.entries(value).flatMap(([key, member]): readonly (readonly [string, unknown])[] => {
    if (key !== name) return [[key, member]];
    if (rest.length === 0 || typeof member !== 'object' || member === null) return [];
    const smaller = without(member, rest);
    return Object.keys(smaller).length === 0 ? [] : [[key, smaller]];
  });
  return Object.fromEntries(members);
}
