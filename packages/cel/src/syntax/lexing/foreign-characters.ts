import type { Finding } from './reporter.ts';

/** The closing quote for each opening one. */
export const TYPOGRAPHIC_QUOTES: ReadonlyMap<string, RegExp> = new Map([
  ...[...'“”„‟«»'].map(quote => [quote, /[“”„‟«»"]/] as const),
  ...[...'‘’‚‛′´'].map(quote => [quote, /[‘’‚‛′´']/] as const),
]);

/** Matches a string in typographic quotes, up to the closing quote or the end of the line. */
export function typographicString(
  source: string,
  start: number,
  closing: RegExp,
): { readonly finding: Finding; readonly end: number } {
  const line = source.slice(start, lineEnd(source, start));
  const length = line.slice(1).search(closing);
  const end = length < 0 ? start + line.trimEnd().length : start + length + 2;
  const value = source.slice(start + 1, length < 0 ? end : end - 1);
  const quote = value.includes("'") ? '"' : "'";
  const range = { start, end };
  const edits = [{ range, newText: quote + value + quote }];
  const finding: Finding = {
    code: 'syntax/unexpected-character',
    message: `typographic quotes \`${source[start]}\`; write straight quotes`,
    range,
    args: { found: source[start]! },
    fixes: [{ title: 'write straight quotes', applicability: 'suggestion', edits }],
  };
  return { finding, end };
}

/** Returns a remedy for characters that start no token. */
export function remedyOf(text: string, rest: string): string {
  if (text === ';') return rest.trim() === '' ? '; remove it' : '; join conditions with `&&`';
  if (text === '#') return '; a comment begins with `//`';
  if (/^\p{Zs}+$/u.test(text)) return '; write a space';
  return text === '$' ? '; variables have no prefix here' : '';
}

/** Returns the end of the line that contains an offset. */
export function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

/** Returns characters as shown in messages. */
export function describeCharacters(text: string): string {
  const shown = text.length > 20 ? `${text.slice(0, 20)}…` : text;
  if (/^[\p{L}\p{M}\p{N}\p{P}\p{S}]+…?$/u.test(shown)) return `\`${shown}\``;
  const code = text.codePointAt(0) as number;
  return `character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
