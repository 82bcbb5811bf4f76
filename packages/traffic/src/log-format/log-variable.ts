import type { GeoField } from '../record/geo-in-record.ts';

/** What a variable of a log format means. */
export type Slot =
  | GeoField
  | 'client-port'
  | 'server-ip'
  | 'server-port'
  | 'alpn'
  | 'client'
  | 'request'
  | 'method'
  | 'target'
  | 'decoded-path'
  | 'query'
  | 'url'
  | 'protocol'
  | 'scheme'
  | 'https'
  | 'host'
  | 'host-name'
  | 'time'
  /** When the line was written, and the duration of the request before: seconds. */
  | 'written'
  | 'duration'
  | 'status'
  | 'size'
  | 'tls-version'
  | 'tls-cipher'
  | 'server-name';

/** The possible values of a variable, which determine, with what follows in the format, where one ends. */
export type Shape =
  /** Without a space or a double quote. */
  | 'word'
  /** Digits, or `-`; possibly with a fraction. */
  | 'number'
  /** Anything. */
  | 'text'
  /** `21/Nov/2026:10:00:00 +0000`, of fixed length. */
  | 'log-time'
  /** The same in brackets. */
  | 'bracketed-time';

/** A variable in a log format. */
export interface LogVariable {
  readonly kind: 'variable';
  /** As written in the format. */
  readonly written: string;
  readonly shape: Shape;
  /** Undefined for what exchanges do not contain. */
  readonly slot?: Slot | undefined;
  /** Instead of a slot: the variable is the value of a header. */
  readonly header?: LoggedHeader | undefined;
  /** The server also writes the sign for missing values for some requests that have one. */
  readonly conditional?: boolean | undefined;
}

/** A header whose value is logged. */
export interface LoggedHeader {
  readonly message: 'request' | 'response';
  readonly name: string;
}

/** A literal part of each line. */
export interface LogText {
  readonly kind: 'text';
  readonly text: string;
}

/** A log format, in the order of its parts. */
export interface ParsedFormat {
  readonly server: 'nginx' | 'Apache' | 'Envoy';
  readonly parts: readonly (LogVariable | LogText)[];
  /** How the server escapes ambiguous characters. */
  readonly escape: Escape;
  /** What the server writes for a missing value. */
  readonly missing: '-' | '';
}

/** `backslash`: `\xhh`, `\"` and the like. */
export type Escape = 'backslash' | 'json' | 'none';

/** An invalid log format. */
export class LogFormatError extends Error {
  override readonly name = 'LogFormatError';
}

/** The meaning of a variable name. */
export type VariableFact = readonly [shape: Shape, slot: Slot];
