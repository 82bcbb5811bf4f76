/** A block of addresses that never occur as the source of Internet traffic, and its use. */
interface SpecialBlock {
  readonly range: string;
  readonly use: string;
}

/**
 * Blocks of the IANA special-purpose registries, IPv4 and IPv6, that are not globally reachable, as of November 2025. Documentation blocks
 * are left out, because examples use them as public addresses.
 */
export const SPECIAL_BLOCKS: readonly SpecialBlock[] = [
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
