// Checks of literals whose value must have a form, such as patterns, addresses and timestamps.

import type { Range } from '@tollgate/diagnostics';
import {
  type CallExpr,
  type Expr,
  type LiteralExpr,
  mapChildren,
  type ObjectDecl,
  type Reference,
  type TypedAst,
} from '../ast/ast.ts';
import { STRING, type Type } from '../ast/types.ts';
import type { ConstantCheck } from '../library/library.ts';
import { validatePattern } from '../regex/parse-pattern.ts';
import { isPatternTooLarge } from '../regex/pattern.ts';
import { PATTERN_TOO_LARGE } from '../values/errors.ts';
import { EvaluationError } from '../values/value.ts';
import { type CheckContext, type CheckEnvironment, report } from './report.ts';

/** The context of checking constants. */
interface ConstantCheckContext {
  readonly env: Pick<CheckEnvironment, 'limits' | 'constantChecks'>;
  readonly source: string;
  readonly references: readonly (Reference | undefined)[];
  readonly types: readonly (Type | undefined)[];
  readonly diagnostics: CheckContext['diagnostics'];
}

/** Reports a string literal with which the call fails in every run, such as an invalid pattern or timestamp. */
export function checkConstants(c: ConstantCheckContext, call: CallExpr): void {
  const check = constantCheckOf(c.references[call.id], c.env);
  if (check === undefined) return;
  const literal = check.kind === 'format' ? call.target : call.args[check.kind === 'pattern' ? check.arg : 0];
  if (literal === undefined || !isString(literal)) return;
  switch (check.kind) {
    case 'pattern':
      checkPattern(c, literal);
      break;
    case 'conversion':
      checkConversion(c, call, literal, check);
      break;
    case 'format':
      checkFormat(c, call, literal, check);
      break;
  }
}

/** Returns how {@link checkConstants} verifies string literals in calls of this function; undefined if it does not. */
export function constantCheckOf(
  reference: Reference | undefined,
  env: Pick<CheckEnvironment, 'constantChecks'>,
): ConstantCheck | undefined {
  if (reference?.kind !== 'function' || reference.overloads.length !== 1) return undefined;
  return env.constantChecks.get(reference.overloads[0]!.id);
}

interface StringLiteral extends LiteralExpr {
  readonly literal: { readonly type: 'string'; readonly value: string };
}

function isString(expr: Expr): expr is StringLiteral {
  return expr.kind === 'literal' && expr.literal.type === 'string';
}

function checkPattern(c: ConstantCheckContext, pattern: StringLiteral): void {
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
    message: `\`${clip(pattern.literal.value)}\` is not a valid RE2 pattern: ${fault.message}`,
    range: rangeInside(c, pattern, fault.offset),
    args: { pattern: pattern.literal.value, reason: fault.message, offset: fault.offset },
  });
}

/** Returns the range from an offset in the string to the end of the literal's content; the whole literal if it contains escapes. */
function rangeInside(c: ConstantCheckContext, { range, literal }: StringLiteral, offset: number): Range {
  const written = c.source.slice(range.start, range.end);
  const [, opening = '', quote = ''] = /^([rR]?("""|'''|"|'))/.exec(written) ?? [];
  if (written !== opening + literal.value + quote) return range;
  const end = range.end - quote.length;
  return { start: Math.min(range.start + opening.length + offset, end - 1), end };
}

/** Reports a warning only: the expression is valid and fails when the call is reached. */
function checkConversion(
  c: ConstantCheckContext,
  call: CallExpr,
  { range, literal: { value } }: StringLiteral,
  { convert, expected }: Extract<ConstantCheck, { kind: 'conversion' }>,
): void {
  const result = convert(value);
  if (result !== undefined && !(result instanceof EvaluationError)) return;
  report(c, {
    code: 'type/invalid-constant',
    severity: 'warning',
    message: `\`${call.function}\` fails for \`${clip(value)}\`; expected ${expected}`,
    range,
    args: { function: call.function, value, expected },
  });
}

function checkFormat(
  c: ConstantCheckContext,
  call: CallExpr,
  target: StringLiteral,
  { faultsOf }: Extract<ConstantCheck, { kind: 'format' }>,
): void {
  const { range, literal } = target;
  const format = { text: literal.value, range, rangeAt: (at: number) => rangeInside(c, target, at), types: c.types };
  for (const fault of faultsOf(call, format)) report(c, { code: 'type/invalid-format', ...fault });
}

function clip(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}…`;
}

const SHOWN_LENGTH = 60;

/**
 * Returns the checked tree with values of dual types replaced by their strings: `req.url == 'x'` becomes `req.url.@text == 'x'`. Ranges
 * stay those of the source, so evaluators and analyses need not know of dual types.
 */
export function readDualValues(
  typed: TypedAst,
  stringIds: ReadonlySet<number>,
  env: { readonly objects: ReadonlyMap<string, ObjectDecl> },
): TypedAst {
  const { ast } = typed;
  const types: (Type | undefined)[] = [...typed.types];
  const rewrite = (expr: Expr): Expr => {
    const inner = mapChildren(expr, rewrite);
    const type = stringIds.has(expr.id) ? types[expr.id] : undefined;
    const field = type?.kind === 'object' ? env.objects.get(type.name)?.stringKey : undefined;
    if (field === undefined) return inner;
    const { range } = expr;
    const id = types.push(STRING) - 1;
    return { kind: 'select', id, range, operand: inner, field, fieldRange: range, testOnly: false };
  };
  types.length = ast.nextId;
  const root = rewrite(ast.root);
  return {
    ...typed,
    resultType: types[root.id] ?? typed.resultType,
    ast: { ...ast, root, nextId: types.length },
    types,
  };
}
