import type { WrittenExchange } from '@tollgate/policy';

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
