import type { AddressStage, PatternSyntax } from './sql-dialect.ts';

/** Quotes a string in standard SQL. */
export function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** Quotes a string where backslashes escape. */
export function escaped(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Quotes an identifier in standard SQL. */
export function quotedName(value: string): string {
  return `"${value.replaceAll('"', '""')}"`;
}

/** The syntax of `java.util.regex` and Joni. There, `$` also matches before a last line terminator. */
export const JAVA_PATTERNS: PatternSyntax = {
  ...{ textStart: '\\A', textEnd: '\\z', maxRepeat: 1000, firstCharacter: 0, backtracks: true },
};

/** The beginning of IPv4-mapped addresses in hexadecimal digits. */
export const MAPPED = '00000000000000000000ffff';

/** Functions for addresses as strings, with those of an engine without a type of addresses. */
interface StringFunctions {
  /** Returns an integer from 0 to 255 as two digits. */
  readonly hexOfByte: (integer: string) => string;
  /** Returns the strings between colons, each with four digits unless it is empty, joined. */
  readonly padded: (groups: string) => string;
  /** Returns the end of a string that matches `[0-9.]+`, and what is before it. */
  readonly dottedEnd: (value: string) => string;
  readonly beforeDottedEnd: (value: string) => string;
}

/** Returns the stages of an engine without a type of addresses: bytes in hexadecimal digits, then all pairs with four. */
export function addressesAsStrings({
  hexOfByte,
  padded,
  dottedEnd,
  beforeDottedEnd,
}: StringFunctions): readonly AddressStage[] {
  const byte = (dotted: string, at: number) => hexOfByte(`cast(split_part(${dotted}, '.', ${at}) as integer)`);
  const bytes = (dotted: string, separator: string) =>
    `${byte(dotted, 1)}, ${byte(dotted, 2)}, ${separator}${byte(dotted, 3)}, ${byte(dotted, 4)}`;
  const start = (value: string) => padded(`split_part(${value}, '::', 1)`);
  const end = (value: string) => padded(`split_part(${value}, '::', 2)`);
  return [
    value =>
      `case when not contains(${value}, '.') then ${value} when not contains(${value}, ':') then concat('${MAPPED}', ${bytes(value, '')}) else concat(${beforeDottedEnd(value)}, ${bytes(dottedEnd(value), "':', ")}) end`,
    // Most addresses are of IPv4, and need no more.
    value =>
      `case when not contains(${value}, ':') then ${value} else concat(${start(value)}, repeat('0', 32 - length(${start(value)}) - length(${end(value)})), ${end(value)}) end`,
  ];
}
