import type { Range } from '@tollgate/diagnostics';
import type { CallExpr, Expr, LiteralExpr } from '../../ast/ast.ts';
import type { Reference } from '../../ast/typed-ast.ts';
import { isPatternTooLarge } from '../../regex/pattern/pattern-size.ts';
import { validatePattern } from '../../regex/pattern/validate-pattern.ts';
import { stringToDouble, stringToInt, stringToUint } from '../../runtime/conversion/to-number.ts';
import { stringToBool } from '../../runtime/conversion/to-string.ts';
import { parseCidr, parseIp } from '../../runtime/network/parse-ip.ts';
import type { Type } from '../../types/type.ts';
import { stringToDuration } from '../../values/duration.ts';
import { PATTERN_TOO_LARGE } from '../../values/errors.ts';
import { timeZoneOf } from '../../values/time-zone.ts';
import { stringToTimestamp } from '../../values/timestamp.ts';
import { EvaluationError } from '../../values/value.ts';
import type { Checking, CheckingEnvironment } from '../context/checking.ts';
import { report } from '../report/report.ts';
import { checkFormat } from './format-strings.ts';

/** What checking constants needs. */
export interface ConstantChecking {
  readonly env: Pick<CheckingEnvironment, 'limits'>;
  readonly source: string;
  readonly references: readonly (Reference | undefined)[];
  readonly types: readonly (Type | undefined)[];
  readonly diagnostics: Checking['diagnostics'];
}

/** Reports constants that the call refuses in every run: a pattern that is none, a text that is no timestamp. */
export function checkConstants(c: ConstantChecking, call: CallExpr): void {
  const rule = ruleFor(c.references[call.id]);
  const arg = rule === undefined ? undefined : rule.arg === TARGET ? call.target : call.args[rule.arg];
  if (rule !== undefined && arg !== undefined && isText(arg)) rule.check(c, call, arg);
}

/** Whether {@link checkConstants} looks at texts in calls of this function. */
export function refusesSome(reference: Reference | undefined): boolean {
  return ruleFor(reference) !== undefined;
}

function ruleFor(reference: Reference | undefined): Rule | undefined {
  if (reference?.kind !== 'function' || reference.overloads.length !== 1) return undefined;
  return RULES.get(reference.overloads[0]!.id);
}

/** Instead of the index of an argument. */
const TARGET = -1;

/** What the constant in one place of a call must be. */
interface Rule {
  readonly arg: number;
  readonly check: (c: ConstantChecking, call: CallExpr, text: TextLiteral) => void;
}

interface TextLiteral extends LiteralExpr {
  readonly literal: { readonly type: 'string'; readonly value: string };
}

function isText(expr: Expr): expr is TextLiteral {
  return expr.kind === 'literal' && expr.literal.type === 'string';
}

function pattern(arg: number): Rule {
  return { arg, check: checkPattern };
}

function checkPattern(c: ConstantChecking, _call: CallExpr, pattern: TextLiteral): void {
  const { maxPatternSize } = c.env.limits;
  if (isPatternTooLarge(pattern.literal.value, maxPatternSize)) {
    report(c, {
      code: PATTERN_TOO_LARGE.code,
      message: PATTERN_TOO_LARGE.message,
      range: pattern.range,
      args: { limit: 'maxPatternSize', value: maxPatternSize },
    });
    return;
  }
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
function placeInside(c: ConstantChecking, { range, literal }: TextLiteral, offset: number): Range {
  const written = c.source.slice(range.start, range.end);
  const [, opening = '', quote = ''] = /^([rR]?("""|'''|"|'))/.exec(written) ?? [];
  if (written !== opening + literal.value + quote) return range;
  const end = range.end - quote.length;
  return { start: Math.min(range.start + opening.length + offset, end - 1), end };
}

/** Gives undefined or an error for what it refuses. A warning only: the text is a valid expression, which fails when it is reached. */
function conversion(convert: (text: string) => unknown, expected: string): Rule {
  const check = (c: ConstantChecking, call: CallExpr, { range, literal: { value } }: TextLiteral): void => {
    const result = convert(value);
    if (result !== undefined && !(result instanceof EvaluationError)) return;
    report(c, {
      code: 'type/invalid-constant',
      severity: 'warning',
      message: `\`${call.function}\` fails for \`${clip(value)}\`; expected ${expected}`,
      range,
      args: { function: call.function, value, expected },
    });
  };
  return { arg: 0, check };
}

const IP = conversion(parseIp, 'an IP address such as `10.0.0.1` or `2001:db8::1`');
const CIDR = conversion(parseCidr, 'a range of addresses such as `10.0.0.0/8` or `2001:db8::/32`');
const TIME_ZONE = conversion(timeZoneOf, 'a time zone such as `Europe/Berlin` or `+02:00`');
const ZONED = 'year month day_of_year day_of_month day_of_month_1_based day_of_week hours minutes milliseconds'.split(
  ' ',
);

const FORMAT: Rule = {
  arg: TARGET,
  check: (c, call, text) => {
    const { range, literal } = text;
    checkFormat(c, call, { text: literal.value, range, rangeAt: offset => placeInside(c, text, offset) });
  },
};

/** By overload id. */
const RULES: ReadonlyMap<string, Rule> = new Map([
  ['string_format', FORMAT],
  ['matches', pattern(1)],
  ['matches_string', pattern(0)],
  ['regex_extract_string_string', pattern(1)],
  ['regex_extractAll_string_string', pattern(1)],
  ['regex_replace_string_string_string', pattern(1)],
  ['regex_replace_string_string_string_int', pattern(1)],
  ['string_to_timestamp', conversion(stringToTimestamp, 'a moment such as `2026-01-31T12:00:00Z`')],
  ['string_to_duration', conversion(stringToDuration, 'a span of time such as `1h30m` or `0.5s`')],
  ['string_to_int64', conversion(stringToInt, 'a whole number of 64 bits')],
  ['string_to_uint64', conversion(stringToUint, 'a whole number of 64 bits without a sign')],
  ['string_to_double', conversion(stringToDouble, 'a number')],
  ['string_to_bool', conversion(stringToBool, '`true` or `false`')],
  ['string_to_ip', IP],
  ['ip_is_canonical', IP],
  ['cidr_contains_ip_string', IP],
  ['string_to_cidr', CIDR],
  ['cidr_contains_cidr_string', CIDR],
  ...ZONED.map((part): [string, Rule] => [`timestamp_to_${part}_with_tz`, TIME_ZONE]),
  ['timestamp_to_seconds_tz', TIME_ZONE],
]);

function clip(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}

const MOST_SHOWN = 60;
