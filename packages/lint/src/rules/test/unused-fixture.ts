import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { POLICY } from './example-tests.ts';

/** `&phone` without a `*phone`. */
export const UNUSED_FIXTURE: LintRule = {
  id: 'test/unused-fixture',
  severity: 'info',
  summary: 'a part of a file of tests that has a name and is used once',
  rationale:
    'What several tests share is given a name with an anchor, `&phone`, and repeated with `*phone`. A name that nothing repeats is a rest of ' +
    'tests that are gone, and makes readers look for them.',
  bad: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: nobody may trace
    request: «&trace» { method: TRACE }
    expect: { outcome: denied }
`,
  },
  good: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: nobody may trace
    request: &trace { method: TRACE }
    expect: { outcome: denied }
  - name: the refusal has a status of its own
    request: *trace
    expect: { status: 403 }
`,
  },
  cost: 'fast',
  fixable: 'safe',
  presets: ['recommended'],
  check: {
    tests: ({ root }, context) => {
      const { source, comments } = context.file;
      if (!source.text.includes('&')) return;
      const signs = anchorsAndAliases(source.text, [...textsIn(root), ...comments]);
      for (const { sign, name, range, end } of signs) {
        if (sign !== '&' || signs.some(one => one.sign === '*' && one.name === name)) continue;
        const edits = [{ range: { start: range.start, end }, newText: '' }];
        context.report({
          range,
          message: `nothing repeats \`&${name}\`; take the name away`,
          args: { name },
          fixes: [{ title: `take \`&${name}\` away`, applicability: 'safe', edits }],
        });
      }
    },
  },
};

interface Sign {
  readonly sign: string;
  readonly name: string;
  readonly range: Range;
  /** Behind the space that follows. */
  readonly end: number;
}

/** What looks like one inside of a text or a comment is none. */
function anchorsAndAliases(text: string, texts: readonly Range[]): readonly Sign[] {
  const found = [...text.matchAll(/(?<![^\s:,[{?-])([&*])([^\s,[\]{}]+)( *)/g)].map(
    ({ 0: all, 1: sign, 2: name, 3: space, index }) => ({
      sign: sign!,
      name: name!,
      range: { start: index, end: index + all.length - space!.length },
      end: index + all.length,
    }),
  );
  return found.filter(({ range }) => !texts.some(({ start, end }) => start <= range.start && range.start < end));
}

function textsIn(node: DocumentNode): readonly Range[] {
  if (node.kind === 'list') return node.items.flatMap(textsIn);
  if (node.kind !== 'map') return [node.range];
  return node.entries.flatMap(({ keyRange, value }) => [keyRange, ...textsIn(value)]);
}
