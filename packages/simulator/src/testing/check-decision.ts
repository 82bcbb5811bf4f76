/**
 * Compares what is seen of a decision, a value or the inputs that would settle it, with what a test expects.
 */
import { Unknown } from '@tollgate/cel';
import { deepEqual } from '@tollgate/diagnostics/portable';
import { type Expectation, findTestedRule, type Rule, type TestHeaders } from '@tollgate/policy';
import type { Dialect } from '../exchange-state/dialect.ts';
import { type HeaderMap, headerValues } from '../exchange-state/headers.ts';
import type { Known } from '../exchange-state/traffic-state.ts';
import { type Decision, loggedBy, type RuleResult } from '../simulation/decision.ts';

type Path = Mismatch['path'];

/** The context in which a decision is checked. */
export interface DecisionContext {
  /** Parallel to the rules of the decision. */
  readonly rules: readonly Rule[];
  readonly dialect: Dialect;
  /** The path of the expectations in the file. */
  readonly path: Path;
}

/** One expectation and the actual value. */
interface Check {
  readonly at: Path;
  /** What is checked, for messages: `status`. */
  readonly what: string;
  /** Undefined for nothing. */
  readonly expected: unknown;
  readonly observed: Observation;
}

/** Returns the expectations that a decision does not meet, or may not meet. */
export function checkDecision(
  expectation: Expectation,
  decision: Decision,
  context: DecisionContext,
): readonly Mismatch[] {
  const { actions, logged } = expectation;
  const checks = [
    ...clientChecks(expectation, decision, context.dialect),
    ...upstreamChecks(expectation, decision, context.dialect),
    ...checkOf(['actions'], 'the actions that fire', actions, () => actionsSeen(decision, context.rules)),
    ...checkOf(['logged'], 'what is logged', logged, () => loggedSeen(decision)),
  ];
  const found = checks.flatMap(check => mismatchOf(check, context.path));
  return [...found.map(one => withRule(one, decision, context.path)), ...checkRules(expectation, decision, context)];
}

function clientChecks(expected: Expectation, decision: Decision, { headerKey }: Dialect): readonly Check[] {
  const { outcome, status, headers, body } = expected;
  const location = expected.location === undefined ? undefined : [expected.location];
  const observe = (name: string) => responseHeaderSeen(decision, headerKey(name));
  return [
    ...checkOf(['outcome'], 'the outcome', outcome, () => outcomeSeen(decision)),
    ...checkOf(['status'], 'the status', status, () => statusSeen(decision)),
    ...checkOf(['location'], 'the header `Location`', location, () => observe('location')),
    ...headerChecks(['headers'], headers, observe),
    ...checkOf(['body'], 'the body', body, () => bodySeen(decision)),
    ...checkOf(['forwarded_to'], 'the internal endpoint', expected.forwarded_to, () => endpointSeen(decision)),
  ];
}

function upstreamChecks({ upstream = {} }: Expectation, decision: Decision, { headerKey }: Dialect): readonly Check[] {
  const { asked, url, headers } = upstream;
  return [
    ...checkOf(['upstream', 'asked'], 'whether the upstream is asked', asked, () => askedSeen(decision)),
    ...checkOf(['upstream', 'url'], 'the URL that the upstream gets', url, () =>
      upstreamSeen(decision, request => seen(request.url)),
    ),
    ...headerChecks(['upstream', 'headers'], headers, name =>
      upstreamSeen(decision, request => headerSeen(request.headers, headerKey(name))),
    ),
  ];
}

/** Only what is expected is checked. */
function checkOf(at: Path, what: string, expected: unknown, observe: () => Observation): readonly Check[] {
  return expected === undefined ? [] : [{ at, what, expected, observed: observe() }];
}

function headerChecks(at: Path, headers: TestHeaders | undefined, observe: (name: string) => Observation): Check[] {
  return Object.entries(headers ?? {}).map(([name, value]) => ({
    at: [...at, name],
    what: `the header \`${name}\``,
    expected: typeof value === 'string' ? [value] : (value ?? undefined),
    observed: observe(name),
  }));
}

