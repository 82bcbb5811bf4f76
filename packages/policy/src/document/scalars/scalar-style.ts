/** The context of a scalar. */
interface ScalarContext {
  /** Inside brackets, commas and brackets need quotes. */
  readonly isInBrackets: boolean;
}

/**
 * Writes a string on one line: plain if every version of YAML reads it as this string, else in double quotes, or in
 * single quotes if that saves escapes.
 */
export function oneLineString(value: string, { isInBrackets }: ScalarContext = { isInBrackets: false }): string {
  if (isPlainString(value) && !(isInBrackets && /[[\]{},]/.test(value))) return value;
  if (isUnprintable(value) || /[\n\t]/.test(value)) return doubleQuoted(value);
  const escapes = value.match(/["\\]/g)?.length ?? 0;
  const doubled = value.match(/'/g)?.length ?? 0;
  return doubled < escapes ? `'${value.replaceAll("'", "''")}'` : doubleQuoted(value);
}

/** Returns true if both YAML 1.1 and 1.2 read the unquoted string as itself. */
export function isPlainString(value: string): boolean {
  return !NEEDS_QUOTES.test(value) && !isUnprintable(value) && !isAmbiguous(value);
}

/** Returns true if YAML 1.1 or 1.2 reads the plain scalar as another type than a string. */
export function isAmbiguous(value: string): boolean {
  if (value !== '' && !AMBIGUOUS_STARTS.has(value.charCodeAt(0))) return false;
  return WORD.test(value) || NUMBER.test(value) || DATE.test(value);
}

/** Returns true if the string has characters that should be escaped in a document. */
export function isUnprintable(value: string): boolean {
  return UNPRINTABLE.test(value);
}

export function doubleQuoted(value: string): string {
  return JSON.stringify(value).replace(UNPRINTABLE_EACH, escaped);
}

const NEEDS_QUOTES =
  /^$|^[\s,[\]{}#&*!|>'"%@`]|^[?:]|^-(?:\s|$)|^(?:---|\.\.\.)(?:\s|$)|\s$|:(?:\s|$)|\s#|[\n\t]|^(?:<<|=)$/;

/** The first characters of the patterns below: most strings begin with another one. */
const AMBIGUOUS_STARTS: ReadonlySet<number> = new Set(
  Array.from('-+.0123456789~nNtTfFyYoO', character => character.charCodeAt(0)),
);
const WORD = /^(?:~|null|true|false|yes|no|on|off|y|n)?$/i;
const NUMBER =
  /^[-+]?(?:0x[0-9a-f_]+|0o?[0-7_]+|0b[01_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?|\.[0-9_]+(?:e[-+]?[0-9]+)?|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|\.(?:inf|nan))$/i;
const DATE = /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt\s].*)?$/;

/** Not printable by YAML 1.2.2, section 5.1, or invisible: byte order marks and other line separators. */
const UNPRINTABLE_SET = String.raw`[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]`;
const UNPRINTABLE = new RegExp(UNPRINTABLE_SET, 'u');
const UNPRINTABLE_EACH = new RegExp(UNPRINTABLE_SET, 'gu');

/** `JSON.stringify` leaves characters above U+FFFF alone, so this is a single UTF-16 unit. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
