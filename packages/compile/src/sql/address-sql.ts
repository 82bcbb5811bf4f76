import { MAPPED } from './dialects/shared.ts';
import type { SqlDialect } from './dialects/sql-dialect.ts';
import { fixedPattern } from './pattern-sql.ts';
import type { Stage } from './stage.ts';

const BYTE = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const DOTTED = `(?:${BYTE}[.]){3}${BYTE}`;
const PAIR = '[0-9a-fA-F]{1,4}';
const pairs = (least: number, most: number) => `(?:${PAIR}:){${least},${most}}`;
const after = (least: number, most: number) => `(?::${PAIR}){${least},${most}}`;

const FORMS: readonly string[] = [
  DOTTED,
  `${pairs(7, 7)}${PAIR}`,
  `${pairs(6, 6)}${DOTTED}`,
  // `::` stands for at least one pair.
  ...['::', `${pairs(1, 7)}:`, `:${after(1, 7)}`],
  ...[1, 2, 3, 4, 5, 6].map(before => `${pairs(1, before)}${after(1, 7 - before)}`),
  ...[`:${after(0, 5)}:${DOTTED}`, `${pairs(1, 5)}:${DOTTED}`],
  ...[1, 2, 3, 4].map(before => `${pairs(1, before)}${after(1, 5 - before)}:${DOTTED}`),
];

/** Matches what the evaluator reads as an address, and IPv4-mapped addresses with a dotted end, which it does not. */
const ADDRESS_PATTERN = `^(?:${FORMS.join('|')})$`;

/**
 * Returns the stages of columns `tollgate_a1` and so on, which hold addresses in 32 hexadecimal digits, null if they are malformed. The first
 * stage keeps valid addresses only, the last those that are not dotted and mapped, which the evaluator refuses.
 */
export function addressStages(dialect: SqlDialect, addresses: readonly string[]): readonly Stage[] {
  const { addressStages: own, contains, text } = dialect;
  const column = (at: number, step: number) => `tollgate_a${at + 1}_${step}`;
  const valid: Stage = addresses.map((value, at) => [
    column(at, 0),
    `case when ${fixedPattern(dialect, value, ADDRESS_PATTERN)} then ${value} end`,
  ]);
  const converted = own.map(
    (convert, step): Stage =>
      addresses.map((_, at) => [
        column(at, step + 1),
        `case when ${column(at, step)} is not null then ${convert(column(at, step))} end`,
      ]),
  );
  const isDotted = (value: string) => `${contains(value, text('.'))} and ${contains(value, text(':'))}`;
  const checked: Stage = addresses.map((_, at) => {
    const digits = column(at, own.length);
    return [
      `tollgate_a${at + 1}`,
      `case when not (${isMapped(digits)} and ${isDotted(column(at, 0))}) then ${digits} end`,
    ];
  });
  return [valid, ...converted, checked];
}

const GROUP = '(?:0|[1-9a-f][0-9a-f]{0,3})';
const HEX = '[0-9a-f]+';

/** Repeats a part of a pattern; nothing for no repetition. */
const times = (part: string, least: number, most = least) =>
  most === 0 ? '' : least === most ? `(?:${part}){${least}}` : `(?:${part}){${least},${most}}`;

/** An IPv4 address, or one of IPv6 in lower case without leading zeros, whose `::` stands for at least two groups. */
const CANONICAL_PARTS = `^(?:${[
  DOTTED,
  `${times(`${GROUP}:`, 7)}${GROUP}`,
  ...['::', `${times(`${GROUP}:`, 1, 6)}:`, `:${times(`:${GROUP}`, 1, 6)}`],
  ...[1, 2, 3, 4, 5].map(before => `${times(`${GROUP}:`, 1, before)}${times(`:${GROUP}`, 1, 6 - before)}`),
].join('|')})$`;

/** What else RFC 5952 rules out: `::` stands for the first of the longest runs of zeros, and IPv4-mapped addresses are those of IPv4. */
const NOT_CANONICAL = [
  `^::ffff:${HEX}:${HEX}$`,
  `^(?:${HEX}:)*0:0(?::${HEX})*$`,
  '(?:^|:)0::',
  '::0(?::|$)',
  // A longer run before a `::` of two or three groups, or as long as it; and a longer one after it.
  ...[2, 3].flatMap(length => {
    const run = Array(length).fill('0').join(':');
    const others = 8 - 2 * length;
    const before = counts(others).filter(([, between]) => between > 0);
    const behind = counts(others - 1).filter(([, between]) => between > 0);
    return [
      ...before.map(
        ([first, between, last]) =>
          `^${times(`${HEX}:`, first)}${run}:${times(`${HEX}:`, between)}${last === 0 ? ':' : times(`:${HEX}`, last)}$`,
      ),
      ...behind.map(
        ([first, between, last]) =>
          `^${first === 0 ? ':' : times(`${HEX}:`, first)}${times(`:${HEX}`, between)}:0:${run}${times(`:${HEX}`, last)}$`,
      ),
    ];
  }),
].join('|');

/** Returns the ways to write a number as a sum of three. */
function counts(sum: number): readonly (readonly [number, number, number])[] {
  const upTo = (most: number) => Array.from({ length: most + 1 }, (_, count) => count);
  return upTo(sum).flatMap(first => upTo(sum - first).map(second => [first, second, sum - first - second] as const));
}

/** Returns an address as the evaluator has it: null, which means unknown, if it is written in another form or is none. */
export function canonicalAddressSql(dialect: SqlDialect, address: string): string {
  const [parts, other] = [CANONICAL_PARTS, NOT_CANONICAL].map(pattern => fixedPattern(dialect, address, pattern));
  return `case when ${parts} and not ${other} then ${address} end`;
}

const DIGITS = 32;

interface Network {
  readonly bytes: readonly number[];
  readonly prefixLength: number;
}

/** Returns whether a range contains an address of 32 hexadecimal digits, in SQL. */
export function networkSql(address: string, { bytes, prefixLength }: Network): string {
  const prefix = bytes.map(byte => byte.toString(16).padStart(2, '0')).join('');
  const start = bytes.length === 4 ? MAPPED : '';
  const bits = start.length * 4 + prefixLength;
  const bound = (fill: bigint) => {
    const mask = (1n << BigInt(128 - bits)) - 1n;
    const first = BigInt(`0x${start}${prefix}`) & ~mask;
    return `'${(first | (mask & fill)).toString(16).padStart(DIGITS, '0')}'`;
  };
  const isWithin = `${address} between ${bound(0n)} and ${bound(-1n)}`;
  // An IPv4 address is in no range of IPv6.
  return bytes.length === 4 ? isWithin : `(${isWithin} and not ${isMapped(address)})`;
}

/** Returns whether an address of 32 hexadecimal digits is one of IPv4. */
function isMapped(address: string): string {
  return `${address} between '${MAPPED}00000000' and '${MAPPED}ffffffff'`;
}
