import type { Range } from '@tollgate/diagnostics';
import type { PositionContext } from '../../cursor/position-context.ts';

/** Returns the key or scalar at the cursor, which a suggestion replaces. */
export function wordRange(text: string, { start, style, isFlow }: PositionContext, offset: number): Range {
  if (style === undefined) return { start: offset, end: offset };
  const stop = style === 'double' ? /["\r\n]/ : style === 'single' ? /['\r\n]/ : isFlow ? /[\s:,[\]{}#]/ : /[\s:#]/;
  return { start, end: offset + lengthUntil(text, offset, stop) };
}

/** Returns the identifier at the cursor. */
export function nearestWord(text: string, offset: number): Range {
  const before = /\w*$/.exec(text.slice(Math.max(0, offset - 100), offset))?.[0].length ?? 0;
  return { start: offset - before, end: offset + lengthUntil(text, offset, /\W/) };
}

function lengthUntil(text: string, offset: number, stop: RegExp): number {
  const rest = text.slice(offset, offset + 200);
  const found = rest.search(stop);
  return found < 0 ? rest.length : found;
}
