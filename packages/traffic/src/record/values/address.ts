import { isIP } from 'node:net';

/**
 * Normalizes an IP address as edges do: an IPv4 address in IPv6 form (`::ffff:192.0.2.1`) becomes IPv4, and IPv6 follows RFC 5952, without
 * brackets and zone (`[fe80::1%eth0]`). Drops a port, and the proxies in an `X-Forwarded-For` list. Returns undefined for anything else.
 */
export function normalizeAddress(text: string): string | undefined {
  if (isPlainIpv4(text)) return text;
  const comma = text.indexOf(',');
  const first = (comma < 0 ? text : text.slice(0, comma)).trim();
  for (const pattern of SPELLINGS) {
    const address = pattern.exec(first)?.[1]?.replace(ZONE, '') ?? '';
    const version = isIP(address);
    if (version !== 0) return version === 4 ? address : ipv6(address);
  }
  return undefined;
}

/** After an unbracketed IPv6 address that ends in IPv4 form, only a port can follow: `::ffff:192.0.2.1:443`, as HAProxy writes it. */
const SPELLINGS = [/^(.+)$/, /^\[([^\]]*)\](?::\d+)?$/, /^((?:[\da-f:]*:)?[\d.]+):\d+$/i];

/** RFC 4007, section 11, and RFC 6874 for URLs. */
const ZONE = /%.*$/;

const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

function ipv6(address: string): string {
  const text = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [, high, low] = MAPPED.exec(text) ?? [];
  if (high === undefined || low === undefined) return text;
  const [one, two] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return `${one >> 8}.${one & 255}.${two >> 8}.${two & 255}`;
}

/** Returns true for four decimal numbers with dots. Most addresses have this form, and `isIP` takes six times as long. */
function isPlainIpv4(text: string): boolean {
  let parts = 0;
  let value = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit >= 0 && digit <= 9) {
      // Leading zeros are not allowed.
      if (digits > 0 && value === 0) return false;
      value = value * 10 + digit;
      if (++digits > 3 || value > 255) return false;
    } else {
      if (digit !== DOT || digits === 0) return false;
      parts++;
      value = 0;
      digits = 0;
    }
  }
  return parts === 3 && digits > 0;
}

/** A dot, relative to the digit zero. */
const DOT = 0x2e - 0x30;
