import type { Fix } from '@tollgate/diagnostics';
import { entryOf, type MapEntryNode, type MapNode, removeEntries } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { POLICY, TESTS } from './example-tests.ts';
import { testNodes } from './test-nodes.ts';

/** `only: true`. */
export const FOCUSED: LintRule = {
  id: 'test/focused',
  severity: 'error',
  summary: 'a test that keeps the others from being run',
  rationale:
    '`only` is for the time of working on a test: of its file, only tests that say so are run. Left in, all others could fail ' +
    'without anyone noticing.',
  bad: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: nobody may trace
    «only: true»
    request: { method: TRACE }
    expect: { outcome: denied }
  - name: everybody may read
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
        const what = others === 1 ? 'one other test' : `${others} other tests`;
        context.report({
          range: { start: entry.keyRange.start, end: entry.value.range.end },
          message: `${others === 0 ? 'a test that is added later' : what} will not be run, because of this \`only\`; take it out`,
          args: { others },
          fixes: fixesFor(node, entry, context.file.source.text),
        });
      }
    },
  },
};

function fixesFor(node: MapNode, entry: MapEntryNode, text: string): readonly Fix[] {
  const [edit] = removeEntries(text, node, [entry]);
  return edit ? [{ title: 'run the other tests as well', applicability: 'safe', edits: [edit] }] : [];
}
