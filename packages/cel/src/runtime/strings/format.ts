import { STRING_TOO_LONG } from '../../values/errors.ts';
import { kindOf } from '../../values/runtime-type.ts';
import { EvaluationError, NonValue, type Value } from '../../values/value.ts';
import { numberIn } from '../collections/equality.ts';
import type { RunContext } from '../context/implementation.ts';
import { fromHost } from '../host/from-host.ts';
import { formatFixed, formatScientific, shortestDecimal } from './format-number.ts';
import { formatValue, unsuitable } from './format-value.ts';

const DEFAULT_PRECISION = 6;
/** More digits than any double has. */
export const MAX_PRECISION = 1100;

/** `%%`, or a clause with an optional precision. Groups are missing for a percent sign that starts neither. */
export const CLAUSE = /%(?:(%)|(?:\.(\d+))?([bdefosxX])|())/g;

/** `text.format(values)` ignores values without a clause. */
export function formatString(context: RunContext, text: string, values: readonly Value[]): string | NonValue {
  const { maxTextLength } = context.limits;
  let result = '';
  let end = 0;
  let used = 0;
  for (const match of text.matchAll(CLAUSE)) {
    const [clause, percent, precision, letter] = match;
    const piece = percent ?? formatClause(letter, precision, { values, index: used, room: maxTextLength });
    if (piece instanceof NonValue) return piece;
    if (percent === undefined) used++;
    result += text.slice(end, match.index) + piece;
    end = match.index + clause.length;
    if (result.length > maxTextLength) return STRING_TOO_LONG;
  }
  result += text.slice(end);
  return result.length > maxTextLength ? STRING_TOO_LONG : result;
}

interface Argument {
  readonly values: readonly unknown[];
  readonly index: number;
  readonly room: number;
}

function formatClause(letter: string | undefined, digits: string | undefined, argument: Argument): string | NonValue {
  const precision = digits === undefined ? DEFAULT_PRECISION : Number(digits);
  if (letter === undefined || precision > MAX_PRECISION) return INVALID_CLAUSE;
  if (argument.index >= argument.values.length) return MISSING_VALUE;
  const value = fromHost(argument.values[argument.index]);
  if (value instanceof NonValue) return value;
  if (letter === 's') return formatValue(value, argument.room);
  return formatNumber(letter, precision, value) ?? unsuitable(`%${letter}`, value);
}

const INVALID_CLAUSE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-format',
  'expected `%%`, or a clause such as `%s` or `%.2f`',
);

const MISSING_VALUE: EvaluationError = /* @__PURE__ */ new EvaluationError(
  'eval/invalid-format',
  'the format has more clauses than values',
);

const RADIX: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16, X: 16 };

function formatNumber(letter: string, precision: number, value: Value): string | undefined {
  const number = numberIn(value);
  const radix = RADIX[letter];
  if (radix !== undefined) return inRadix(letter, radix, value);
  if (number === undefined) return undefined;
  if (letter === 'f') return formatFixed(Number(number), precision);
  if (letter === 'e') return formatScientific(Number(number), precision);
  return kindOf(value) === 'double' ? shortestDecimal(number as number) : `${number}`;
}

function inRadix(letter: string, radix: number, value: Value): string | undefined {
  const text = digitsOf(radix, value);
  return letter === 'X' ? text?.toUpperCase() : text;
}

/** Formats integers; bools in binary; strings and bytes in hexadecimal, byte by byte. */
function digitsOf(radix: number, value: Value): string | undefined {
  const kind = kindOf(value);
  if (kind === 'int' || kind === 'uint') return numberIn(value)!.toString(radix);
  if (radix === 2 && kind === 'bool') return value ? '1' : '0';
  if (radix !== 16) return undefined;
  if (kind === 'string') return hex(new TextEncoder().encode(value as string));
  return kind === 'bytes' ? hex(value as Uint8Array) : undefined;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
