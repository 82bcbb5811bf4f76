import type { EndpointKind } from '@tollgate/catalog';
import { type CidrRange, cidrContainsCidr, parseCidr, parseIp } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { groupsInAction, groupsInExpression } from '../../analyses/literals/address-groups.ts';
import { SPECIAL_BLOCKS } from '../../data/special-addresses.ts';
import { isEquality, textsOf } from '../../expressions/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { placeOf } from '../../rule-api/linted-expression.ts';

/** Those that the internet reaches, and nobody else. */
const PUBLIC: ReadonlySet<EndpointKind> = new Set(['https-route', 'tls-edge', 'tcp-edge']);

/** `10.0.0.0/8` on a public edge. */
export const NON_ROUTABLE: LintRule = {
  id: 'ip/non-routable',
  severity: 'warning',
  summary: 'addresses that no traffic from the internet comes from',
  rationale:
    'The address that counts at a public edge is the one of the connection. Private, reserved and local addresses do not cross ' +
    'the internet, so that such an entry never matches: what was meant is the public address behind which that network stands.',
  bad: {
    policy: `\
inbound:
  - name: only the office
    expressions: ["!inCidrRanges(conn.ClientIP, [«'192.168.0.0/16'», '2001:db8:7::/48'])"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: only the office
    expressions: ["!inCidrRanges(conn.ClientIP, ['203.0.113.0/24', '2001:db8:7::/48'])"]
    actions: [{ type: deny }]
`,
  },
  cost: 'fast',
  fixable: 'no',
  presets: ['recommended', 'security'],
  check: {
    expression: (at, context) => {
      if (!PUBLIC.has(context.file.endpoint)) return;
      for (const { ranges } of groupsInExpression(at)) {
        for (const { text, range, place } of ranges) report(text, range, place, context);
      }
      const tests = at.analysis.testsOf('client-address').filter(isEquality);
      for (const { node, text } of textsOf(tests)) report(text, rangeOf(text), placeOf(at, node.range), context);
    },
    action: (action, _, context) => {
      if (!PUBLIC.has(context.file.endpoint)) return;
      for (const { ranges } of groupsInAction(action, context.file.source.text)) {
        for (const { text, range, place } of ranges) report(text, range, place, context);
      }
    },
  },
};

function rangeOf(text: string): CidrRange | undefined {
  const bytes = parseIp(text)?.bytes.length;
  return bytes === undefined ? undefined : parseCidr(`${text}/${bytes * 8}`);
}

function report(text: string, range: CidrRange | undefined, place: Range, context: LintContext): void {
  const block =
    range && SPECIAL_BLOCKS.find(one => mayHold(one.range, range) && cidrContainsCidr(parseCidr(one.range)!, range));
  if (!block) return;
  context.report({
    range: place,
    message: `\`${text}\` is for ${block.use} and never reaches a public edge; write the public addresses of that network`,
    args: { found: text, use: block.use },
  });
}

/** A look at the first bits: no block is larger than a sixteenth of all addresses. Reading a block takes longer than all else. */
function mayHold(block: string, { ip: { bytes } }: CidrRange): boolean {
  if (block.includes(':') || bytes.length !== 4) return block.includes(':') === (bytes.length !== 4);
  return (Number.parseInt(block, 10) & 0xf0) === (bytes[0]! & 0xf0);
}
