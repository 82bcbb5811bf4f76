import type { EndpointKind } from '@tollgate/catalog';
import type { CidrRange } from '@tollgate/cel';
import { cidrContainsCidr, parseCidr, parseIp } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import { groupsInAction, groupsInExpression } from '../../analyses/address-groups.ts';
import { isEquality, stringLiteralsOf } from '../../readers/value-tests.ts';
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

/** A block of addresses that never occur as the source of Internet traffic, and its use. */
interface SpecialBlock {
  readonly range: string;
  readonly use: string;
}

/**
 * Blocks of the IANA special-purpose registries, IPv4 and IPv6, that are not globally reachable, as of November 2025. Documentation blocks
 * are left out, because examples use them as public addresses.
 */
const SPECIAL_BLOCKS: readonly SpecialBlock[] = [
  ['0.0.0.0/8', '"this network" (RFC 791)'],
  ['10.0.0.0/8', 'private networks (RFC 1918)'],
  ['100.64.0.0/10', 'carrier-grade NAT (RFC 6598)'],
  ['127.0.0.0/8', 'loopback (RFC 1122)'],
  ['169.254.0.0/16', 'link-local use (RFC 3927)'],
  ['172.16.0.0/12', 'private networks (RFC 1918)'],
  ['192.168.0.0/16', 'private networks (RFC 1918)'],
  ['198.18.0.0/15', 'benchmarking (RFC 2544)'],
  ['224.0.0.0/4', 'multicast (RFC 5771)'],
  ['240.0.0.0/4', 'future use (RFC 1112)'],
  ['::/128', 'the unspecified address (RFC 4291)'],
  ['::1/128', 'loopback (RFC 4291)'],
  ['64:ff9b:1::/48', 'local-use translation (RFC 8215)'],
  ['100::/64', 'discarded traffic (RFC 6666)'],
  ['2001:2::/48', 'benchmarking (RFC 5180)'],
  ['5f00::/16', 'segment routing (RFC 9602)'],
  ['fc00::/7', 'private networks (RFC 4193)'],
  ['fe80::/10', 'link-local use (RFC 4291)'],
  ['ff00::/8', 'multicast (RFC 4291)'],
].map(([range, use]) => ({ range: range!, use: use! }));
