import type { FunctionDecl } from '../ast/ast.ts';
import { BOOL, INT, opaqueType, STRING, typeOf } from '../ast/types.ts';
import { type Implementation, inContext, partial, total } from '../runtime/context.ts';
import * as address from '../runtime/network.ts';
import * as range from '../runtime/network.ts';
import { parseCidr, parseIp } from '../runtime/network.ts';
import { type ConstantCheck, declare, type Example, type Library, member, overload } from './library.ts';

/** Implements the network library, by overload id. */
const NETWORK_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  string_to_ip: partial(address.stringToIp),
  is_ip: { ...inContext(address.isIp), total: true },
  ip_is_canonical: partial(address.isCanonicalIp),
  ip_to_string: total(address.ipToString),
  ip_family: total(address.familyOfIp),
  ip_is_loopback: total(address.isLoopbackIp),
  ip_is_unspecified: total(address.isUnspecifiedIp),
  ip_is_global_unicast: total(address.isGlobalUnicastIp),
  ip_is_link_local_unicast: total(address.isLinkLocalUnicastIp),
  ip_is_link_local_multicast: total(address.isLinkLocalMulticastIp),
  string_to_cidr: partial(range.stringToCidr),
  is_cidr: total(range.isCidr),
  cidr_to_string: total(range.cidrToString),
  cidr_ip: total(range.ipOfCidr),
  cidr_masked: total(range.maskedCidr),
  cidr_is_mask: total(range.isMaskCidr),
  cidr_prefix_length: total(range.prefixLengthOfCidr),
  cidr_contains_ip_ip: total(range.cidrContainsIp),
  cidr_contains_ip_string: inContext(range.cidrContainsIpString),
  cidr_contains_cidr: total(range.cidrContainsCidr),
  cidr_contains_cidr_string: partial(range.cidrContainsCidrString),
};

const IP = opaqueType('net.IP');
const CIDR = opaqueType('net.CIDR');

const ADDRESS: ConstantCheck = {
  kind: 'conversion',
  convert: parseIp,
  expected: 'an IP address such as `10.0.0.1` or `2001:db8::1`',
};
const RANGE: ConstantCheck = {
  kind: 'conversion',
  convert: parseCidr,
  expected: 'an IP address range such as `10.0.0.0/8` or `2001:db8::/32`',
};

