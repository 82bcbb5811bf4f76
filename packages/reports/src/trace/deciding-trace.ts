// Why a test failed: the rules that decided, with the values of their expressions.

import type { Profile } from '@tollgate/catalog';
import type { Paint } from '@tollgate/diagnostics';
import {
  type EmbeddedPolicy,
  type PhaseEnvironments,
  type Policy,
  type PolicyTest,
  type PolicyTests,
  type Rule,
  rangeInFile,
} from '@tollgate/policy';
import { type DecisionTrace, type TestResult, traceTest } from '@tollgate/simulator';
import { buildView } from './build-view.ts';
import { textRule } from './text-trace.ts';

/** A test that ran, and what it ran on. */
interface Tested {
  readonly test: PolicyTest;
  readonly tests: PolicyTests;
  readonly runnable: { readonly policy: Policy; readonly profile: Profile; readonly environments: PhaseEnvironments };
  readonly embedded: EmbeddedPolicy;
  readonly profile: Profile;
}

/** Renders rules in a style. */
type Render = (style: { readonly paint: Paint; readonly width: number | undefined }) => string;

/**
 * Returns what a terminal shows of the rules that decided a failed test: those that the failed expectations are about, or those that should have
 * decided. Undefined if there are none.
 */
export function decidingTrace(
  result: TestResult,
  { test, tests, runnable, embedded, profile }: Tested,
): Render | undefined {
  if (result.status !== 'failed' || result.mismatches.every(({ kind }) => kind === 'invalid')) return undefined;
  const { policy } = runnable;
  const rules = profile.phases.flatMap(phase => policy.rules[phase]);
  const trace = traceTest(policy, { file: tests, test }, runnable);
  const chosen = rulesToShow(result, { trace, rules, test });
  if (chosen.length === 0) return undefined;
  const view = buildView({ policy, profile, trace });
  const file = { source: embedded.file, inFile: (range: Rule['range']) => rangeInFile(embedded, range) };
  return ({ paint, width }) =>
    chosen.map(at => textRule(view.rules[at]!, file, { paint, ...(width !== undefined && { width }) })).join('\n\n');
}

interface Context {
  readonly trace: DecisionTrace;
  readonly rules: readonly Rule[];
  readonly test: PolicyTest;
}

function rulesToShow({ mismatches }: TestResult, { trace, rules, test }: Context): readonly number[] {
  const named = [...new Set(mismatches.flatMap(({ rule }) => rule ?? []))];
  if (named.length > 0) return named;
  const open = trace.rules.flatMap(({ status }, at) => (status === 'undetermined' ? [at] : []));
  if (open.length > 0 && mismatches.some(({ kind }) => kind === 'undetermined')) return open.slice(0, MAX_SHOWN);
  const missed = rules.flatMap((rule, at) =>
    trace.rules[at]!.status === 'not-matched' || trace.rules[at]!.status === 'failed'
      ? wouldDecide(rule, test)
        ? [at]
        : []
      : [],
  );
  if (missed.length > 0) return missed.slice(0, MAX_SHOWN);
  return trace.rules.flatMap(({ status }, at) => (status === 'matched' ? [at] : [])).slice(-1);
}

/** A failed test is about one decision; more rules would bury it. */
const MAX_SHOWN = 2;

const ENDS: Readonly<Record<string, string>> = {
  denied: 'deny',
  redirected: 'redirect',
  answered: 'custom-response',
  forwarded: 'forward-internal',
  closed: 'close-connection',
};

/** Returns true if a rule has the action that a test expects to decide. */
function wouldDecide({ actions }: Rule, { expect: { outcome, status } }: PolicyTest): boolean {
  return actions.some(({ type, config }) => {
    const { status_code: code } = config;
    if (status !== undefined && code !== undefined) return code === status;
    return outcome !== undefined && ENDS[outcome] === type.value;
  });
}
