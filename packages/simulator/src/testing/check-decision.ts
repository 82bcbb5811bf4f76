/**
 * Compares what is seen of a decision, a value or the inputs that would settle it, with what a test expects.
 */
import { deepEqual } from '@tollgate/diagnostics/portable';
import { type Expectation, findTestedRule, type Rule, type TestHeaders } from '@tollgate/policy';
import type { Dialect } from '../exchange-state/dialect.ts';
import type { Decision } from '../simulation/decision.ts';
import {
  actionsSeen,
  askedSeen,
  bodySeen,
  endpointSeen,
  headerSeen,
  loggedSeen,
  type Observation,
  outcomeSeen,
  responseHeaderSeen,
  ruleSeen,
  seen,
  statusSeen,
  upstreamSeen,
} from './observations.ts';

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
