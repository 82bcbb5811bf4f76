import { type Expectation, findTestedRule, type Rule } from '@tollgate/policy';
import type { Decision } from '@tollgate/simulator';
import { formatOutcome } from '../replay/result/outcome-text.ts';
import { ruleLabel } from '../replay/result/replay-result.ts';

/** Returns what a test expects of a decision with one outcome: its outcome, its status, and the rules that matched or failed. */
export function expectationOf({ outcomes, rules, response }: Decision, all: readonly Rule[]): Expectation {
  const [outcome] = outcomes;
  const results = rules.flatMap((result, at) =>
    result.status === 'matched' || result.status === 'failed' ? [[keyOf(all, at), result.status] as const] : [],
  );
  const status = typeof response?.status === 'number' ? response.status : undefined;
  return {
    outcome: outcome!.kind,
    ...(status !== undefined && { status }),
    ...(results.length > 0 && { rules: Object.fromEntries(results) }),
  };
}

/** Returns the name of a rule if it is the only one with it; otherwise its phase and number. */
function keyOf(rules: readonly Rule[], at: number): string {
  const rule = rules[at]!;
  const name = rule.name?.value;
  return name !== undefined && findTestedRule(name, rules) === at ? name : ruleLabel(rule);
}

/** Returns the name of a test: `POST /cart is denied with 403 by "no writing"`. */
export function testName({ outcomes, rules }: Decision, request: string, all: readonly Rule[]): string {
  const [outcome] = outcomes;
  const at = rules.findLastIndex(one => one.status === 'matched' && one.actions.some(({ ending }) => ending));
  const rule = at < 0 ? '' : ` by ${keyOf(all, at)}`;
  const kind =
    outcome!.kind === 'passed'
      ? 'passes'
      : outcome!.kind === 'failed'
        ? formatOutcome(outcome!).replace('failed', 'fails')
        : `is ${formatOutcome(outcome!)}`;
  const matched = rules.flatMap((one, index) => (index !== at && one.status === 'matched' ? keyOf(all, index) : []));
  const after = matched.length === 0 ? '' : `, after ${matched.join(', ')}`;
  return `${request} ${kind}${rule}${after}`;
}
