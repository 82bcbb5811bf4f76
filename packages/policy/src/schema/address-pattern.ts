const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${BYTE}\\.){3}${BYTE}`;
const GROUP = '[0-9a-fA-F]{1,4}';
const LAST_TWO = `(?:${GROUP}:${GROUP}|${IPV4})`;

/** RFC 4291, section 2.2: eight groups, or fewer with `::`; the last two may be written as IPv4. */
const IPV6 = [`(?:${GROUP}:){6}${LAST_TWO}`, ...[0, 1, 2, 3, 4, 5, 6, 7].map(shortened)].join('|');

/** `before` groups, `::`, and at most as many groups as leave one out. */
function shortened(before: number): string {
  const head = before === 0 ? '' : `(?:${GROUP}:){${before - 1}}${GROUP}`;
  const room = 7 - before;
  const groups = room === 0 ? [] : [`(?:${GROUP}:){0,${room - 1}}${GROUP}`];
  const withIpv4 = room < 2 ? [] : [`(?:${GROUP}:){0,${room - 2}}${IPV4}`];
  const tail = [...groups, ...withIpv4];
  return `${head}::${tail.length === 0 ? '' : `(?:${tail.join('|')})?`}`;
}

/** An IPv4 or IPv6 address, with or without a prefix length. The equivalent of `isCidr` as a pattern. */
export const CIDR_PATTERN =
  `^(?:(?:${IPV4})(?:/(?:3[0-2]|[12]?\\d))?|` + `(?:${IPV6})(?:/(?:12[0-8]|1[01]\\d|[1-9]?\\d))?)$`;
