import type { EndpointKind } from '@tollgate/catalog';
import type { CidrRange } from '@tollgate/cel';
import { cidrContainsCidr, parseCidr, parseIp } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import { groupsInAction, groupsInExpression } from '../../analyses/literals/address-groups.ts';
import { SPECIAL_BLOCKS } from '../../data/special-addresses.ts';
import { isEquality, stringLiteralsOf } from '../../expressions/value-tests.ts';
import type { LintContext } from '../../rule-api/lint-context.ts';
import type { LintRule } from '../../rule-api/lint-rule.ts';
import { rangeInDocument } from '../../rule-api/linted-expression.ts';

/** Endpoint kinds that are reached only over the internet. */
const PUBLIC: ReadonlySet<EndpointKind> = new Set(['https-route', 'tls-edge', 'tcp-edge']);

/** Reports `10.0.0.0/8` on a public edge. */
export const NON_ROUTABLE: LintRule = {
  id: 'ip/non-routable',
  severity: 'warning',
  summary: 'private or reserved address on a public edge',
  rationale:
    'A public edge sees the address that the client connects from. Private, reserved and local addresses are not routed over the ' +
    'internet, so such an entry never matches. List the public address that the network uses instead.',
  bad: {
    policy: `\
inbound:
  - name: office only
    expressions: ["!inCidrRanges(conn.ClientIP, [«'192.168.0.0/16'», '2001:db8:7::/48'])"]
    actions: [{ type: deny }]
`,
  },
  good: {
    policy: `\
inbound:
  - name: office only
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
      for (const { node, text } of stringLiteralsOf(tests))
        report(text, rangeOf(text), rangeInDocument(at, node.range), context);
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
    range &&
    SPECIAL_BLOCKS.find(
      special => mayContain(special.range, range) && cidrContainsCidr(parseCidr(special.range)!, range),
    );
  if (!block) return;
  context.report({
    range: place,
    message: `\`${text}\` is reserved for ${block.use} and never reaches a public edge; use public addresses`,
    args: { found: text, use: block.use },
  });
}

/** Compares the first four bits, which are fixed in every block, because parsing a block costs more than everything else here. */
function mayContain(block: string, { ip: { bytes } }: CidrRange): boolean {
  if (block.includes(':') || bytes.length !== 4) return block.includes(':') === (bytes.length !== 4);
  return (Number.parseInt(block, 10) & 0xf0) === (bytes[0]! & 0xf0);
}
