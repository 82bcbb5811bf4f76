/** How DuckDB, PostgreSQL, ClickHouse, Trino and Spark write what conditions need, as data. */

import { quotedName, singleQuoted } from '@tollgate/diagnostics';
/**
 * How an engine writes the parts of a query. Values are SQL and never null, unless a comment says so; each function means for them exactly
 * what the function of CEL means.
 */
export interface SqlDialect {
  /** The name of the product. */
  readonly product: string;
  /** Quotes a string literal. */
  readonly text: (value: string) => string;
  /** Quotes an identifier. */
  readonly name: (value: string) => string;
  /** Returns a string, which may be null, as one that is compared by code point; undefined if all strings are. */
  readonly byCodePoint: ((value: string) => string) | undefined;
  /** No integer. */
  readonly noInteger: string;
  /** Returns one of some integers by its position, from 0. Some engines copy the operand of a `case` for each of its values. */
  readonly integerAt: (position: string, integers: readonly string[]) => string;
  /** Returns the least of at least two integers. */
  readonly least: (parts: readonly string[]) => string;
  readonly startsWith: BinaryFunction;
  readonly endsWith: BinaryFunction;
  readonly contains: BinaryFunction;
  /** The number of code points of a string. */
  readonly length: (value: string) => string;
  /** Headers are JSON or maps from names to lists, as {@link headerType} says. */
  readonly headers: {
    /** All names, joined by colons. Null if there are none. */
    readonly names: (headers: string) => string;
    readonly size: (headers: string) => string;
    readonly has: (headers: string, name: string) => string;
    /** Positions count from 1. Null if the name or position does not exist. */
    readonly value: (headers: string, name: string, position: number) => string;
  };
  /** The type of columns with headers. */
  readonly headerType: string;
  readonly regex: SqlRegex;
  /** Columns, each computed from the one before. The last is a valid address that is ordered as its bits, IPv4 as `::ffff:0:0/96`. */
  readonly addressStages: readonly AddressStage[];
  /** Returns a valid address as an integer, 0 if it is none of IPv4; undefined if addresses are compared as fast. */
  readonly ipv4?: (value: string) => string;
  /** Returns the address of 32 hexadecimal digits. */
  readonly address: (digits: string) => string;
  /** Returns the strings of a list that are not empty. */
  readonly nonEmpty: (strings: readonly string[]) => string;
  readonly listLength: (list: string) => string;
  readonly first: (list: string) => string;
  /** All columns but some; undefined if the dialect cannot say that, and has lateral queries. */
  readonly allBut: ((names: readonly string[]) => string) | undefined;
  /** Follows the columns of a lateral query, so that they are evaluated once. */
  readonly lateralEnd: string;
}

type BinaryFunction = (value: string, other: string) => string;

/** Returns a column from the ones of the stage before; the first from the address. */
type AddressStage = (value: string) => string;

/** How an engine finds a pattern in a string. */
interface SqlRegex {
  readonly syntax: 're2' | PatternSyntax;
  readonly matches: BinaryFunction;
}

/** How an engine other than RE2 writes what engines write differently. */
export interface PatternSyntax {
  readonly textStart: string;
  readonly textEnd: string;
  /** The most that a repetition may be told to repeat. */
  readonly maxRepeat: number;
  /** The first code point that strings may contain. */
  readonly firstCharacter: 0 | 1;
  /** Whether the time of the engine may grow faster than linearly. */
  readonly backtracks: boolean;
}

