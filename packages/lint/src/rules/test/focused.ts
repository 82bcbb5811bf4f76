import type { Fix } from '@tollgate/diagnostics';
import { entryOf, type MapEntryNode, type MapNode, removeEntries } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { POLICY, TESTS, testNodes } from './test-file.ts';

/** Reports `only: true`. */
export const FOCUSED: LintRule = {
  id: 'test/focused',
  severity: 'error',
  summary: 'policy test with `only`, which skips the others',
  rationale:
    '`only` is for working on a single test: the other tests of the file do not run. If it is committed, all of them could fail ' +
    'without anyone noticing.',
  bad: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: denies TRACE
    «only: true»
    request: { method: TRACE }
    expect: { outcome: denied }
  - name: passes GET
    request: { method: GET }
    expect: { outcome: passed }
`,
  },
  good: { policy: POLICY, tests: TESTS },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended'],
  check: {
    tests: ({ tests: { tests }, root }, context) => {
      for (const [index, node] of testNodes(root).entries()) {
        const entry = entryOf(node, 'only');
        if (!entry || tests[index]?.only !== true) continue;
        const others = tests.filter(test => !test.only).length;
        const skipped = others === 1 ? 'one other test' : `${others} other tests`;
        context.report({
          range: { start: entry.keyRange.start, end: entry.value.range.end },
          message: `${others === 0 ? 'any test added later' : skipped} will not run because of this \`only\`; remove it`,
          args: { others },
          fixes: fixesFor(node, entry, context.file.source.text),
        });
      }
    },
  },
};

function fixesFor(node: MapNode, entry: MapEntryNode, text: string): readonly Fix[] {
  const [edit] = removeEntries(text, node, [entry]);
  return edit ? [{ title: 'remove `only`', applicability: 'safe', edits: [edit] }] : [];
}
