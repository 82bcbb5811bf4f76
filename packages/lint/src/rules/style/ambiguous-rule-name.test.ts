import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { createLinter, lintText } from '../../engine/lint-text.ts';
import { lintWorkspace } from '../../engine/lint-workspace.ts';
import { activate } from '../../engine/resolve-rules.ts';
import { AMBIGUOUS_RULE_NAME } from './ambiguous-rule-name.ts';

const LINTER = createLinter([activate(AMBIGUOUS_RULE_NAME)]);

function found(files: Readonly<Record<string, string>>): readonly string[] {
  const target = { profile: EDGE_V2, endpoint: 'https-route' } as const;
  const summarized = Object.entries(files).map(([uri, text]) => {
    const { summaries } = lintText(new SourceText(uri, text), target, LINTER);
    return { uri, summaries: JSON.parse(JSON.stringify(summaries)) };
  });
  return lintWorkspace(summarized, LINTER.active).found.map(
    ({ uri, range, message, related }) =>
      `${uri} ${files[uri]!.slice(range.start, range.end)}: ${message} (${related?.map(other => other.uri)})`,
  );
}

const POLICY = 'inbound: [{name: no bots, actions: [{type: deny}]}]';

it('reports a name that another file uses for other actions or in another phase', () => {
  const files = {
    'a.yaml': POLICY,
    'b.yaml': POLICY.replace('deny', 'log'),
    'c.yaml': `outbound: [{name: no bots, actions: [{type: log}]}]`,
  };
  const message = '`a.yaml` has a different rule named `no bots`; rename one of them (a.yaml)';
  expect(found(files)).toEqual([`b.yaml no bots: ${message}`, `c.yaml no bots: ${message}`]);
});

it('is silent for identical rules, other names and rules of the same file', () => {
  expect(
    found({
      'a.yaml': POLICY,
      'b.yaml': '# the same\ninbound:\n  - actions:\n      - type: deny\n    name: no bots\n',
      'c.yaml': POLICY.replace('no bots', 'none').replace('deny', 'log'),
      'd.yaml': 'outbound: [{name: x, actions: [{type: log}]}, {name: x, actions: [{type: compress-response}]}]',
      'e.yaml': 'inbound: []',
    }),
  ).toEqual([]);
});
