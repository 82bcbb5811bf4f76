import { entryOf, type MapNode, type PlainValue, plainValue } from '@tollgate/policy';
import { ruleNode } from '../../readers/actions.ts';
import type { LintedFile } from '../../rule-api/lint-context.ts';
import type { FileSummary, LintRule } from '../../rule-api/lint-rule.ts';

/** Reports rules of two files that share a name but differ in content. */
export const AMBIGUOUS_RULE_NAME: LintRule = {
  id: 'style/ambiguous-rule-name',
  severity: 'off',
  summary: 'rule name that another file uses for a different rule',
  rationale:
    'Logs and metrics from all policies identify rules by name. If two different rules share a name, nobody can tell which one an ' +
    'entry refers to. Identical rules may share a name. Only policies of the same profile are compared.',
  bad: {
    policy: `\
inbound:
  - name: no scanners
    expressions: ["req.Path.endsWith('.php')"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no scanners
    expressions: ["req.Path.endsWith('.php')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {},
  workspace: {
    summarize: file => namedRules(file),
    compare: (files, report) => {
      const first = new Map<string, NamedRule & { readonly uri: string }>();
      for (const { uri, rule } of files.flatMap(rulesOf)) {
        const key = `${rule.profile} ${rule.name}`;
        const known = first.get(key);
        if (!known) first.set(key, { ...rule, uri });
        else if (known.uri !== uri && known.content !== rule.content) {
          report(uri, {
            range: { start: rule.start, end: rule.end },
            message: `\`${known.uri}\` has a different rule named \`${rule.name}\`; rename one of them`,
            args: { name: rule.name, other: known.uri },
            related: [
              { uri: known.uri, range: { start: known.start, end: known.end }, message: 'the other rule is here' },
            ],
          });
        }
      }
    },
  },
};

interface NamedRule {
  readonly [key: string]: PlainValue;
  readonly profile: string;
  readonly name: string;
  /** Its phase, conditions and actions. */
  readonly content: string;
  readonly start: number;
  readonly end: number;
}

function namedRules({ policies, profile }: LintedFile): readonly NamedRule[] | undefined {
  const named = policies.flatMap(policy =>
    profile.phases.flatMap(phase =>
      policy.rules[phase].flatMap(rule => {
        const node = ruleNode(rule, policy);
        if (!rule.name || !node) return [];
        const content = JSON.stringify([phase, valueAt(node, 'expressions'), valueAt(node, 'actions')]);
        return [{ profile: profile.name, name: rule.name.value, content, ...rule.name.range }];
      }),
    ),
  );
  return named.length === 0 ? undefined : named;
}

function valueAt(node: MapNode, key: string): PlainValue {
  const value = entryOf(node, key)?.value;
  return value ? plainValue(value) : null;
}

function rulesOf({ uri, summary }: FileSummary): readonly { readonly uri: string; readonly rule: NamedRule }[] {
  return (summary as readonly NamedRule[]).map(rule => ({ uri, rule }));
}
