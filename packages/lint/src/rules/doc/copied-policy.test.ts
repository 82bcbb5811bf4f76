import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { createLinter, lintText } from '../../engine/lint-text.ts';
import { lintWorkspace } from '../../engine/lint-workspace.ts';
import { activate } from '../../engine/resolve-rules.ts';
import { COPIED_POLICY } from './copied-policy.ts';

const LINTER = createLinter([activate(COPIED_POLICY)]);

function found(files: Readonly<Record<string, string>>): readonly string[] {
  const target = { profile: EDGE_V2, endpoint: 'https-route' } as const;
  const summarized = Object.entries(files).map(([uri, text]) => {
    const { summaries } = lintText(new SourceText(uri, text), target, LINTER);
    return { uri, summaries };
  });
  return lintWorkspace(summarized, LINTER.active).found.map(
    ({ uri, range, message }) => `${uri}:${range.start} ${message}`,
  );
}

const POLICY = 'inbound: [{name: a, actions: [{type: deny}]}]';

it('reports every copy after the first, whatever its layout', () => {
  const block = '# a copy\ninbound:\n  - name: a\n    actions:\n      - type: deny\n';
  expect(found({ 'a.yaml': POLICY, 'b.yaml': block, 'c.yaml': `${POLICY}\n---\n${POLICY}` })).toEqual([
    'b.yaml:9 policy is identical to the one in `a.yaml`; keep one file and attach it to both endpoints',
    'c.yaml:0 policy is identical to the one in `a.yaml`; keep one file and attach it to both endpoints',
    'c.yaml:50 policy is identical to the one in `a.yaml`; keep one file and attach it to both endpoints',
  ]);
});

it('is silent for policies that differ in content', () => {
  expect(
    found({ 'a.yaml': POLICY, 'b.yaml': POLICY.replace('deny', 'log'), 'c.yaml': POLICY.replace('a,', 'b,') }),
  ).toEqual([]);
});