function checkRules({ rules = {} }: Expectation, { rules: results }: Decision, context: DecisionContext) {
  return Object.entries(rules).flatMap(([key, expected]): readonly Mismatch[] => {
    const at = ['rules', key];
    const index = findTestedRule(key, context.rules);
    if (typeof index !== 'number') {
      const path = [...context.path, ...at];
      return [{ kind: 'unknown-rule', path, message: index.message, expected, found: undefined, needs: [] }];
    }
    const what = `the rule \`${key}\``;
    const found = mismatchOf({ at, what, expected, observed: ruleSeen(results[index]!) }, context.path);
    return found.map(one => ({ ...one, rule: index }));
  });
}

function mismatchOf({ at, what, expected, observed }: Check, before: Path): readonly Mismatch[] {
  const path = [...before, ...at];
  if ('needs' in observed) {
    const { needs, candidates } = observed;
    if (candidates && !candidates.includes(expected)) {
      const message = `expected ${what} to be ${shown(expected)}, found ${candidates.map(shown).join(' or ')}`;
      return [{ kind: 'differs', path, message, expected, found: undefined, needs }];
    }
    const message = `${what} is undetermined${needs.length === 0 ? '' : `: needs ${needs.join(', ')}`}`;
    return [{ kind: 'undetermined', path, message, expected, found: undefined, needs }];
  }
  const found = observed.value;
  if (deepEqual(found, expected)) return [];
  const message = isAsked(at)
    ? `expected the upstream ${expected === true ? '' : 'not '}to be asked, but it was${expected === true ? ' not' : ''}`
    : `expected ${what} to be ${shown(expected)}, found ${shown(found)}`;
  return [{ kind: 'differs', path, message, expected, found, needs: [] }];
}

function isAsked(at: Path): boolean {
  return at.join('.') === 'upstream.asked';
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value) && value.every(one => typeof one === 'string'))
    return value.length === 0 ? 'none' : value.map(one => `\`${one}\``).join(', ');
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

/** The status depends on the rule that ended the evaluation. */
function withRule(mismatch: Mismatch, { rules }: Decision, before: Path): Mismatch {
  const key = mismatch.path[before.length];
  if (mismatch.kind !== 'differs' || (key !== 'outcome' && key !== 'status')) return mismatch;
  const rule = rules.findIndex(one => one.status === 'matched' && one.actions.some(({ ending }) => ending));
  return rule < 0 ? mismatch : { ...mismatch, rule };
}

/** An expectation that is not met, or may not be. */
export interface Mismatch {
  /** `differs`; or the test does not say enough to tell; or the policy has no such rule, or several; or the test states what it cannot. */
  readonly kind: 'differs' | 'undetermined' | 'unknown-rule' | 'invalid';
  /** The path of the expectation in the file: `tests`, 3, `expect`, `status`. */
  readonly path: readonly (string | number)[];
  /** Lower case, without a final period. */
  readonly message: string;
  /** As data; undefined for nothing or unknown. */
  readonly expected: unknown;
  readonly found: unknown;
  /** The inputs that would settle it; empty unless it is undetermined. */
  readonly needs: readonly string[];
  /** The position of the rule that decided the actual value, if one did. */
  readonly rule?: number;
}

/** The observed value of one property of a decision, undefined for nothing; or the inputs that would settle it. */
type Observation =
  | { readonly value: unknown }
  | { readonly needs: readonly string[]; readonly candidates?: readonly unknown[] };

/** Returns the kind of the outcome. */
function outcomeSeen({ outcomes, needs }: Decision): Observation {
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  return kinds.length === 1 ? { value: kinds[0] } : { needs, candidates: kinds };
}

/** Returns the status that the client receives. */
function statusSeen({ response }: Decision): Observation {
  return response ? seen(response.status) : NO_RESPONSE;
}

/** Returns the body that the client receives. */
function bodySeen({ response }: Decision): Observation {
  return response ? seen(response.body) : NO_RESPONSE;
}

// Not undefined: a header expected to be absent would then pass if there is no response at all.
const NO_RESPONSE: Observation = { value: 'no response' };
const NO_REQUEST: Observation = { value: 'no request' };

