import type { FunctionFact } from '@tollgate/catalog';
import type { Fix } from '@tollgate/diagnostics';
import { checkLiterals } from '../../analyses/literals.ts';
import { markedNode, type ValueTest } from '../../readers/value-tests.ts';
import { literalSource, sourceFix } from '../../rule-api/fixes.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, rangeInDocument, sourceOf } from '../../rule-api/linted-expression.ts';

const PARTIAL: ReadonlySet<ValueTest['kind']> = new Set([
  'startsWith',
  'endsWith',
  'contains',
  'matches',
  '<',
  '<=',
  '>',
  '>=',
]);

/** Complete leading bytes of an IPv4 address, up to and including a dot. */
const WHOLE_BYTES = /^(?:\d{1,3}\.){1,3}$/;

/** Reports `conn.ClientIP.startsWith('10.')`. */
export const STRING_COMPARE: LintRule = {
  id: 'ip/string-compare',
  severity: 'warning',
  summary: 'address range tested with string operations',
  rationale:
    'Prefixes and patterns are not address ranges: `10.1` is also a prefix of `10.100.0.1`, an unescaped `.` matches any character, ' +
    'and an IPv6 address has many spellings. The range functions compare bits.',
  bad: {
    policy: `\
inbound:
  - name: block a network
    expressions: ["«conn.ClientIP.startsWith('203.0.113.')»"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: block a network
    expressions: ["inCidrRange(conn.ClientIP, '203.0.113.0/24')"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'suggestion',
  presets: ['recommended', 'security'],
  check: checkLiterals(
    ['client-address'],
    ({ text, test, at, context }) => {
      const range = test.kind === 'startsWith' ? rangeOfPrefix(text) : undefined;
      const inRange = context.file.profile.functions.find(isRangeTest);
      const hint = range === undefined ? 'use a range function' : `test for the range \`${range}\``;
      return {
        range: rangeInDocument(at, markedNode(test).range),
        message: `address is compared as a string with \`${text}\`, not as a range; ${hint}`,
        args: { found: text, ...(range !== undefined && { suggestion: range }) },
        fixes: range !== undefined && inRange && !test.isListed ? [rangeFix(at, test, inRange.name, range)] : [],
      };
    },
    test => PARTIAL.has(test.kind),
  ),
};

function rangeOfPrefix(text: string): string | undefined {
  if (!WHOLE_BYTES.test(text)) return undefined;
  const bytes = text.slice(0, -1).split('.');
  return `${[...bytes, '0', '0', '0'].slice(0, 4).join('.')}/${bytes.length * 8}`;
}

/** True for functions such as `inCidrRange` that take an address and one range. */
function isRangeTest({ params }: FunctionFact): boolean {
  return (
    params.length === 2 &&
    params[0]!.role === 'address' &&
    params[1]!.role === 'address-range' &&
    params[1]!.type === 'string'
  );
}

function rangeFix(at: LintedExpression, test: ValueTest, name: string, range: string): Fix {
  const literal = literalSource(sourceOf(at, test.literals[0]!.node.range), range);
  const newText = `${name}(${sourceOf(at, test.operand.range)}, ${literal})`;
  return sourceFix(at, test.call, { newText, title: `test for the range \`${range}\``, applicability: 'suggestion' });
}
