/** IP addresses in the one form that edges, recordings and policies share. */

/**
 * Returns the canonical form of an IP address, as edges have it: an IPv4 address in IPv6 form (`::ffff:192.0.2.1`) becomes IPv4, and IPv6
 * follows RFC 5952, without brackets and zone (`[fe80::1%eth0]`). Drops a port, and the proxies in an `X-Forwarded-For` list. Returns undefined
 * for anything else.
 */
export function normalizeAddress(text: string): string | undefined {
  return isPlainIpv4(text) || isPlainIpv6(text) ? text : spelledAddress(text);
}

/**
 * Does what {@link normalizeAddress} does, without the fast path.
 *
 * A zone is as in RFC 4007, section 11. After an unbracketed IPv6 address that ends in IPv4 form, only a port can follow
 * (`::ffff:192.0.2.1:443`, as HAProxy writes it).
 */
export function spelledAddress(text: string): string | undefined {
  const bytesOf = (dotted: string): readonly number[] | undefined => {
    if (!/^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/.test(dotted)) return undefined;
    const bytes = dotted.split('.').map(Number);
    return bytes.every(byte => byte < 256) ? bytes : undefined;
  };
  const groupsOf = (written: string): readonly number[] | undefined => {
    const halves = written.split('::').map(half => (half === '' ? [] : half.split(':')));
    const end = halves.at(-1)!;
    const dotted = end.at(-1)?.includes('.') ? bytesOf(end.pop()!) : [];
    if (dotted === undefined || halves.length > 2) return undefined;
    for (let at = 0; at < dotted.length; at += 2) end.push((dotted[at]! * 256 + dotted[at + 1]!).toString(16));
    if (!halves.flat().every(group => /^[\da-f]{1,4}$/i.test(group))) return undefined;
    const missing = 8 - halves.flat().length;
    if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
    const [before = [], after = []] = halves;
    return [...before, ...Array<string>(missing).fill('0'), ...after].map(group => Number.parseInt(group, 16));
  };
  const written = (groups: readonly number[]): string => {
    const [high = 0, low = 0] = groups.slice(6);
    const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535';
    if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
    // `::` stands for the first of the longest runs of zeros, which has at least two groups.
    let [start, length] = [8, 1];
    for (let at = 0, run = 0; at < 8; at++) {
      run = groups[at] === 0 ? run + 1 : 0;
      if (run > length) [start, length] = [at + 1 - run, run];
    }
    const hex = (part: readonly number[]) => part.map(group => group.toString(16)).join(':');
    return start === 8 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
  };
  const comma = text.indexOf(',');
  const first = (comma < 0 ? text : text.slice(0, comma)).trim();
  for (const pattern of [/^(.+)$/, /^\[([^\]]*)\](?::\d+)?$/, /^((?:[\da-f:]*:)?[\d.]+):\d+$/i]) {
    const address = pattern.exec(first)?.[1]?.replace(/%.*$/, '') ?? '';
    if (bytesOf(address) !== undefined) return address;
    const groups = address.includes(':') ? groupsOf(address) : undefined;
    if (groups !== undefined) return written(groups);
  }
  return undefined;
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

/**
 * Returns true only for IPv6 addresses as RFC 5952 writes them, but not for all: not for those that begin with zeros. Recognizing one takes a
 * sixth of the time of rewriting it.
 */
function isPlainIpv6(text: string): boolean {
  const { length } = text;
  if (length > 39) return false;
  // The current run of zero groups, the longest before `::`, and the longest after it.
  let [groups, digits, zeros, before, after, gap] = [0, 0, 0, 0, 0, -1];
  let isZero = false;
  for (let at = 0; at <= length; at++) {
    const unit = at < length ? text.charCodeAt(at) : COLON;
    if (unit !== COLON) {
      if (!((unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x66)) || digits === 4) return false;
      // A group has no leading zeros.
      if (digits > 0 && isZero) return false;
      isZero = digits++ === 0 && unit === 0x30;
    } else if (digits > 0) {
      // `::` would stand for this group, too.
      if (isZero && groups === gap) return false;
      zeros = isZero ? zeros + 1 : 0;
      if (gap < 0) before = Math.max(before, zeros);
      else after = Math.max(after, zeros);
      groups++;
      digits = 0;
    } else if (at === length) {
      if (groups !== gap) return false;
    } else {
      if (gap >= 0 || groups === 0 || isZero) return false;
      gap = groups;
      zeros = 0;
    }
  }
  // `::` stands for the first of the longest runs, which has at least two groups.
  const missing = gap < 0 ? 1 : 8 - groups;
  return before < Math.max(missing, 2) && after <= missing && (gap < 0 ? groups === 8 : missing > 1);
}

const COLON = 0x3a;