/** Returns the values of a response header. */
function responseHeaderSeen({ response }: Decision, key: string): Observation {
  return response ? headerSeen(response.headers, key) : NO_RESPONSE;
}

/** Returns the values of a header. */
function headerSeen(headers: HeaderMap, key: string): Observation {
  const values = headerValues(headers, key);
  if (values === undefined || values instanceof Unknown) return seen(values);
  const needs = values.flatMap(value => (value instanceof Unknown ? value.attributes : []));
  return needs.length > 0 ? { needs: unique(needs) } : { value: values };
}

/** Returns the URL of the internal endpoint that the traffic is forwarded to; nothing if it is not. */
function endpointSeen({ outcomes, needs, rules }: Decision): Observation {
  const kinds = new Set(outcomes.map(({ kind }) => kind));
  if (!kinds.has('forwarded')) return { value: undefined };
  if (kinds.size > 1) return { needs };
  const traces = rules.flatMap(rule => ('actions' in rule ? rule.actions : []));
  const forwarding = traces.filter(({ ending }) => ending?.outcome.kind === 'forwarded');
  const urls = forwarding.map(({ notes }) => notes.find(note => note.kind === 'sent')?.url);
  const [url] = urls;
  return url !== undefined && urls.every(one => one === url) ? { value: url } : { needs: ['the URL of the endpoint'] };
}

/** Returns whether the upstream receives the request. */
function askedSeen({ upstream, needs }: Decision): Observation {
  return upstream.isAsked === undefined ? { needs } : { value: upstream.isAsked };
}

/** Observes the request that the upstream receives, if it receives one. */
function upstreamSeen(decision: Decision, observe: (request: Decision['upstream']['request']) => Observation) {
  const asked = askedSeen(decision);
  if ('needs' in asked) return asked;
  return asked.value === true ? observe(decision.upstream.request) : NO_REQUEST;
}

/** Returns a known value, or the inputs that would settle it. */
function seen(value: Known<unknown>): Observation {
  return value instanceof Unknown ? { needs: value.attributes } : { value };
}

/** Returns the result of a rule. */
function ruleSeen(result: RuleResult): Observation {
  return result.status === 'undetermined' ? { needs: result.needs } : { value: result.status };
}

/** Returns the types of the actions that fired, in order. */
function actionsSeen({ rules: results }: Decision, rules: readonly Rule[]): Observation {
  const needs = new Set<string>();
  const fired: string[] = [];
  for (const [index, result] of results.entries()) {
    if (result.status !== 'matched' && result.status !== 'undetermined') continue;
    for (const [at, trace] of result.actions.entries()) {
      if (trace.result === 'fired') fired.push(rules[index]!.actions[at]!.type.value);
      if (trace.result !== 'may-have-fired') continue;
      for (const need of [...(result.status === 'undetermined' ? result.needs : []), ...trace.needs]) needs.add(need);
      if (needs.size === 0) needs.add(`whether \`${rules[index]!.actions[at]!.type.value}\` fires`);
    }
  }
  return needs.size > 0 ? { needs: [...needs] } : { value: fired };
}

/** Returns the logged metadata, in order. */
function loggedSeen(decision: Decision): Observation {
  const open = decision.rules.flatMap(rule => (rule.status === 'undetermined' && mayLog(rule) ? rule.needs : []));
  const logged = loggedBy(decision);
  const needs = unique([...open, ...logged.flatMap(unknownsIn)]);
  return needs.length > 0 ? { needs } : { value: logged.map(asData) };
}

function mayLog({ actions }: Extract<RuleResult, { status: 'undetermined' }>): boolean {
  return actions.some(({ notes }) => notes.some(note => note.kind === 'logged'));
}

function unknownsIn(value: unknown): readonly string[] {
  if (value instanceof Unknown) return value.attributes;
  if (value instanceof Map) return [...value.values()].flatMap(unknownsIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(unknownsIn) : [];
}

/** Returns the value as JSON data, to compare it with what the test file says. */
function asData(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (Array.isArray(value)) return value.map(asData);
  // A map with keys other than strings.
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, member]) => [String(key), asData(member)]));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asData(member)]));
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
