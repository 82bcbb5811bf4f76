// Prints literals, as they were written if possible.

import type { Ast, Literal, LiteralExpr } from '../ast/ast.ts';

/** Returns the source of a literal. */
export function printLiteral(literal: Literal): string {
  switch (literal.type) {
    case 'string':
      return quote(literal.value);
    case 'bytes':
      return `b"${Array.from(literal.value, printByte).join('')}"`;
    case 'double':
      return printDouble(literal.value);
    case 'uint':
      return `${literal.value}u`;
    default:
      return String(literal.value);
  }
}

/** Returns a field name, in backticks unless it is a plain name. */
export function printField(name: string): string {
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !KEYWORDS.has(name) ? name : `\`${name}\``;
}

const KEYWORDS: ReadonlySet<string> = new Set(['false', 'in', 'null', 'true']);

function printDouble(value: number): string {
  // Infinity and NaN have no literals; the source at least evaluates to the value.
  if (!Number.isFinite(value)) return `double("${value}")`;
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\\': '\\\\',
};

/** Uses double quotes, unless that requires escapes and single quotes do not. */
function quote(text: string): string {
  // Most strings need only quotes, and loading the Unicode data takes 0.3 ms.
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  const mark = text.includes('"') && !text.includes("'") ? "'" : '"';
  const escaped = text.replace(unprintable(), escapeCharacter).replaceAll(mark, `\\${mark}`);
  return mark + escaped + mark;
}

/** Backslashes, and invisible characters: control, format, separator, private-use and unassigned ones. */
const unprintable = () => /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

function escapeCharacter(character: string): string {
  const known = ESCAPES[character];
  if (known !== undefined) return known;
  const hex = (character.codePointAt(0) as number).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

function printByte(byte: number): string {
  if (byte === 0x22) return '\\"';
  if (byte === 0x5c || byte < 0x20 || byte > 0x7e) {
    return ESCAPES[String.fromCharCode(byte)] ?? `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return String.fromCharCode(byte);
}

/** Returns a literal as written, in single quotes unless that requires more escapes, because YAML and JSON already use double quotes. */
export function originalLiteral({ source }: Ast, { range, literal }: LiteralExpr): string {
  const text = source.slice(range.start, range.end);
  if (literal.type === 'string' || literal.type === 'bytes') return requoted(text);
  // White space may separate a minus sign from its number.
  return text.replace(/^-\s+/, '-');
}

/** Prefix, quote, content; not triple-quoted strings, whose quote is followed by two more. */
const QUOTED = /^([a-zA-Z]*)(["'])(?!\2\2)(.*)\2$/s;

function requoted(text: string): string {
  const [, prefix = '', mark, content = ''] = QUOTED.exec(text) ?? [];
  if (mark === undefined) return text;
  const isRaw = /r/i.test(prefix);
  // In raw strings, backslashes are literal, even before quotes.
  if (isRaw && /["']/.test(content)) return text;
  const bare = isRaw ? content : content.replace(ESCAPED, (whole, quote?: string) => quote ?? whole);
  const best = bare.includes("'") && !bare.includes('"') ? '"' : "'";
  return prefix + best + (isRaw ? content : escapedFor(best, bare)) + best;
}

/** An escape; the group captures an escaped quote. */
const ESCAPED = /\\(?:(["'])|.)/gs;

function escapedFor(mark: string, content: string): string {
  return content.replace(/\\.|["']/gs, part => (part === mark ? `\\${mark}` : part));
}
