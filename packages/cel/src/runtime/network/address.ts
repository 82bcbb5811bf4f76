import { INVALID_IP } from '../../values/extension-errors.ts';
import type { EvaluationError, IpAddress } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { lastBytesOfIp } from './last-address.ts';
import { parseIp } from './parse-ip.ts';

export function stringToIp(text: string): IpAddress | EvaluationError {
  return parseIp(text) ?? INVALID_IP;
}

export function isIp(context: RunContext, text: string): boolean {
  return lastBytesOfIp(context, text) !== undefined;
}

export function isCanonicalIp(text: string): boolean | EvaluationError {
  const ip = parseIp(text);
  return ip === undefined ? INVALID_IP : ipToString(ip) === text;
}

/** Returns the canonical form (RFC 5952): the first of the longest runs of at least two zero groups becomes `::`. */
export function ipToString({ bytes }: IpAddress): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16));
  const text = groups.join(':');
  let longest: RegExpExecArray | undefined;
  for (const run of text.matchAll(ZERO_RUN)) if (run[0].length > (longest?.[0].length ?? 0)) longest = run;
  if (longest === undefined) return text;
  return `${text.slice(0, Math.max(0, longest.index - 1))}::${text.slice(longest.index + longest[0].length + 1)}`;
}

const ZERO_RUN = /(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g;

export function familyOfIp({ bytes }: IpAddress): number {
  return bytes.length === 4 ? 4 : 6;
}

export function isUnspecifiedIp({ bytes }: IpAddress): boolean {
  return bytes.every(byte => byte === 0);
}

export function isLoopbackIp({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes[15] === 1 && bytes.subarray(0, 15).every(byte => byte === 0);
}

/** `169.254.0.0/16` or `fe80::/10`. */
export function isLinkLocalUnicastIp({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && (bytes[1]! & 0xc0) === 0x80;
}

/** `224.0.0.0/24`, or `ff02::/16` with any flags. */
export function isLinkLocalMulticastIp({ bytes }: IpAddress): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return bytes[0] === 0xff && (bytes[1]! & 0x0f) === 0x02;
}

export function isGlobalUnicastIp(ip: IpAddress): boolean {
  return !(isUnspecifiedIp(ip) || isLoopbackIp(ip) || isLinkLocalUnicastIp(ip) || isMulticast(ip) || isBroadcast(ip));
}

function isMulticast({ bytes }: IpAddress): boolean {
  return bytes.length === 4 ? bytes[0]! >> 4 === 14 : bytes[0] === 0xff;
}

function isBroadcast({ bytes }: IpAddress): boolean {
  return bytes.length === 4 && bytes.every(byte => byte === 255);
}
