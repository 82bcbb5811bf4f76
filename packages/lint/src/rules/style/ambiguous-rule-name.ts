import { entryOf, type MapNode, type PlainValue, plainValue } from '@tollgate/policy';
import { ruleNode } from '../../actions/action-node.ts';
import type { LintedFile } from '../../rule-api/lint-context.ts';
import type { FileSummary, LintRule } from '../../rule-api/lint-rule.ts';

/** Two files with rules of one name that do not do the same. */
export const AMBIGUOUS_RULE_NAME: LintRule = {
  id: 'style/ambiguous-rule-name',
  severity: 'off',
  summary: 'a rule whose name another file has for something else',
  rationale:
    'Logs and figures name rules, and come from all policies together. Where one name stands for two things, nobody can tell which of them a ' +
    'line is about. Rules that are the same may have the same name. Only policies of one dialect are compared.',
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
            message: `\`${known.uri}\` has a rule \`${rule.name}\` that does something else; give one of them another name`,
            args: { name: rule.name, other: known.uri },
            related: [{ uri: known.uri, range: { start: known.start, end: known.end }, message: 'the other rule' }],
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
  const found = policies.flatMap(policy =>
    profile.phases.flatMap(phase =>
      policy.rules[phase].flatMap(rule => {
        const node = ruleNode(rule, policy);
        if (!rule.name || !node) return [];
        const content = JSON.stringify([phase, valueAt(node, 'expressions'), valueAt(node, 'actions')]);
        return [{ profile: profile.name, name: rule.name.value, content, ...rule.name.range }];
      }),
    ),
  );
  return found.length === 0 ? undefined : found;
}

function valueAt(node: MapNode, key: string): PlainValue {
  const value = entryOf(node, key)?.value;
  return value ? plainValue(value) : null;
}

function rulesOf({ uri, summary }: FileSummary): readonly { readonly uri: string; readonly rule: NamedRule }[] {
  return (summary as readonly NamedRule[]).map(rule => ({ uri, rule }));
}
