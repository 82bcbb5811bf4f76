import { parseCidr, parseIp } from '@tollgate/cel/tooling';
import { groupsInExpression, type RangeLiteral } from '../../analyses/address-groups.ts';
import { checkLiterals } from '../../analyses/literals.ts';
import { isEquality } from '../../readers/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';

/** Reports `inCidrRange(conn.ClientIP, '10.0.0.0')`. */
export const INVALID: LintRule = {
  id: 'ip/invalid',
  severity: 'error',
  summary: 'invalid address or CIDR range',
  rationale:
    'The range functions return false for a range that they cannot parse, without an error, and an address never equals a range or any ' +
    'other string. Either way the condition holds for no client. A range needs a prefix length even for a single address: ' +
    '`203.0.113.7/32`.',
  bad: {
    policy: `\
inbound:
  - name: office only
    expressions: ["!inCidrRanges(conn.ClientIP, ['203.0.113.0/24', «'198.51.100.7'», '2001:db8:7::/48'])"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: office only
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
      ADDRESSES.expression(at, context);
    },
  },
};

function reportRange(entry: RangeLiteral, context: LintContext): void {
  const { text, range, place } = entry;
  const value = range && `${text}/${range.prefixLength}`;
  const hint = value === undefined ? 'use a range such as `203.0.113.0/24` or `2001:db8::/32`' : `write \`${value}\``;
  context.report({
    range: place,
    message: `\`${text}\` is not a valid CIDR range and never matches; ${hint}`,
    args: { found: text, ...(value !== undefined && { suggestion: value }) },
    ...(value !== undefined && {
      fixes: [{ title: `change to \`${value}\``, applicability: 'unsafe', edits: entry.replace(value) }],
    }),
  });
}

/** Allows the empty string, which stands for an unknown address. */
const ADDRESSES = checkLiterals(
  ['client-address'],
  ({ text }) => {
    if (text === '' || parseIp(text)) return undefined;
    const hint = parseCidr(text)
      ? 'is a range, which never equals an address; test it with a range function'
      : 'is not a valid IP address; use one such as `203.0.113.7`';
    return { message: `\`${text}\` ${hint}` };
  },
  isEquality,
);
