/** What variables of log formats mean, whichever server's syntax they are written in. */
import type { GeoField } from '../records/field-mapping.ts';

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

const CONTROL: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Returns the words of a configuration directive without their quotes. */
export function readQuoted(text: string): readonly string[] {
  const words: string[] = [];
  const pattern = /\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]\S*))\s*/sy;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) throw new LogFormatError(`unclosed quote: \`${text.slice(at)}\``);
    words.push(match[3] ?? unescapeWord(match[1] ?? match[2]!));
  }
  return words;
}

function unescapeWord(text: string): string {
  return text.replace(/\\(['"\\nrt])/g, (_, letter: string) => CONTROL[letter] ?? letter);
}

/** Variable names that location modules and their manuals use; users choose `$geoip2_…` names, mostly after the value. */
const PLACES: readonly (readonly [pattern: RegExp, field: GeoField])[] = [
  [/country_(?:iso_)?code$/, 'country'],
  [/continent_(?:code|name)$/, 'continent'],
  [/(?:region|subdivision)_name$/, 'region'],
  [/city(?:_name)?$/, 'city'],
  [/postal_code$/, 'postal_code'],
  [/(?:timezone|time_zone)$/, 'time_zone'],
  [/latitude$/, 'latitude'],
  [/longitude$/, 'longitude'],
  [/(?:asn|as_number|autonomous_system_number)$/, 'asn'],
];

/** Returns the location field of a variable such as `geoip2_country_code` or `MM_COUNTRY_CODE`. */
export function placeIn(name: string): GeoField | undefined {
  const lower = name.toLowerCase();
  if (!/^(?:geoip2?|mm)_/.test(lower)) return undefined;
  return PLACES.find(([pattern]) => pattern.test(lower))?.[1];
}