/** Quotes a string where backslashes escape. */
function escaped(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The syntax of `java.util.regex` and Joni. There, `$` also matches before a last line terminator. */
const JAVA_PATTERNS: PatternSyntax = {
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
function addressesAsStrings({
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

/** ClickHouse 24 and later. Columns with headers are JSON, because maps cannot be null. */
const CLICKHOUSE: SqlDialect = {
  product: 'ClickHouse',
  text: escaped,
  name: value => `\`${value.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``,
  byCodePoint: undefined,
  noInteger: 'cast(null as Nullable(Int32))',
  integerAt: (position, integers) => `[${integers.join(', ')}][${position} + 1]`,
  least: parts => `arrayMin([${parts.join(', ')}])`,
  startsWith: (value, other) => `startsWith(${value}, ${other})`,
  endsWith: (value, other) => `endsWith(${value}, ${other})`,
  contains: (value, other) => `position(${value}, ${other}) > 0`,
  length: value => `lengthUTF8(${value})`,
  headerType: 'Nullable(String)',
  headers: {
    names: headers => `arrayStringConcat(JSONExtractKeys(coalesce(${headers}, '')), ':')`,
    size: headers => `JSONLength(coalesce(${headers}, ''))`,
    has: (headers, name) => `JSONHas(coalesce(${headers}, ''), ${escaped(name)})`,
    value: (headers, name, position) => {
      const path = `coalesce(${headers}, ''), ${escaped(name)}, ${position}`;
      return `if(JSONHas(${path}), JSONExtractString(${path}), null)`;
    },
  },
  // Without the flag, `.` matches a line feed.
  regex: { syntax: 're2', matches: (value, pattern) => `match(${value}, concat('(?-s)', ${pattern}))` },
  addressStages: [value => `IPv6StringToNumOrDefault(coalesce(${value}, ''))`],
  ipv4: value => `IPv4StringToNumOrDefault(${value})`,
  address: digits => `toFixedString(unhex('${digits}'), 16)`,
  nonEmpty: strings => `arrayFilter(one -> one != '', [${strings.join(', ')}])`,
  listLength: list => `length(${list})`,
  first: list => `${list}[1]`,
  allBut: names => `* except (${names.join(', ')})`,
  lateralEnd: '',
};

/** DuckDB 1.2 and later, without extensions. */
export const DUCKDB: SqlDialect = {
  product: 'DuckDB',
  text: singleQuoted,
  name: quotedName,
  byCodePoint: undefined,
  noInteger: 'cast(null as integer)',
  integerAt: (position, integers) => `([${integers.join(', ')}])[${position} + 1]`,
  least: parts => `least(${parts.join(', ')})`,
  startsWith: (value, other) => `starts_with(${value}, ${other})`,
  endsWith: (value, other) => `ends_with(${value}, ${other})`,
  contains: (value, other) => `contains(${value}, ${other})`,
  length: value => `length(${value})`,
  headerType: 'map(varchar, varchar[])',
  headers: {
    names: headers => `array_to_string(map_keys(${headers}), ':')`,
    size: headers => `cardinality(${headers})`,
    has: (headers, name) => `map_contains(${headers}, ${singleQuoted(name)})`,
    value: (headers, name, position) => `${headers}[${singleQuoted(name)}][${position}]`,
  },
  regex: { syntax: 're2', matches: (value, pattern) => `regexp_matches(${value}, ${pattern})` },
  address: singleQuoted,
  addressStages: addressesAsStrings({
    hexOfByte: integer => `format('{:02x}', ${integer})`,
    padded: groups =>
      `array_to_string(list_transform(string_split(${groups}, ':'), lambda pair: case when pair = '' then '' else lpad(lower(pair), 4, '0') end), '')`,
    dottedEnd: value => `regexp_extract(${value}, '[0-9.]+$')`,
    beforeDottedEnd: value => `regexp_extract(${value}, '^(.*:)[0-9.]+$', 1)`,
  }),
  nonEmpty: strings => `list_filter([${strings.join(', ')}], lambda one: one <> '')`,
  listLength: list => `len(${list})`,
  first: list => `${list}[1]`,
  allBut: names => `* exclude (${names.join(', ')})`,
  lateralEnd: '',
};

/** PostgreSQL 14 and later. Columns with headers are `jsonb`. */
const POSTGRES: SqlDialect = {
  product: 'PostgreSQL',
  text: value =>
    value.includes('\\')
      ? `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
      : `${singleQuoted(value)}::text`,
  name: quotedName,
  // Columns may have another collation. Of a type without one, such as `inet`, this is an error.
  byCodePoint: value => `(coalesce(${value}, null::text) collate "C")`,
  noInteger: 'cast(null as integer)',
  integerAt: (position, integers) => `(array[${integers.join(', ')}])[${position} + 1]`,
  least: parts => `least(${parts.join(', ')})`,
  startsWith: (value, other) => `starts_with(${value}, ${other})`,
  endsWith: (value, other) => `right(${value}, length(${other})) = ${other}`,
  contains: (value, other) => `strpos(${value}, ${other}) > 0`,
  length: value => `length(${value})`,
  headerType: 'jsonb',
  headers: {
    names: headers => `(select string_agg(one, ':') from jsonb_object_keys(${headers}) one)`,
    size: headers => `(select count(*) from jsonb_object_keys(${headers}))`,
    has: (headers, name) => `jsonb_exists(${headers}, ${POSTGRES.text(name)})`,
    value: (headers, name, position) => `((${headers} -> ${POSTGRES.text(name)} ->> ${position - 1}) collate "C")`,
  },
  regex: {
    syntax: { textStart: '\\A', textEnd: '\\Z', maxRepeat: 255, firstCharacter: 1, backtracks: false },
    matches: (value, pattern) => `${value} ~ ${pattern}`,
  },
  address: singleQuoted,
  addressStages: [
    value => {
      // Before the bytes of the address, a family, the bits of the prefix, a flag and a length.
      const digits = `substr(encode(inet_send((${value})::inet), 'hex'), 9)`;
      return `case family((${value})::inet) when 4 then '00000000000000000000ffff' || ${digits} else ${digits} end`;
    },
  ],
  nonEmpty: strings => `array_remove(array[${strings.join(', ')}]::text[], '')`,
  listLength: list => `cardinality(${list})`,
  first: list => `(${list})[1]`,
  allBut: undefined,
  // Otherwise each use of a column would evaluate it again.
  lateralEnd: ' offset 0',
};

/** Spark 4. */
const SPARK: SqlDialect = {
  product: 'Spark',
  text: sparkText,
  name: value => `\`${value.replaceAll('`', '``')}\``,
  byCodePoint: undefined,
  noInteger: 'cast(null as integer)',
  integerAt: (position, integers) => `element_at(array(${integers.join(', ')}), ${position} + 1)`,
  least: parts => `least(${parts.join(', ')})`,
  startsWith: (value, other) => `startswith(${value}, ${other})`,
  endsWith: (value, other) => `endswith(${value}, ${other})`,
  contains: (value, other) => `contains(${value}, ${other})`,
  length: value => `char_length(${value})`,
  headerType: 'map<string, array<string>>',
  headers: {
    names: headers => `array_join(map_keys(${headers}), ':')`,
    size: headers => `size(${headers})`,
    has: (headers, name) => `map_contains_key(${headers}, ${sparkText(name)})`,
    value: (headers, name, position) => `try_element_at(try_element_at(${headers}, ${sparkText(name)}), ${position})`,
  },
  regex: { syntax: JAVA_PATTERNS, matches: (value, pattern) => `${value} rlike ${pattern}` },
  address: singleQuoted,
  addressStages: addressesAsStrings({
    hexOfByte: integer => `format_string('%02x', ${integer})`,
    padded: groups =>
      `array_join(transform(split(${groups}, ':'), pair -> case when pair = '' then '' else lpad(lower(pair), 4, '0') end), '')`,
    dottedEnd: value => `regexp_extract(${value}, '[0-9.]+$', 0)`,
    beforeDottedEnd: value => `regexp_extract(${value}, '^(.*:)[0-9.]+$', 1)`,
  }),
  nonEmpty: strings => `filter(array(${strings.join(', ')}), one -> one <> '')`,
  listLength: list => `size(${list})`,
  first: list => `element_at(${list}, 1)`,
  allBut: names => `* except (${names.join(', ')})`,
  lateralEnd: '',
};

/** Before it reads a statement, Spark replaces `${…}` by variables of the session, the system and the environment, also in literals. */
function sparkText(value: string): string {
  return escaped(value).replaceAll('${', '\\u0024{');
}

/** Trino 400 and later, also as Athena. */
const TRINO: SqlDialect = {
  product: 'Trino',
  text: singleQuoted,
  name: quotedName,
  byCodePoint: undefined,
  noInteger: 'cast(null as integer)',
  integerAt: (position, integers) => `element_at(array[${integers.join(', ')}], ${position} + 1)`,
  least: parts => `least(${parts.join(', ')})`,
  startsWith: (value, other) => `starts_with(${value}, ${other})`,
  endsWith: (value, other) =>
    `(length(${value}) >= length(${other}) and substr(${value}, length(${value}) - length(${other}) + 1) = ${other})`,
  contains: (value, other) => `strpos(${value}, ${other}) > 0`,
  length: value => `length(${value})`,
  headerType: 'map(varchar, array(varchar))',
  headers: {
    names: headers => `array_join(map_keys(${headers}), ':')`,
    size: headers => `cardinality(${headers})`,
    has: (headers, name) => `contains(map_keys(${headers}), ${singleQuoted(name)})`,
    value: (headers, name, position) => `element_at(element_at(${headers}, ${singleQuoted(name)}), ${position})`,
  },
  regex: { syntax: JAVA_PATTERNS, matches: (value, pattern) => `regexp_like(${value}, ${pattern})` },
  address: singleQuoted,
  addressStages: [value => `lower(to_hex(cast(cast(${value} as ipaddress) as varbinary)))`],
  nonEmpty: strings => `filter(array[${strings.join(', ')}], one -> one <> '')`,
  listLength: list => `cardinality(${list})`,
  first: list => `element_at(${list}, 1)`,
  allBut: undefined,
  lateralEnd: '',
};

/** All dialects. */
export const DIALECTS = {
  ...{ duckdb: DUCKDB, postgres: POSTGRES, clickhouse: CLICKHOUSE, trino: TRINO, spark: SPARK },
} as const;

/** The SQL of an engine. */
export type SqlDialectName = keyof typeof DIALECTS;
