import { parseCidr, parseIp } from '@tollgate/cel';
import { groupsInExpression, type WrittenRange } from '../../analyses/literals/address-groups.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { type LintedExpression, placeOf } from '../../rule-api/linted-expression.ts';

/** `inCidrRange(conn.ClientIP, '10.0.0.0')`. */
export const INVALID: LintRule = {
  id: 'ip/invalid',
  severity: 'error',
  summary: 'a text that no address is equal to, or in',
  rationale:
    'The functions for address ranges give false for a range that they cannot read, without an error; and an address compared with ' +
    'a range, or with something else, is never equal to it. Either way the condition holds for nobody. A range has a prefix length, ' +
    'also when it is one address: `203.0.113.7/32`.',
  bad: {
    policy: `\
inbound:
  - name: only the office
    expressions: ["!inCidrRanges(conn.ClientIP, ['203.0.113.0/24', «'198.51.100.7'», '2001:db8:7::/48'])"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: only the office
    expressions: ["!inCidrRanges(conn.ClientIP, ['203.0.113.0/24', '198.51.100.7/32', '2001:db8:7::/48'])"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'unsafe',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      for (const { ranges } of groupsInExpression(at)) {
        for (const range of ranges) if (!range.range || range.isAddress) reportRange(range, context);
      }
      reportAddresses(at, context);
    },
  },
};

function reportRange(written: WrittenRange, context: LintContext): void {
  const { text, range, place } = written;
  const value = range && `${text}/${range.prefixLength}`;
  const hint = value === undefined ? 'expected one such as `203.0.113.0/24` or `2001:db8::/32`' : `write \`${value}\``;
  context.report({
    range: place,
    message: `\`${text}\` is no address range and holds no address; ${hint}`,
    args: { found: text, ...(value !== undefined && { suggestion: value }) },
    ...(value !== undefined && {
      fixes: [{ title: `change to \`${value}\``, applicability: 'unsafe', edits: written.replace(value) }],
    }),
  });
}

/** The empty text stands for an address that is not known. */
function reportAddresses(at: LintedExpression, context: LintContext): void {
  const tests = at.analysis.testsOf('client-address').filter(isEquality);
  for (const { node, text } of textsOf(tests)) {
    if (text === '' || parseIp(text)) continue;
    const hint = parseCidr(text)
      ? 'is a range, and an address never equals one; ask a function for ranges'
      : 'is no address; expected one such as `203.0.113.7`';
    context.report({ range: placeOf(at, node.range), message: `\`${text}\` ${hint}`, args: { found: text } });
  }
}
