import { endsUnlessItFails, terminationOf } from '@tollgate/catalog';
import type { Action, Rule } from '@tollgate/policy';
import { isCheck } from '../../analyses/access/access.ts';
import { coveringRules } from '../../logic/phases/coverage.ts';
import type { PhaseLogic, RuleLogic } from '../../logic/phases/rule-logic.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { nameOfRule } from '../../rule-api/rule-name.ts';

/** More rules that hand traffic on are not compared with a check: it stays linear. */
const MAX_COMPARED = 32;

/** `jwt-validation` behind `forward-internal`. */
export const CHECK_NEVER_RUNS: LintRule = {
  id: 'sec/check-never-runs',
  severity: 'error',
  summary: 'a check of traffic that was already forwarded',
  rationale:
    'Actions run in order. Once `forward-internal` has handed a request on, the policy is over, and a check of tokens, passwords, signatures ' +
    'or addresses behind it never runs: the traffic reaches the upstream unchecked. Checks come first.',
  bad: {
    policy: `\
on_http_request:
  - name: hooks
    expressions: ["req.url.path.startsWith('/hooks/')"]
    actions:
      - type: forward-internal
        config: { url: https://hooks.internal, on_error: continue }
      - type: «verify-webhook»
        config: { provider: github, secret: "\${secrets.get('hooks', 'github')}" }
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: hooks
    expressions: ["req.url.path.startsWith('/hooks/')"]
    actions:
      - type: verify-webhook
        config: { provider: github, secret: "\${secrets.get('hooks', 'github')}" }
      - type: forward-internal
        config: { url: https://hooks.internal }
`,
    profile: 'modern',
  },
  cost: 'slow',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    policy: (policy, context) => {
      for (const phase of context.file.profile.phases)
        for (const rule of policy.rules[phase]) checkActions(rule, context);
      const hands = (rule: Rule) => rule.actions.some(endsUnlessItFails);
      if (!context.file.profile.phases.some(phase => policy.rules[phase].some(hands))) return;
      for (const phase of policyLogic(policy, context.file).phases) checkPhase(phase, context);
    },
  },
};

/** What stands behind an action that always ends the policy is reported as unreachable. */
function isLateEnd(action: Action): boolean {
  return endsUnlessItFails(action) && terminationOf(action) !== 'always';
}

function checkActions({ actions }: Rule, context: LintContext): void {
  const end = actions.findIndex(isLateEnd);
  if (end < 0) return;
  for (const action of actions.slice(end + 1)) {
    if (isCheck(action)) report(action, actions[end]!, context, 'before it');
  }
}

function checkPhase(phase: PhaseLogic, context: LintContext): void {
  const handing: RuleLogic[] = [];
  for (const [index, logic] of phase.entries()) {
    const check = logic.rule.actions.find(isCheck);
    if (check && handing.length > 0 && logic.condition !== undefined) {
      const by = covering(lastValid(handing, index), logic);
      const end = by?.rule.actions.find(isLateEnd);
      if (by && end) report(check, end, context, `in ${nameOfRule(by.rule)}`);
    }
    if (logic.approximation !== undefined && logic.rule.actions.some(endsUnlessItFails)) handing.push(logic);
  }
}

/** Those whose conditions are at a position what they were. */
function lastValid(rules: readonly RuleLogic[], position: number): readonly RuleLogic[] {
  return rules.slice(-MAX_COMPARED).filter(one => one.validUntil >= position);
}

/** The rule that hands on all that a later one would check, if they do together. */
function covering(earlier: readonly RuleLogic[], { approximation, condition, work }: RuleLogic): RuleLogic | undefined {
  const sketches = earlier.map(one => one.approximation!);
  if (earlier.length === 0 || approximation!.hasUncoveredInput({ mayHoldIn: () => sketches })) return undefined;
  return coveringRules(earlier, condition!, work)?.at(-1);
}

function report(check: Action, end: Action, context: LintContext, where: string): void {
  context.report({
    range: check.type.range,
    message: `\`${check.type.value}\` never runs: \`${end.type.value}\` ${where} already hands the traffic on; move the check before it`,
    args: { check: check.type.value, end: end.type.value },
    related: [{ range: end.type.range, message: 'the traffic is handed on here' }],
  });
}
