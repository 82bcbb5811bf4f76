// Addresses outside the public internet, which webhooks must not reach.

import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** IPv4 networks outside the public internet (RFC 6890 and its successors). */
const PRIVATE = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
/** The public IPv6 network, and its parts that embed IPv4 addresses or are not routable. */
const PUBLIC6 = [['2000::', 3]] as const;
const NOT_PUBLIC6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/** Returns true unless the string is a public IP address. */
export function isPrivateAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return isIn(PRIVATE, address, 'ipv4');
  if (version !== 6) return true;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return isIn(PRIVATE, mapped, 'ipv4');
  return !isIn(PUBLIC6, address, 'ipv6') || isIn(NOT_PUBLIC6, address, 'ipv6');
}

function isIn(networks: readonly (readonly [string, number])[], address: string, family: 'ipv4' | 'ipv6'): boolean {
  const list = new BlockList();
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, family);
  return list.check(address, family);
}

/** A host name that resolves to a private address. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';

  constructor(host: string, address: string) {
    super(`\`${host}\` resolves to the private address ${address}; use a public address`);
  }
}

/**
 * Resolves a host name for a connection and rejects it if any of its addresses is private. The connection uses the checked address, which
 * prevents DNS rebinding.
 */
export const publicLookup: LookupFunction = (host, options, callback) => {
  resolveName(host, { ...options, all: true }, (error, addresses) => {
    if (error) {
      callback(error, '', 0);
      return;
    }
    const refused = addresses.find(({ address }) => isPrivateAddress(address));
    const [first] = addresses;
    if (refused) callback(new PrivateAddressError(host, refused.address), '', 0);
    else if (options.all === true) callback(null, addresses);
    else if (first) callback(null, first.address, first.family);
  });
};
