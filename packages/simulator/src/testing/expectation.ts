/** What a test expects of a decision that is right: everything that a careful person would write down, and nothing that is not known. */
import { isRecord } from '@tollgate/diagnostics';
import type { Action, Expectation, PlainValue, Rule, TestHeaders } from '@tollgate/policy';
import { SIDES } from '../actions/effect.ts';
import type { Dialect } from '../exchange-state/dialect.ts';
import type { MessageChanges } from '../exchange-state/traffic-state.ts';
import type { Decision } from '../simulation/decision.ts';
import {
  askedSeen,
  bodySeen,
  endpointSeen,
  headerSeen,
  loggedSeen,
  type Observation,
  outcomeSeen,
  responseHeaderSeen,
  statusSeen,
  upstreamSeen,
} from './observations.ts';

/** What an expectation is about. */
export interface ExpectationContext {
  readonly dialect: Dialect;
  /** Rules whose changes are stated even if they do not run: that they do not is what the test shows. */
  readonly about: readonly Rule[];
}

/**
 * Returns what a test expects of a decision: the outcome and the status; and the target, headers, body, log and upstream request as far as a rule that
 * ran changes them. Undefined if the outcome is not known.
 */
export function expectationOf(decision: Decision, { dialect, about }: ExpectationContext): Expectation | undefined {
  const outcome = known(outcomeSeen(decision));
  if (outcome === undefined) return undefined;
  const actionsOn = (isResponse: boolean) =>
    about.filter(({ phase }) => (SIDES[phase] === 'response') === isResponse).flatMap(one => one.actions);
  const { response, upstream: asked } = decision;
  const isAsked = known(askedSeen(decision)) === true;
  const status = known(statusSeen(decision));
  const isMade = response?.changes.isMade === true;
  const body = isMade ? known(bodySeen(decision)) : undefined;
  const location =
    outcome === 'redirected' ? first(known(responseHeaderSeen(decision, dialect.headerKey('location')))) : undefined;
  const forwarded = known(endpointSeen(decision));
  const logged = known(loggedSeen(decision));
  const mayLog = about.flatMap(one => one.actions).some(({ type }) => type.value === 'log');
  const names = isMade ? answeredNames(decision, about) : changedNames(response?.changes);
  const headers = headersOf([...names, ...(response === undefined ? [] : namesIn(actionsOn(true)))], name =>
    name.toLowerCase() === 'location' ? UNSAID : responseHeaderSeen(decision, dialect.headerKey(name)),
  );
  const upstream = isAsked
    ? upstreamOf(decision, { dialect, actions: actionsOn(false), changes: asked.request.changes })
    : {};
  return {
    outcome: outcome as NonNullable<Expectation['outcome']>,
    ...(typeof status === 'number' && { status }),
    ...(typeof location === 'string' && { location }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(typeof body === 'string' && body !== '' && body.length <= MAX_BODY && { body }),
    ...(typeof forwarded === 'string' && { forwarded_to: forwarded }),
    ...(Object.keys(upstream).length > 0 && { upstream }),
    ...(Array.isArray(logged) && (logged.length > 0 || mayLog) && { logged: logged as readonly PlainValue[] }),
  };
}

/** Longer bodies say little to people. */
const MAX_BODY = 200;

const UNSAID: Observation = { needs: [] };

function upstreamOf(
  decision: Decision,
  {
    dialect,
    actions,
    changes,
  }: { readonly dialect: Dialect; readonly actions: readonly Action[]; readonly changes: MessageChanges },
): NonNullable<Expectation['upstream']> {
  const mayRewrite = actions.some(({ fact }) => fact?.changes?.some(path => /url|path/i.test(path)));
  const url =
    changes.url || mayRewrite
      ? known(upstreamSeen(decision, ({ url }) => (typeof url === 'string' ? { value: url } : UNSAID)))
      : undefined;
  const headers = headersOf([...changedNames(changes), ...namesIn(actions)], name =>
    upstreamSeen(decision, request => headerSeen(request.headers, dialect.headerKey(name))),
  );
  return {
    ...(typeof url === 'string' && url !== '' && { url }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

function known(observed: Observation): unknown {
  return 'value' in observed ? observed.value : undefined;
}

function first(values: unknown): unknown {
  return Array.isArray(values) ? values[0] : undefined;
}

function changedNames(changes: MessageChanges | undefined): readonly string[] {
  return [...(changes?.headers?.keys() ?? [])];
}

/** Returns the names of the headers of an answer that a rule gave. */
function answeredNames({ outcomes }: Decision, about: readonly Rule[]): readonly string[] {
  const ending = outcomes[0]?.action;
  return about.flatMap(({ actions }) =>
    actions.flatMap(({ type, config: { headers } }) =>
      type.value === ending && isRecord(headers) ? Object.keys(headers) : [],
    ),
  );
}

/** Returns the names of the headers that actions add or remove. */
function namesIn(actions: readonly Action[]): readonly string[] {
  return actions.flatMap(({ type, config: { headers } }) => {
    if (!/headers$/.test(type.value)) return [];
    if (Array.isArray(headers)) return headers.filter(one => typeof one === 'string');
    return isRecord(headers) ? Object.keys(headers) : [];
  });
}

/** Names differ by more than case. */
function headersOf(names: readonly string[], observe: (name: string) => Observation): TestHeaders {
  const found = new Map<string, readonly [name: string, value: TestHeaders[string]]>();
  for (const name of names) {
    const observed = observe(name);
    if (!('value' in observed) || found.has(name.toLowerCase())) continue;
    const { value } = observed;
    if (value !== undefined && !isTexts(value)) continue;
    const written = value === undefined ? null : value.length === 1 ? value[0]! : value;
    found.set(name.toLowerCase(), [name, written]);
  }
  return Object.fromEntries(found.values());
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string');
}
