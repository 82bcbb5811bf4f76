import type { ConfigField } from '@tollgate/catalog';
import { entryOf } from '@tollgate/policy';
import { ruleNode } from '../../facts/action-node.ts';
import type { LintRule } from '../../rule/lint-rule.ts';

function limit(name: string, value: number, doc: string): ConfigField {
  return { name, type: { kind: 'int', min: 1, max: 100_000 }, default: value, doc };
}

/** More rules, conditions or actions than a plan allows. */
export const LIMITS: LintRule = {
  id: 'doc/limits',
  severity: 'warning',
  summary: 'more rules, conditions or actions than are accepted',
  rationale:
    'The service refuses policies that are too large for the plan of the account, with one error at a time and only on publishing. What is ' +
    'accepted depends on the plan and is not published as numbers: set the options to yours.',
  bad: {
    policy: `\
inbound:
  - name: one
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - «name»: two
    expressions: ["req.Method == 'CONNECT'"]
    actions: [{ type: deny }]
`,
    options: { rules: 1 },
  },
  good: {
    policy: `\
inbound:
  - name: no tunnels
    expressions: ["req.Method in ['TRACE', 'CONNECT']"]
    actions: [{ type: deny }]
`,
    options: { rules: 1 },
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended'],
  options: [
    limit('rules', 1000, 'Rules in one phase of a policy.'),
    limit('expressions', 100, 'Conditions of a rule.'),
    limit('actions', 100, 'Actions of a rule.'),
  ],
  check: {
    rule: (rule, policy, context) => {
      const map = ruleNode(rule, policy);
      const most = (name: string) => context.options[name] as number;
      const first = map?.entries[0]?.keyRange ?? rule.range;
      if (rule.index === most('rules')) {
        const found = policy.rules[rule.phase].length;
        const message = `\`${rule.phase}\` has ${found} rules, and ${most('rules')} are accepted; from here on there are too many`;
        context.report({ range: first, message, args: { found, max: most('rules') } });
      }
      for (const key of ['expressions', 'actions'] as const) {
        const found = rule[key].length;
        if (found <= most(key)) continue;
        const range = (map && entryOf(map, key)?.keyRange) ?? first;
        const message = `the rule has ${found} ${key}, and ${most(key)} are accepted`;
        context.report({ range, message, args: { found, max: most(key) } });
      }
    },
  },
};
