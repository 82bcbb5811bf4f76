import type { Ast, LiteralExpr } from '../../ast/ast.ts';

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
