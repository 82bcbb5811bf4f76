import {
  type Activation,
  check,
  createEnvironment,
  DYN,
  type Environment,
  EvaluationError,
  EXTENSION_LIBRARIES,
  formatType,
  NonValue,
  parse,
  type TypedAst,
} from '@tollgate/cel';
import { typeDynamically } from '@tollgate/cel/tooling';
import { functionsOf, toType, variablesOf } from './declarations.ts';
import type { EvaluationTest, SpecTest } from './evaluation-tests.ts';
import type { Evaluator } from './evaluators.ts';
import { isSame, type SpecValue, toValue } from './spec-value.ts';

/** Runs a test. Returns what is wrong, or undefined if it passes. */
export function runEvaluationTest(test: EvaluationTest, evaluator: Evaluator): string | undefined {
  try {
    return problemOf(test.original, evaluator);
  } catch (thrown) {
    return `thrown: ${String(thrown)}`;
  }
}

function problemOf(original: SpecTest, evaluator: Evaluator): string | undefined {
  const env = environmentOf(original);
  const { ast, diagnostics } = parse(original.expr, env);
  if (diagnostics.length > 0) return refusal(original, diagnostics);
  if (original.disableCheck) return compareResult(original, evaluator.compile(typeDynamically(ast, env), env));
  const checked = check(ast, env);
  if (checked.diagnostics.length > 0) return refusal(original, checked.diagnostics);
  return compareType(original, checked.typed) ?? evaluated(original, { evaluator, typed: checked.typed, env });
}

function environmentOf({ container = '', typeEnv, bindings = {} }: SpecTest): Environment {
  const variables = variablesOf(typeEnv);
  const declared = new Set(variables.map(({ name }) => name));
  const others = Object.keys(bindings).filter(name => !declared.has(name));
  return createEnvironment({
    libraries: EXTENSION_LIBRARIES,
    container,
    variables: [...variables, ...others.map(name => ({ name, type: DYN }))],
    functions: functionsOf(typeEnv),
  });
}

/** Rejecting an expression before it runs is correct if the test expects an error. */
function refusal(test: SpecTest, diagnostics: readonly { readonly message: string }[]): string | undefined {
  return test.evalError ? undefined : `refused: ${diagnostics.map(({ message }) => message).join('; ')}`;
}

function compareType({ typedResult }: SpecTest, typed: TypedAst): string | undefined {
  if (typedResult?.deducedType === undefined) return undefined;
  const expected = formatType(toType(typedResult.deducedType));
  const found = formatType(typed.resultType);
  return found === expected ? undefined : `expected the type ${expected}, found ${found}`;
}

interface Checked {
  readonly evaluator: Evaluator;
  readonly typed: TypedAst;
  readonly env: Environment;
}

function evaluated(test: SpecTest, { evaluator, typed, env }: Checked): string | undefined {
  return test.checkOnly ? undefined : compareResult(test, evaluator.compile(typed, env));
}

function compareResult(test: SpecTest, program: ReturnType<Evaluator['compile']>): string | undefined {
  const found = program.evaluate(activationOf(test));
  if (test.evalError) return found instanceof EvaluationError ? undefined : `expected an error, found ${show(found)}`;
  const expected = toValue(test.value ?? test.typedResult?.result ?? TRUE);
  return isSame(expected, found) ? undefined : `expected ${show(expected)}, found ${show(found)}`;
}

/** The expectation of a test that states none. */
const TRUE: SpecValue = { boolValue: true };

function activationOf({ bindings = {} }: SpecTest): Activation {
  return Object.fromEntries(Object.entries(bindings).map(([name, { value }]) => [name, toValue(value)]));
}

function show(value: unknown): string {
  if (value instanceof EvaluationError) return `${value.code} (${value.message})`;
  if (value instanceof NonValue) return 'an unknown';
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part));
}