/** IP addresses and ranges of them. Parsing is strict: no zones, no IPv4-mapped IPv6 addresses, no leading zeros. */
export const NETWORK_LIBRARY: Library = {
  name: 'network',
  functions: [
    declare(
      'ip',
      'Parses an IP address, or returns the address of a range as it was written. Any other string is an error.',
      overload('string_to_ip', [STRING], IP, ["ip('192.168.0.1').family()", '4']),
      member('cidr_ip', [CIDR], IP, ["string(cidr('10.0.0.1/8').ip())", "'10.0.0.1'"]),
    ),
    declare(
      'isIP',
      'Returns true if the string is an IP address.',
      overload('is_ip', [STRING], BOOL, ["isIP('192.168.0.256')", 'false']),
    ),
    declare(
      'ip.isCanonical',
      'Returns true if the string is an IP address in canonical form (RFC 5952). A string that is not an address is an error.',
      overload('ip_is_canonical', [STRING], BOOL, ["ip.isCanonical('2001:DB8::1')", 'false']),
    ),
    declare(
      'cidr',
      'Parses an IP address range such as `10.0.0.0/8`; host bits may be set. Any other string is an error.',
      overload('string_to_cidr', [STRING], CIDR, ["string(cidr('2001:DB8::/32'))", "'2001:db8::/32'"]),
    ),
    declare(
      'isCIDR',
      'Returns true if the string is an IP address range.',
      overload('is_cidr', [STRING], BOOL, ["isCIDR('10.0.0.0/33')", 'false']),
    ),
    declare(
      'string',
      'Returns the canonical form of an IP address or range.',
      overload('ip_to_string', [IP], STRING, ["string(ip('2001:0db8::0:1'))", "'2001:db8::1'"]),
      overload('cidr_to_string', [CIDR], STRING, ["string(cidr('10.0.0.1/8'))", "'10.0.0.1/8'"]),
    ),
    declare(
      'family',
      'Returns the IP version of the address: 4 or 6.',
      member('ip_family', [IP], INT, ["ip('::1').family()", '6']),
    ),
    onAddress('isLoopback', 'ip_is_loopback', 'Returns true if the address is a loopback address.', [
      "ip('127.0.0.1').isLoopback()",
      'true',
    ]),
    onAddress('isUnspecified', 'ip_is_unspecified', 'Returns true if the address is `0.0.0.0` or `::`.', [
      "ip('::').isUnspecified()",
      'true',
    ]),
    onAddress(
      'isGlobalUnicast',
      'ip_is_global_unicast',
      'Returns true if the address is a unicast address, private ones included, that is neither link-local nor loopback.',
      ["ip('10.0.0.1').isGlobalUnicast()", 'true'],
    ),
    onAddress(
      'isLinkLocalUnicast',
      'ip_is_link_local_unicast',
      'Returns true if the address is in `169.254.0.0/16` or `fe80::/10`.',
      ["ip('fe80::1').isLinkLocalUnicast()", 'true'],
    ),
    onAddress(
      'isLinkLocalMulticast',
      'ip_is_link_local_multicast',
      'Returns true if the address is in `224.0.0.0/24`, or in `ff02::/16` with any flags.',
      ["ip('224.0.1.1').isLinkLocalMulticast()", 'false'],
    ),
    declare(
      'containsIP',
      'Returns true if the range contains the address. A string that is not an address is an error.',
      member('cidr_contains_ip_ip', [CIDR, IP], BOOL, ["cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))", 'true']),
      member('cidr_contains_ip_string', [CIDR, STRING], BOOL, ["cidr('10.0.0.0/8').containsIP('11.0.0.1')", 'false']),
    ),
    declare(
      'containsCIDR',
      'Returns true if the range contains every address of the other range. A string that is not a range is an error.',
      member('cidr_contains_cidr', [CIDR, CIDR], BOOL, [
        "cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16'))",
        'true',
      ]),
      member('cidr_contains_cidr_string', [CIDR, STRING], BOOL, [
        "cidr('10.1.0.0/16').containsCIDR('10.0.0.0/8')",
        'false',
      ]),
    ),
    declare(
      'masked',
      'Returns the range with its host bits cleared.',
      member('cidr_masked', [CIDR], CIDR, ["string(cidr('10.1.2.3/8').masked())", "'10.0.0.0/8'"]),
    ),
    declare(
      'isMask',
      'Returns true if no host bit of the range is set.',
      member('cidr_is_mask', [CIDR], BOOL, ["cidr('10.1.2.3/8').isMask()", 'false']),
    ),
    declare(
      'prefixLength',
      'Returns the number of leading bits that all addresses of the range share.',
      member('cidr_prefix_length', [CIDR], INT, ["cidr('192.168.0.0/24').prefixLength()", '24']),
    ),
  ],
  macros: [],
  constants: [
    { name: 'net.IP', type: typeOf(IP) },
    { name: 'net.CIDR', type: typeOf(CIDR) },
  ],
  implementations: NETWORK_IMPLEMENTATIONS,
  constantChecks: {
    string_to_ip: ADDRESS,
    ip_is_canonical: ADDRESS,
    cidr_contains_ip_string: ADDRESS,
    string_to_cidr: RANGE,
    cidr_contains_cidr_string: RANGE,
  },
};

function onAddress(name: string, id: string, doc: string, example: Example): FunctionDecl {
  return declare(name, doc, member(id, [IP], BOOL, example));
}
