import type { GeoField } from '../record/geo-in-record.ts';

/** What a variable of a log format tells of an exchange. */
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
  /** When the line was written, and how long the request took before: seconds. */
  | 'written'
  | 'duration'
  | 'status'
  | 'size'
  | 'tls-version'
  | 'tls-cipher'
  | 'server-name';

/** What the text of a variable can be; where one ends is told by that, and by what follows in the format. */
export type Shape =
  /** Without a space or a double quote. */
  | 'word'
  /** Digits, or `-`; also with a fraction. */
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
  /** Undefined for what no exchange has. */
  readonly slot?: Slot | undefined;
  /** In place of a slot: the variable is the value of a header. */
  readonly header?: LoggedHeader | undefined;
  /** The server writes the sign for what is missing for some requests that have it, too. */
  readonly conditional?: boolean | undefined;
}

/** A header whose value is logged. */
export interface LoggedHeader {
  readonly message: 'request' | 'response';
  readonly name: string;
}

/** Text that stands in each line as it stands in the format. */
export interface LogText {
  readonly kind: 'text';
  readonly text: string;
}

/** A log format, in the order of its parts. */
export interface ParsedFormat {
  readonly server: 'nginx' | 'Apache' | 'Envoy';
  readonly parts: readonly (LogVariable | LogText)[];
  /** How the server writes characters that could be taken for others. */
  readonly escape: Escape;
  /** What the server writes for a value that is missing. */
  readonly missing: '-' | '';
}

/** `backslash`: `\xhh`, and `\"` and alike. */
export type Escape = 'backslash' | 'json' | 'none';

/** A log format is wrong. */
export class LogFormatError extends Error {
  override readonly name = 'LogFormatError';
}

/** What is told by a name, in tables of variables. */
export type VariableFact = readonly [shape: Shape, slot: Slot];
