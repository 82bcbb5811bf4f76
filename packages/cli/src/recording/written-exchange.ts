// A recorded exchange as a test writes it, as small as possible.

import type { TestMessage, WrittenExchange } from '@tollgate/policy';
import type { Exchange, HeaderFacts } from '@tollgate/traffic';

/** Returns an exchange as a policy test states it, as far as tests can. */
export function writtenExchange(exchange: Exchange): WrittenExchange {
  const { time, clientIp, tls, method, target, protocol, requestHeaders, response } = exchange;
  const url = exchange.url ?? target;
  const connection = {
    ...(clientIp !== undefined && { client_ip: clientIp }),
    ...tlsOf(tls),
  };
  return {
    ...(time !== undefined && { now: new Date(time).toISOString() }),
    ...(Object.keys(connection).length > 0 && { connection }),
    request: {
      ...(method !== undefined && { method }),
      ...(url !== undefined && { url }),
      ...(protocol !== undefined && { protocol }),
      ...messageOf(requestHeaders),
    },
    ...(response && {
      response: { ...(response.status !== undefined && { status: response.status }), ...messageOf(response.headers) },
    }),
  };
}

function tlsOf({ version, cipherSuite, serverName }: Exchange['tls']): NonNullable<WrittenExchange['connection']> {
  const tls = {
    ...(version !== undefined && { version }),
    ...(cipherSuite !== undefined && { cipher_suite: cipherSuite }),
    ...(serverName !== undefined && { server_name: serverName }),
  };
  return Object.keys(tls).length > 0 ? { tls } : {};
}

/** Headers with one name are a list, under its first spelling. */
function messageOf({ fields, absent, complete }: HeaderFacts): TestMessage {
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
  return { ...(Object.keys(all).length > 0 && { headers: all }), ...(complete && { no_other_headers: true }) };
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
    ...optional(['connection'], connection),
    ...optional(['request', 'protocol'], request?.protocol),
    ...optional(['request', 'headers'], request?.headers),
    ...Object.keys(request?.headers ?? {}).map(name => ['request', 'headers', name]),
    ...optional(['request', 'no_other_headers'], request?.no_other_headers),
    ...optional(['response', 'headers'], response?.headers),
    ...Object.keys(response?.headers ?? {}).map(name => ['response', 'headers', name]),
    ...optional(['response', 'no_other_headers'], response?.no_other_headers),
    ...optional(['response', 'status'], response?.status),
    ...Object.keys(connection?.tls ?? {}).map(name => ['connection', 'tls', name]),
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
