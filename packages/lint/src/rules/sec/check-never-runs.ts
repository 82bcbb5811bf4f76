import { endsUnlessItFails, terminationOf } from '@tollgate/catalog';
import type { Action, Rule } from '@tollgate/policy';
import { isCheck } from '../../analyses/access.ts';
import { policyLogic } from '../../logic/policy-logic.ts';
import type { PhaseLogic, RuleLogic } from '../../logic/rule-logic.ts';
import { nameOfRule } from '../../readers/actions.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** At most this many earlier rules are compared with a check, which keeps the cost linear. */
const MAX_COMPARED = 32;

/** Reports `jwt-validation` after `forward-internal`. */
export const CHECK_NEVER_RUNS: LintRule = {
  id: 'sec/check-never-runs',
  severity: 'error',
  summary: 'security check after the traffic has already been forwarded',
  rationale:
    'Actions run in order. Once `forward-internal` forwards a request, evaluation ends, so a check of tokens, passwords, signatures or ' +
    'addresses after it never runs and the traffic reaches the upstream unchecked. Put checks first.',
  bad: {
    policy: `\
on_http_request:
  - name: webhooks
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
  - name: webhooks
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
      const forwards = (rule: Rule) => rule.actions.some(endsUnlessItFails);
      if (!context.file.profile.phases.some(phase => policy.rules[phase].some(forwards))) return;
      for (const phase of policyLogic(policy, context.file).phases) checkPhase(phase, context);
    },
  },
};

/** True for an action that may end evaluation. Actions after one that always does are reported as unreachable elsewhere. */
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
  const forwarding: RuleLogic[] = [];
  for (const [index, logic] of phase.entries()) {
    const check = logic.rule.actions.find(isCheck);
    if (check && forwarding.length > 0 && logic.condition !== undefined) {
      const by = covering(lastValid(forwarding, index), logic);
      const end = by?.rule.actions.find(isLateEnd);
      if (by && end) report(check, end, context, `in ${nameOfRule(by.rule)}`);
    }
    if (logic.isComplete && logic.rule.actions.some(endsUnlessItFails)) forwarding.push(logic);
  }
}

/** Returns the last rules whose conditions still mean the same at a position. */
function lastValid(rules: readonly RuleLogic[], position: number): readonly RuleLogic[] {
  return rules.slice(-MAX_COMPARED).filter(({ validUntil }) => validUntil >= position);
}

/** Returns the last of the earlier rules that together forward everything a later rule would check. */
function covering(earlier: readonly RuleLogic[], { condition, questions }: RuleLogic): RuleLogic | undefined {
  if (earlier.length === 0) return undefined;
  const positions = questions.covering(
    earlier.map(rule => rule.condition!),
    condition!,
  );
  return positions && earlier[positions.at(-1)!];
}

function report(check: Action, end: Action, context: LintContext, where: string): void {
  context.report({
    range: check.type.range,
    message: `\`${check.type.value}\` never runs: \`${end.type.value}\` ${where} already forwards the traffic; move the check before it`,
    args: { check: check.type.value, end: end.type.value },
    related: [{ range: end.type.range, message: 'traffic is forwarded here' }],
  });
}
