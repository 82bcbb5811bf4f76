import { matchLine, mismatchText } from '../record/line-grammar.ts';
import type { FormatDescription } from './traffic-format.ts';

/** The number of lines to try. */
const TRIED = 5;
/** In most formats, the first word is an address or a name. */
const LEAST_MATCHED = 2;

interface Closest {
  readonly name: string;
  readonly line: number;
  readonly offset: number;
  readonly matched: number;
  readonly expected: string;
}

/**
 * Returns the format that the lines of a file match furthest, with the first line that breaks it and what was expected where. Undefined if no
 * format is close.
 * @param text the beginning of the file
 */
export function closestFormat(text: string, formats: readonly FormatDescription[]): string | undefined {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (/^\s*\{/.test(lines[0]!)) return brokenJson(lines[0]!);
  let best: Closest | undefined;
  for (const [index, line] of lines.slice(0, TRIED).entries()) {
    for (const { name, steps } of formats) {
      const found = steps === undefined ? undefined : matchLine(steps, line);
      if (found?.kind !== 'mismatch' || found.matched < LEAST_MATCHED || found.offset <= (best?.offset ?? 0)) continue;
      best = { name, line: index + 1, offset: found.offset, matched: found.matched, expected: found.expected };
    }
  }
  if (best === undefined) return undefined;
  return describe(best, lines[best.line - 1]!);
}

function describe({ name, line, ...mismatch }: Closest, text: string): string {
  return `the closest format is \`${name}\`, which line ${line} breaks: ${mismatchText(mismatch, text)}; describe the format with \`--log-format\``;
}

function brokenJson(line: string): string | undefined {
  try {
    JSON.parse(line);
    return undefined;
  } catch (error) {
    const position = /at position (\d+)/.exec((error as Error).message)?.[1];
    const column = position === undefined ? line.length + 1 : Number(position) + 1;
    return `the closest format is \`json-lines\`, but line 1 is not valid JSON at column ${column}; write one object per line`;
  }
}
