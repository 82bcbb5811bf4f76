import { type Place, type Profile, variablesAt } from '@tollgate/catalog';
import { check, type Environment, formatType, parse, type TypedAst } from '@tollgate/cel';
import type { Diagnostic } from '@tollgate/diagnostics';
import { explainAvailability } from './availability.ts';
import { deprecatedVariables } from './deprecated-variables.ts';
import { explainMismatch } from './explain-mismatch.ts';
import { explainName } from './explain-name.ts';
import { convertOpenValues } from './open-values.ts';

/** What is known of the place that expressions stand at. */
export interface ExpressionContext {
  readonly profile: Profile;
  readonly place: Place;
  readonly environment: Environment;
}

/** An expression, checked. */
export interface CheckedExpression {
  /** Undefined when there is an error. Has the conversions of open values in it. */
  readonly typed: TypedAst | undefined;
  /** Ranges are of the expression's text, the uri is empty. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What an expression must be: a condition, where it stands. */
export interface ConditionContext {
  /** As the message names it. */
  readonly what: string;
}

/** Parses and checks the condition of a rule: its names must be available at the place, and it must be a bool. */
export function checkCondition(
  source: string,
  context: ExpressionContext,
  { what }: ConditionContext = { what: 'the condition of a rule' },
): CheckedExpression {
  const { typed, diagnostics } = checkAny(source, context);
  const isWrapped = diagnostics[0]?.code === NEEDLESS;
  // What there is of a tree behind a syntax error has a type of its own.
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
  const { ast, diagnostics: syntax } = parse(source, context.environment);
  const wrapped = needlessInterpolation(source);
  if (wrapped) return { typed: check(ast, context.environment).typed, diagnostics: [wrapped] };
  let checked = check(ast, context.environment);
  if (checked.diagnostics.length > 0) {
    const converted = convertOpenValues(checked.typed, variablesAt(context.profile, context.place));
    if (converted) checked = check(converted, context.environment);
  }
  const explained = checked.diagnostics.map(one => explainMismatch(one, checked.typed));
  const named = explained.map(one => explainAvailability(one, context.profile, context.place));
  const names = named.map(one => explainName(one, source, context));
  const deprecated = deprecatedVariables(checked.typed, context.profile);
  return { typed: checked.typed, diagnostics: [...syntax, ...names, ...deprecated] };
}

const NEEDLESS = 'expression/needless-interpolation';

/** `${…}` around the whole, as texts have it. The grammar would only say that it does not know the dollar sign. */
function needlessInterpolation(source: string): Diagnostic | undefined {
  const found = /^(\s*\$\{).*?(\}\s*)$/s.exec(source);
  if (!found) return undefined;
  const begin = { start: 0, end: found[1]!.length };
  const end = { start: source.length - found[2]!.length, end: source.length };
  const edits = [begin, end].map(range => ({ range, newText: '' }));
  return {
    ...{ code: NEEDLESS, severity: 'error', uri: '', args: {} },
    message: 'this is an expression already, and `${…}` is for those inside of texts; leave `${` and `}` out',
    range: { start: begin.end - 2, end: source.trimEnd().length },
    fixes: [{ title: 'leave `${` and `}` out', applicability: 'safe', edits }],
  };
}

/** Of type dyn is accepted: what it is shows when it runs. */
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
