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
  /** Returns the least of at least two integers. */
  readonly least: (parts: readonly string[]) => string;
  readonly startsWith: BinaryFunction;
  readonly endsWith: BinaryFunction;
  readonly contains: BinaryFunction;
  /** The number of code points of a string. */
  readonly length: (value: string) => string;
  /** Headers are JSON or maps from names to lists, as {@link headerType} says. */
  readonly headers: {
    readonly size: (headers: string) => string;
    readonly has: (headers: string, name: string) => string;
    /** Positions count from 1. Null if the name or position does not exist. */
    readonly value: (headers: string, name: string, position: number) => string;
  };
  /** The type of columns with headers. */
  readonly headerType: string;
  readonly regex: SqlRegex;
  /** Columns, each computed from the one before. The last is a valid address in 32 hexadecimal digits, IPv4 as `::ffff:0:0/96`. */
  readonly addressStages: readonly AddressStage[];
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
export type AddressStage = (value: string) => string;

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
