import { type EvaluationContext, type Profile, variablesAt } from '@tollgate/catalog';
import { check, type Environment, formatType, parse, type TypedAst } from '@tollgate/cel';
import type { Diagnostic } from '@tollgate/diagnostics';
import { explainAvailability } from './availability.ts';
import { deprecatedVariables } from './deprecated-variables.ts';
import { explainHas, explainMismatch } from './explain-mismatch.ts';
import { explainName } from './explain-name.ts';
import { convertOpenValues } from './open-values.ts';
import { withUnknownStrings } from './unknown-strings.ts';

/** Where an expression is evaluated, and what it can use there. */
export interface ExpressionContext {
  readonly profile: Profile;
  readonly place: EvaluationContext;
  readonly environment: Environment;
}

/** The result of checking an expression. */
export interface CheckedExpression {
  /** Undefined if there is an error. Includes the conversions of open values. */
  readonly typed: TypedAst | undefined;
  /** Ranges are relative to the expression; the uri is empty. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How to name the condition in messages. */
export interface ConditionContext {
  readonly what: string;
}

/** Parses and checks the condition of a rule: its names must be available in the context, and its type must be bool. */
export function checkCondition(
  source: string,
  context: ExpressionContext,
  { what }: ConditionContext = { what: 'the condition of a rule' },
): CheckedExpression {
  const { typed, diagnostics } = checkAny(source, context);
  const isWrapped = diagnostics[0]?.code === NEEDLESS;
  // After a syntax error, the type of the partial tree means nothing.
  const isPartial = diagnostics.some(({ code }) => code.startsWith('syntax/'));
  const all = [...diagnostics, ...(isWrapped || isPartial ? [] : nonBoolean(typed, what))];
  return { typed: all.some(isError) ? undefined : typed, diagnostics: all };
}

/** Parses and checks an expression of any type. */
export function checkExpression(source: string, context: ExpressionContext): CheckedExpression {
  const { typed, diagnostics } = checkAny(source, context);
  return { typed: diagnostics.some(isError) ? undefined : typed, diagnostics };
}

interface AnyExpression {
  readonly typed: TypedAst;
  readonly diagnostics: readonly Diagnostic[];
}

function checkAny(source: string, context: ExpressionContext): AnyExpression {
  const { ast: parsed, diagnostics: syntax } = parse(source, context.environment);
  const ast = withUnknownStrings(parsed);
  const wrapped = needlessInterpolation(source);
  if (wrapped) return { typed: check(ast, context.environment).typed, diagnostics: [wrapped] };
  let checked = check(ast, context.environment);
  if (checked.diagnostics.length > 0) {
    const converted = convertOpenValues(checked.typed, variablesAt(context.profile, context.place));
    if (converted) checked = check(converted, context.environment);
  }
  const written = syntax.map(one => explainHas(one, source, context));
  const explained = checked.diagnostics.map(one => explainMismatch(one, checked.typed, context.profile));
  const named = explained.map(one => explainAvailability(one, context.profile, context.place));
  const names = named.map(one => explainName(one, source, context));
  const deprecated = deprecatedVariables(checked.typed, context.profile);
  return { typed: checked.typed, diagnostics: [...written, ...names, ...deprecated] };
}

const NEEDLESS = 'expression/needless-interpolation';

/** Reports `${…}` around the whole expression. The parser would only report an unexpected `$`. */
function needlessInterpolation(source: string): Diagnostic | undefined {
  const found = /^(\s*\$\{).*?(\}\s*)$/s.exec(source);
  if (!found) return undefined;
  const begin = { start: 0, end: found[1]!.length };
  const end = { start: source.length - found[2]!.length, end: source.length };
  const edits = [begin, end].map(range => ({ range, newText: '' }));
  return {
    ...{ code: NEEDLESS, severity: 'error', uri: '', args: {} },
    message: '`${…}` around an expression, which is needed only inside strings; remove `${` and `}`',
    range: { start: begin.end - 2, end: source.trimEnd().length },
    fixes: [{ title: 'leave `${` and `}` out', applicability: 'safe', edits }],
  };
}

/** Type dyn is accepted: its values are checked at run time. */
function nonBoolean({ ast, resultType }: TypedAst, what: string): readonly Diagnostic[] {
  if (['bool', 'dyn', 'error'].includes(resultType.kind)) return [];
  const found = formatType(resultType);
  const message = `${what} must be a bool, found ${found}`;
  const args = { expected: 'bool', found };
  const { range } = ast.root;
  return [{ code: 'type/non-boolean-expression', severity: 'error', message, uri: '', range, args }];
}

function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error';
}
