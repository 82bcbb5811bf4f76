import { type PlainValue, plainValue } from '@tollgate/policy';
import type { FileSummary, LintRule } from '../../rule-api/lint-rule.ts';

/** Two files with the same policy. */
export const COPIED_POLICY: LintRule = {
  id: 'doc/copied-policy',
  severity: 'off',
  summary: 'a policy that another file has too, word for word',
  rationale:
    'Two copies of a policy drift apart: a mistake is mended in one of them. One file can be attached to several endpoints, and is then changed for ' +
    'all of them at once. Layout and comments do not count.',
  bad: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['strict'],
  check: {},
  workspace: {
    summarize: ({ policies }) =>
      policies.map(({ node }) => ({
        content: JSON.stringify(plainValue(node)),
        at: node.entries[0]?.keyRange.start ?? 0,
      })),
    compare: (files, report) => {
      const first = new Map<string, Summary & { readonly uri: string }>();
      for (const { uri, policy } of files.flatMap(policiesOf)) {
        const known = first.get(policy.content);
        if (!known) first.set(policy.content, { ...policy, uri });
        else {
          report(uri, {
            range: rangeOf(policy),
            message: `\`${known.uri}\` has the same policy; keep one of them, and attach it twice`,
            args: { other: known.uri },
            related: [{ uri: known.uri, range: rangeOf(known), message: 'the same policy' }],
          });
        }
      }
    },
  },
};

interface Summary {
  readonly content: string;
  /** Where the policy begins. */
  readonly at: number;
}

function policiesOf({ uri, summary }: FileSummary): readonly { readonly uri: string; readonly policy: Summary }[] {
  return (summary as readonly PlainValue[]).map(policy => ({ uri, policy: policy as PlainValue & Summary }));
}

function rangeOf({ at }: Summary) {
  return { start: at, end: at };
}
