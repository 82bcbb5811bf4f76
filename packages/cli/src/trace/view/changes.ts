import { type NonValue, Unknown, type Value } from '@tollgate/cel';
import { type HeaderMap, headerValues, type NamedValues, type TrafficState } from '@tollgate/simulator';

/** A change by an action. */
export interface Change {
  /** The changed value as expressions name it, or in words: `request.url`, `response.headers["Server"]`, `vars.tier`. */
  readonly what: string;
  /** Undefined if it is added. */
  readonly before: Value | NonValue | undefined;
  /** Undefined if it is removed. */
  readonly after: Value | NonValue | undefined;
}

/** Returns the differences between two states of the traffic. */
export function changesBetween(before: TrafficState, after: TrafficState): readonly Change[] {
  if (before === after) return [];
  const [request, response] = [after.request, after.response];
  const isDiscarded = response.status instanceof Unknown && !(before.response.status instanceof Unknown);
  const changes: readonly Change[] = [
    { what: 'request.url', before: before.request.url, after: request.url },
    ...headerChanges('request.headers', before.request.headers, request.headers),
    { what: 'response.status', before: before.response.status, after: response.status },
    // The response to a changed request is unknown as a whole, which takes one entry.
    ...(isDiscarded ? [] : headerChanges('response.headers', before.response.headers, response.headers)),
    { what: 'response.body', before: before.response.body, after: response.body },
    ...namedChanges('vars', before.vars, after.vars),
    ...namedChanges('', before.results, after.results),
  ];
  return changes.filter(change => !isEqual(change.before, change.after));
}

function headerChanges(what: string, before: HeaderMap, after: HeaderMap): readonly Change[] {
  if (before === after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map(name => ({
    what: `${what}[${JSON.stringify(name)}]`,
    before: headerValues(before, name) as Value | NonValue | undefined,
    after: headerValues(after, name) as Value | NonValue | undefined,
  }));
}

function namedChanges(prefix: string, before: NamedValues, after: NamedValues): readonly Change[] {
  if (before === after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.map(name => ({
    what: prefix === '' ? name : `${prefix}.${name}`,
    before: before[name],
    after: after[name],
  }));
}

/** Two unknown values are equal, whatever the reasons. */
function isEqual(a: unknown, b: unknown): boolean {
  if (a instanceof Unknown || b instanceof Unknown) return a instanceof Unknown && b instanceof Unknown;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  return Object.is(a, b);
}
