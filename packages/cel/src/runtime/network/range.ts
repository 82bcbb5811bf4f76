import { INVALID_CIDR, INVALID_IP } from '../../values/extension-errors.ts';
import { CidrRange, type EvaluationError, IpAddress } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { ipToString } from './address.ts';
import { lastBytesOfIp } from './last-address.ts';
import { parseCidr } from './parse-ip.ts';

export function stringToCidr(text: string): CidrRange | EvaluationError {
  return parseCidr(text) ?? INVALID_CIDR;
}

export function isCidr(text: string): boolean {
  return parseCidr(text) !== undefined;
}

/** Returns the canonical form of the address (RFC 5952) with the prefix length. */
export function cidrToString({ ip, prefixLength }: CidrRange): string {
  return `${ipToString(ip)}/${prefixLength}`;
}

export function ipOfCidr({ ip }: CidrRange): IpAddress {
  return ip;
}

export function prefixLengthOfCidr({ prefixLength }: CidrRange): number {
  return prefixLength;
}

/** Returns the range with its host bits cleared. */
export function maskedCidr({ ip, prefixLength }: CidrRange): CidrRange {
  const bytes = ip.bytes.map((byte, index) => byte & maskAt(index, prefixLength));
  return new CidrRange(new IpAddress(bytes), prefixLength);
}

/** Returns true if no host bit is set. */
export function isMaskCidr({ ip, prefixLength }: CidrRange): boolean {
  return ip.bytes.every((byte, index) => (byte & ~maskAt(index, prefixLength)) === 0);
}

export function cidrContainsIp(range: CidrRange, { bytes }: IpAddress): boolean {
  return containsBytes(range, bytes);
}

function containsBytes({ ip, prefixLength }: CidrRange, bytes: ArrayLike<number>): boolean {
  if (bytes.length !== ip.bytes.length) return false;
  const covered = Math.ceil(prefixLength / 8);
  for (let i = 0; i < covered; i++) {
    if (((ip.bytes[i]! ^ bytes[i]!) & maskAt(i, prefixLength)) !== 0) return false;
  }
  return true;
}

/** Returns the bits of an address byte that belong to the prefix. */
function maskAt(index: number, prefixLength: number): number {
  const bits = Math.min(8, Math.max(0, prefixLength - index * 8));
  return (0xff00 >> bits) & 0xff;
}

export function cidrContainsIpString(context: RunContext, range: CidrRange, text: string): boolean | EvaluationError {
  const bytes = lastBytesOfIp(context, text);
  return bytes === undefined ? INVALID_IP : containsBytes(range, bytes);
}

/** Returns true if the first range contains every address of the second. */
export function cidrContainsCidr(range: CidrRange, other: CidrRange): boolean {
  return range.prefixLength <= other.prefixLength && cidrContainsIp(range, other.ip);
}

export function cidrContainsCidrString(range: CidrRange, text: string): boolean | EvaluationError {
  const other = parseCidr(text);
  return other === undefined ? INVALID_CIDR : cidrContainsCidr(range, other);
}
