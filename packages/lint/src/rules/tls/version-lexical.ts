import { checkLiterals } from '../../analyses/literals.ts';
import type { ValueTest } from '../../readers/value-tests.ts';
import { literalSource, sourceFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';
import { tlsVersions } from './tls-versions.ts';

const ORDERS: Readonly<Record<string, (version: string, bound: string) => boolean>> = {
  '<': (version, bound) => version < bound,
  '<=': (version, bound) => version <= bound,
  '>': (version, bound) => version > bound,
  '>=': (version, bound) => version >= bound,
};

/** Reports `conn.tls.version < '1.2'`. */
export const VERSION_LEXICAL: LintRule = {
  id: 'tls/version-lexical',
  severity: 'info',
  summary: 'TLS versions compared in string order',
  rationale:
    "Versions are strings and compare character by character. The order is right for today's versions only by chance: `1.10` would " +
    'sort before `1.2`, and the empty string of a connection without TLS sorts before all of them. List the versions instead.',
  bad: {
    policy: `\
on_http_request:
  - name: no old TLS
    expressions: ["«conn.tls.version < '1.2'»"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  good: {
    policy: `\
on_http_request:
  - name: no old TLS
    expressions: ["conn.tls.version in ['1.0', '1.1']"]
    actions: [{ type: deny }]
`,
    profile: 'modern',
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['strict'],
  check: checkLiterals(['tls-version'], ({ text, test, at, context }) => {
    const versions = tlsVersions(context.file.profile);
    const matching = versionsOf(test.kind, text, versions);
    if (!matching || !versions.includes(text)) return undefined;
    const quoted = matching.map(version => literalSource(sourceOf(at, test.literals[0]!.node.range), version));
    const newText = `${sourceOf(at, test.operand.range)} in [${quoted.join(', ')}]`;
    return {
      range: rangeInDocument(at, test.call.range),
      message: `versions are compared as strings; list them instead: \`${newText}\``,
      args: { versions: matching },
      fixes: [sourceFix(at, test.call, { newText, title: 'list the versions', applicability: 'suggestion' })],
    };
  }),
};

function versionsOf(
  kind: ValueTest['kind'],
  bound: string,
  versions: readonly string[],
): readonly string[] | undefined {
  const holds = ORDERS[kind];
  const matching = holds && versions.filter(version => holds(version, bound));
  return matching && matching.length > 0 ? matching : undefined;
}
