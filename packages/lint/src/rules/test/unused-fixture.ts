import type { Range } from '@tollgate/diagnostics';
import type { DocumentNode } from '@tollgate/policy';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { POLICY } from './test-file.ts';

/** Reports `&phone` without a `*phone`. */
export const UNUSED_FIXTURE: LintRule = {
  id: 'test/unused-fixture',
  severity: 'info',
  summary: 'unused anchor in a file of policy tests',
  rationale:
    'Tests share values with an anchor such as `&phone`, which `*phone` repeats. An anchor without an alias is left over from deleted ' +
    'tests and makes readers look for its uses.',
  bad: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: denies TRACE
    request: «&trace» { method: TRACE }
    expect: { outcome: denied }
`,
  },
  good: {
    policy: POLICY,
    tests: `\
policy: policy.yaml
tests:
  - name: denies TRACE
    request: &trace { method: TRACE }
    expect: { outcome: denied }
  - name: responds to TRACE with 403
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
      const markers = anchorsAndAliases(source.text, [...scalarRanges(root), ...comments]);
      for (const { kind, name, range, end } of markers) {
        if (kind !== '&' || markers.some(other => other.kind === '*' && other.name === name)) continue;
        const edits = [{ range: { start: range.start, end }, newText: '' }];
        context.report({
          range,
          message: `anchor \`&${name}\` is never used; remove it`,
          args: { name },
          fixes: [{ title: `remove \`&${name}\``, applicability: 'safe', edits }],
        });
      }
    },
  },
};

interface Marker {
  readonly kind: string;
  readonly name: string;
  readonly range: Range;
  /** End offset, including the spaces that follow. */
  readonly end: number;
}

/** Lists anchors and aliases outside scalars and comments. */
function anchorsAndAliases(text: string, excluded: readonly Range[]): readonly Marker[] {
  const candidates = [...text.matchAll(/(?<![^\s:,[{?-])([&*])([^\s,[\]{}]+)( *)/g)].map(
    ({ 0: all, 1: kind, 2: name, 3: space, index }) => ({
      kind: kind!,
      name: name!,
      range: { start: index, end: index + all.length - space!.length },
      end: index + all.length,
    }),
  );
  return candidates.filter(
    ({ range }) => !excluded.some(({ start, end }) => start <= range.start && range.start < end),
  );
}

function scalarRanges(node: DocumentNode): readonly Range[] {
  if (node.kind === 'list') return node.items.flatMap(scalarRanges);
  if (node.kind !== 'map') return [node.range];
  return node.entries.flatMap(({ keyRange, value }) => [keyRange, ...scalarRanges(value)]);
}
