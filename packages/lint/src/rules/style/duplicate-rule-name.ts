import type { Fix } from '@tollgate/diagnostics';
import { entryOf, type Policy, type Rule, replaceScalar } from '@tollgate/policy';
import { ruleNode } from '../../readers/actions.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports two rules of a phase with the same name. */
export const DUPLICATE_RULE_NAME: LintRule = {
  id: 'style/duplicate-rule-name',
  severity: 'warning',
  summary: 'two rules of a phase with the same name',
  rationale:
    'Logs, traces and tests refer to rules by name, so with two rules of the same name it is unclear which one is meant. Often the ' +
    'second is a copy that should have been changed.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - name: «no TRACE»
    expressions: ["req.Method == 'CONNECT'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
  - name: no CONNECT
    expressions: ["req.Method == 'CONNECT'"]
    actions: [{ type: deny, config: { status_code: 405 } }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended', 'style'],
  check: {
    policy: (policy, context) => {
      const { rules } = policy;
      for (const phase of context.file.profile.phases) {
        const first = new Map<string, NonNullable<Rule['name']>>();
        const taken = new Set(rules[phase].flatMap(({ name }) => name?.value ?? []));
        for (const rule of rules[phase]) {
          const { name } = rule;
          if (!name || name.value.trim() === '') continue;
          const known = first.get(name.value);
          if (!known) first.set(name.value, name);
          else {
            context.report({
              range: name.range,
              message: `another rule of this phase is named \`${name.value}\`; rename one of them`,
              args: { name: name.value },
              related: [{ range: known.range, message: 'first rule of this name' }],
              fixes: renaming(rule, policy, taken, context.file.source.text),
            });
          }
        }
      }
    },
  },
};

/**
 * Suggests a numbered name. Unsafe, because logs and tests refer to rules by name.
 *
 * @param taken names in use; the new name is added
 */
function renaming(rule: Rule, policy: Policy, taken: Set<string>, document: string): readonly Fix[] {
  const map = ruleNode(rule, policy);
  const node = map && entryOf(map, 'name')?.value;
  if (node?.kind !== 'scalar' || !node.text) return [];
  let number = 2;
  while (taken.has(`${rule.name!.value} ${number}`)) number++;
  const name = `${rule.name!.value} ${number}`;
  taken.add(name);
  return [{ title: `rename to \`${name}\``, applicability: 'unsafe', edits: replaceScalar(document, node.text, name) }];
}
