import type { Implementation } from '../context/implementation.ts';
import { inContext, partial, total } from '../context/implementation-kinds.ts';
import * as address from '../network/address.ts';
import * as range from '../network/range.ts';

/** Implements the network library, by overload id. */
export const NETWORK_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
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
