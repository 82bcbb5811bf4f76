import type { Ast, LiteralExpr } from '../../ast/ast.ts';

/** A literal as it was written, in single quotes where that takes no more escapes: YAML and JSON like double ones less. */
export function writtenLiteral({ source }: Ast, { range, literal }: LiteralExpr): string {
  const text = source.slice(range.start, range.end);
  if (literal.type === 'string' || literal.type === 'bytes') return requoted(text);
  // A sign may stand apart from its number.
  return text.replace(/^-\s+/, '-');
}

/** Prefix, mark, content; not of strings in three quotes, whose mark is followed by two more. */
const QUOTED = /^([a-zA-Z]*)(["'])(?!\2\2)(.*)\2$/s;

function requoted(text: string): string {
  const [, prefix = '', mark, content = ''] = QUOTED.exec(text) ?? [];
  if (mark === undefined) return text;
  const isRaw = /r/i.test(prefix);
  // In raw strings backslashes stay, also those before quotes.
  if (isRaw && /["']/.test(content)) return text;
  const bare = isRaw ? content : content.replace(ESCAPED, (whole, quote?: string) => quote ?? whole);
  const best = bare.includes("'") && !bare.includes('"') ? '"' : "'";
  return prefix + best + (isRaw ? content : escapedFor(best, bare)) + best;
}

/** An escape, of quotes the quote alone. */
const ESCAPED = /\\(?:(["'])|.)/gs;

function escapedFor(mark: string, content: string): string {
  return content.replace(/\\.|["']/gs, part => (part === mark ? `\\${mark}` : part));
}
