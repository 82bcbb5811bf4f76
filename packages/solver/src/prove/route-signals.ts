import { type ValueRole, variablesAt } from '@tollgate/catalog';
import { checkCondition, invariantContext } from '@tollgate/policy';
import type { RouteMatch } from '@tollgate/simulator';
import type { Signal } from '../logic/graph.ts';
import type { Session } from '../policy/session.ts';
import { readCondition } from '../reader/read-condition.ts';

/** Returns signals that hold together for the requests that a route takes: it matches, and no route that is tried before. */
export function routeSignals(matches: readonly RouteMatch[], at: number, session: Session): readonly Signal[] {
  const taken = matches.slice(0, at + 1).map(match => matchSignal(match, session));
  return taken.map((signal, position) => (position === at ? signal : -signal));
}

function matchSignal({ host, path, isExact }: RouteMatch, session: Session): Signal {
  const tests: Signal[] = [];
  if (host !== undefined)
    tests.push(testOf('host', session, value => `${value}.matches(${quoted(`^(?i:${literal(host)})(?::[0-9]*)?$`)})`));
  if (path !== undefined)
    tests.push(testOf('path', session, value => `${value}${isExact ? ' == ' : '.startsWith'}(${quoted(path)})`));
  return session.vocabulary.graph.and(tests);
}

/** Returns the signal that holds where an expression about the value of a role in the request as received is true. */
function testOf(role: ValueRole, session: Session, expression: (value: string) => string): Signal {
  const { profile, endpoint } = session.context;
  const { place, environment } = invariantContext(profile, endpoint);
  const variable = variablesAt(profile, place).find(fact => fact.role === role);
  const { typed } = checkCondition(expression(variable?.path ?? ''), { profile, place, environment });
  if (typed === undefined) return session.anyCondition().whenTrue;
  return readCondition(typed, environment, { ...session.reading(place.phase), versionOf: () => '' }).whenTrue;
}

/** Returns a string literal of CEL, whose escapes include those of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Returns an RE2 pattern that matches only the string. */
function literal(text: string): string {
  return [...text].map(one => (PLAIN.includes(one) ? one : `\\${one}`)).join('');
}

/** All other characters of hosts are punctuation, which RE2 escapes with a backslash. */
const PLAIN = 'abcdefghijklmnopqrstuvwxyz0123456789';
