import { CHAR, type Cursor, isBlankAt, isBreak } from './cursor.ts';

/** Characters that cannot begin a plain scalar (YAML 1.2.2, section 5.3), or only before certain characters. */
const INDICATORS: ReadonlySet<number> = new Set(
  Array.from('!"#%&\'*,-:>?@[]`{|}', character => character.charCodeAt(0)),
);

/** Returns true if a plain scalar certainly begins at the cursor. */
export function beginsPlain(cursor: Cursor): boolean {
  const code = cursor.text.charCodeAt(cursor.at);
  if (!INDICATORS.has(code)) return true;
  return (code === CHAR.dash || code === CHAR.colon) && isWordAt(cursor, cursor.at + 1);
}

function isWordAt({ text, end }: Cursor, at: number): boolean {
  return at < end && /[\w:./]/.test(text[at]!);
}

/** Returns the end of a plain scalar on this line, without trailing spaces. */
export function plainLineEnd(cursor: Cursor, start: number, isFlow: boolean): number {
  const { text, end } = cursor;
  let contentEnd = start;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (isBreak(code)) break;
    if (code === CHAR.space) continue;
    // Letters and most other characters never end a scalar outside brackets.
    if (code > CHAR.colon && !isFlow) {
      contentEnd = at + 1;
      continue;
    }
    if (code === CHAR.hash && at > start && text.charCodeAt(at - 1) === CHAR.space) break;
    if (code === CHAR.colon && endsKey(cursor, at + 1, isFlow)) break;
    if (isFlow && isFlowIndicator(code)) break;
    contentEnd = at + 1;
  }
  return contentEnd;
}

/** Returns true if a colon before `at` ends a key. */
function endsKey(cursor: Cursor, at: number, isFlow: boolean): boolean {
  return isBlankAt(cursor, at) || (isFlow && isFlowIndicator(cursor.text.charCodeAt(at)));
}

/** Returns true if a character cannot be part of a plain scalar inside brackets and braces. */
export function isFlowIndicator(code: number): boolean {
  return (
    code === CHAR.comma ||
    code === CHAR.openList ||
    code === CHAR.closeList ||
    code === CHAR.openMap ||
    code === CHAR.closeMap
  );
}

/** Plain scalars that begin with another character are always strings. */
const MAYBE_NO_STRING: ReadonlySet<number> = new Set(
  Array.from('-+.0123456789~nNtTfF', character => character.charCodeAt(0)),
);

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['null', 'Null', 'NULL', '~'].map(text => [text, null] as const),
  ...['true', 'True', 'TRUE'].map(text => [text, true] as const),
  ...['false', 'False', 'FALSE'].map(text => [text, false] as const),
]);

/** Returns the value of a one-line plain scalar in the core schema (section 10.3.2). */
export function resolvePlain(text: string): string | number | boolean | null {
  if (!MAYBE_NO_STRING.has(text.charCodeAt(0))) return text;
  const constant = CONSTANTS.get(text);
  return constant === undefined ? (numberOf(text) ?? text) : constant;
}

const INTEGER = /^(?:[-+]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+)$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

function numberOf(text: string): number | undefined {
  if (INTEGER.test(text) || FLOAT.test(text)) return Number(text);
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return Number.NaN;
  const infinite = /^([-+]?)\.(?:inf|Inf|INF)$/.exec(text);
  if (!infinite) return undefined;
  return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
