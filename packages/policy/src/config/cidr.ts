/** Returns true if the string is an IPv4 or IPv6 address, with or without a prefix length. Host bits may be set. */
export function isCidr(text: string): boolean {
  const [address, prefix, ...rest] = text.split('/');
  if (rest.length > 0) return false;
  const bits = address!.includes(':') ? ipv6Bits(address!) : ipv4Bits(address!);
  if (bits === undefined) return false;
  return prefix === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= bits);
}

function ipv4Bits(text: string): number | undefined {
  const parts = text.split('.');
  const isByte = (part: string) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255;
  return parts.length === 4 && parts.every(isByte) ? 32 : undefined;
}

/** RFC 4291, section 2.2. */
function ipv6Bits(text: string): number | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [before, after = ''] = halves;
  const head = groupCount(before!, halves.length === 1);
  const tail = groupCount(after, true);
  if (head === undefined || tail === undefined) return undefined;
  return (halves.length === 2 ? head + tail < 8 : head === 8) ? 128 : undefined;
}

/** Number of 16-bit groups; the last four bytes may be written as IPv4. */
function groupCount(text: string, mayEndInIpv4: boolean): number | undefined {
  if (text === '') return 0;
  const groups = text.split(':');
  const last = groups.at(-1)!;
  const endsInIpv4 = mayEndInIpv4 && ipv4Bits(last) !== undefined;
  const plain = endsInIpv4 ? groups.slice(0, -1) : groups;
  return plain.every(group => /^[0-9a-fA-F]{1,4}$/.test(group)) ? plain.length + (endsInIpv4 ? 2 : 0) : undefined;
}
