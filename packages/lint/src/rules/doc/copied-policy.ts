import { type PlainValue, plainValue } from '@tollgate/policy';
import type { FileSummary, LintRule } from '../../rule-api/lint-rule.ts';

/** Reports files that contain the same policy as an earlier file. */
export const COPIED_POLICY: LintRule = {
  id: 'doc/copied-policy',
  severity: 'off',
  summary: 'policy that is identical to the policy of another file',
  rationale:
    'Copies of a policy drift apart, because a mistake gets fixed in only one of them. One file can be attached to several endpoints ' +
    'and then changes for all of them at once. Layout and comments are ignored in the comparison.',
  bad: {
    policy: `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: no TRACE
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
            message: `policy is identical to the one in \`${known.uri}\`; keep one file and attach it to both endpoints`,
            args: { other: known.uri },
            related: [{ uri: known.uri, range: rangeOf(known), message: 'identical policy' }],
          });
        }
      }
    },
  },
};

interface Summary {
  readonly content: string;
  /** Offset of the first key of the policy. */
  readonly at: number;
}

function policiesOf({ uri, summary }: FileSummary): readonly { readonly uri: string; readonly policy: Summary }[] {
  return (summary as readonly PlainValue[]).map(policy => ({ uri, policy: policy as PlainValue & Summary }));
}

function rangeOf({ at }: Summary) {
  return { start: at, end: at };
}
