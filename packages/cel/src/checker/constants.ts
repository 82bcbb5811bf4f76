import type { Range } from '@tollgate/diagnostics';
import { validatePattern } from '../regex/validate-pattern.ts';
import { stringToDouble, stringToInt, stringToUint } from '../runtime/conversion-to-number.ts';
import { stringToBool } from '../runtime/conversion-to-text.ts';
import { stringToDuration } from '../runtime/duration.ts';
import { timeZoneOf } from '../runtime/time-zone.ts';
import { stringToTimestamp } from '../runtime/timestamp.ts';
import { EvaluationError } from '../runtime/value.ts';
import type { CallExpr, Expr, LiteralExpr } from '../syntax/ast.ts';
import type { Checking } from './checking.ts';
import { report } from './report.ts';

/** Reports constants that the call refuses in every run: a pattern that is none, a text that is no timestamp. */
export function checkConstants(c: Checking, call: CallExpr): void {
  if (!call.args.some(isText)) return;
  const reference = c.references[call.id];
  if (reference?.kind !== 'function' || reference.overloads.length !== 1) return;
  const { id } = reference.overloads[0]!;
  const pattern = textAt(call, PATTERNS.get(id));
  if (pattern !== undefined) checkPattern(c, pattern);
  const text = textAt(call, 0);
  const conversion = CONVERSIONS.get(id);
  if (text !== undefined && conversion !== undefined) checkConversion(c, call, text, conversion);
}

interface TextLiteral extends LiteralExpr {
  readonly literal: { readonly type: 'string'; readonly value: string };
}

function isText(expr: Expr): expr is TextLiteral {
  return expr.kind === 'literal' && expr.literal.type === 'string';
}

function textAt(call: CallExpr, index: number | undefined): TextLiteral | undefined {
  const arg = index === undefined ? undefined : call.args[index];
  return arg !== undefined && isText(arg) ? arg : undefined;
}

/** Which argument is a regular expression, by overload. */
const PATTERNS: ReadonlyMap<string, number> = new Map([
  ['matches', 1],
  ['matches_string', 0],
  ['regex_extract_string_string', 1],
  ['regex_extractAll_string_string', 1],
  ['regex_replace_string_string_string', 1],
  ['regex_replace_string_string_string_int', 1],
]);

function checkPattern(c: Checking, pattern: TextLiteral): void {
  const fault = validatePattern(pattern.literal.value);
  if (fault === undefined) return;
  report(c, {
    code: 'regex/invalid-pattern',
    message: `\`${clip(pattern.literal.value)}\` is not an RE2 pattern: ${fault.message}`,
    range: placeInside(c, pattern, fault.offset),
    args: { pattern: pattern.literal.value, reason: fault.message, offset: fault.offset },
  });
}

/** From an offset in the text to the end of the literal's content; the whole literal where escapes hide the place. */
function placeInside(c: Checking, { range, literal }: TextLiteral, offset: number): Range {
  const written = c.source.slice(range.start, range.end);
  const [, opening = '', quote = ''] = /^([rR]?("""|'''|"|'))/.exec(written) ?? [];
  if (written !== opening + literal.value + quote) return range;
  const end = range.end - quote.length;
  return { start: Math.min(range.start + opening.length + offset, end - 1), end };
}

/** What a function makes of a text, and what it wants. */
interface Conversion {
  readonly convert: (text: string) => unknown;
  readonly expected: string;
}

const TIME_ZONE: Conversion = { convert: timeZoneOf, expected: 'a time zone such as `Europe/Berlin` or `+02:00`' };
const ZONED = 'year month day_of_year day_of_month day_of_month_1_based day_of_week hours minutes milliseconds'.split(
  ' ',
);

const CONVERSIONS: ReadonlyMap<string, Conversion> = new Map([
  ['string_to_timestamp', { convert: stringToTimestamp, expected: 'a moment such as `2026-01-31T12:00:00Z`' }],
  ['string_to_duration', { convert: stringToDuration, expected: 'a span of time such as `1h30m` or `0.5s`' }],
  ['string_to_int64', { convert: stringToInt, expected: 'a whole number of 64 bits' }],
  ['string_to_uint64', { convert: stringToUint, expected: 'a whole number of 64 bits without a sign' }],
  ['string_to_double', { convert: stringToDouble, expected: 'a number' }],
  ['string_to_bool', { convert: stringToBool, expected: '`true` or `false`' }],
  ...ZONED.map((part): [string, Conversion] => [`timestamp_to_${part}_with_tz`, TIME_ZONE]),
  ['timestamp_to_seconds_tz', TIME_ZONE],
]);

const MOST_SHOWN = 60;

function clip(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

/** A warning only: the text is a valid expression, which fails when it is reached. */
function checkConversion(c: Checking, call: CallExpr, text: TextLiteral, { convert, expected }: Conversion): void {
  const { value } = text.literal;
  if (!(convert(value) instanceof EvaluationError)) return;
  report(c, {
    code: 'type/invalid-constant',
    severity: 'warning',
    message: `\`${call.function}\` fails for \`${clip(value)}\`; expected ${expected}`,
    range: text.range,
    args: { function: call.function, value, expected },
  });
}
