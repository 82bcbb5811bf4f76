import type { Verdict } from './verdicts.ts';

/** Returns the source of two or three parts for a message; undefined for other numbers. */
export function sourceOfParts({ analyzed, parts }: Verdict): string | undefined {
  if (parts.length < 2 || parts.length > 3) return undefined;
  const texts = parts.map(({ range }) => `\`${analyzed.typed.ast.source.slice(range.start, range.end)}\``);
  return `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}
