import type { CallExpr, ComprehensionExpr, Expr, LiteralExpr, TypedAst } from '../ast/ast.ts';
import { BOOL, DYN, type Type } from '../ast/types.ts';
import type { Activation, Environment, Program } from '../checker/environment.ts';
import { type LoweredAst, lower } from '../lowering/lower.ts';
import { createRunContext, type RunContext } from '../runtime/context.ts';
import { combineUndecided, type NonValue } from '../values/value.ts';
import { compileIndex, compileName, compileOptionalAccess, compileSelect, undeclared } from './access.ts';
import { compileCall, compileList, compileMap, compileStruct } from './calls.ts';
import {
  type Code,
  type Compiler,
  compileWhole,
  convertCode,
  errorAt,
  type Local,
  type Locals,
  type Outcome,
} from './code.ts';
import {
  compileBind,
  compileBlock,
  compileFold,
  compileListLoop,
  compileMapLoop,
  compileOne,
  compileQuantifier,
  loopShapeOf,
} from './loops.ts';
import {
  compileConditional,
  compileEquality,
  compileLogic,
  compileMembership,
  compileNot,
  compileNotStrictlyFalse,
} from './operators.ts';

/**
 * Compiles an expression to closures that are specialized by static types. Generates no code, so it works where a content-security policy
 * forbids that. Never throws for a checked or dynamically typed tree of the same environment.
 */
export function compileClosures(typed: TypedAst, env: Environment): Program {
  return compileObserved(lower(typed, env), env);
}

/** Returns code to use instead of a node's code. */
type ObserveCode = (expr: Expr, code: Code, compiler: Compiler) => Code;

/** Like {@link compileClosures}, for a lowered tree, with the code of every node passed through an observer if one is given. */
export function compileObserved(lowered: LoweredAst, env: Environment, observe?: ObserveCode): Program {
  const { compiler, start } = createRun(lowered, createRunContext(env.limits), { env, to: DYN, observe });
  return { evaluate: compiler.stepTakers() === 0 ? start : counted(start, compiler) };
}

/**
 * Compiles a rule, the conjunction of its expressions (true if there are none), to closures. The result is that of `compileConditions`: the
 * expressions share a budget.
 */
export function compileConjunction(
  rule: readonly TypedAst[],
  env: Environment,
): (activation: Activation) => boolean | NonValue {
  const context = createRunContext(env.limits);
  const starts = rule.map(typed => createRun(lower(typed, env), context, { env, to: BOOL }).start);
  const conjunction: Program['evaluate'] = activation => {
    let pending: ReturnType<Program['evaluate']> = true;
    for (const start of starts) {
      const outcome = start(activation);
      if (outcome === false) return false;
      if (outcome !== true) pending = pending === true ? outcome : combineUndecided(pending, outcome);
    }
    return pending;
  };
  return counted(conjunction, { context, env }) as (activation: Activation) => boolean | NonValue;
}

interface RunOptions {
  readonly env: Environment;
  /** The type in whose representation the result is. */
  readonly to: Type;
  readonly observe?: ObserveCode | undefined;
}

/** Returns a run of an expression without a budget of its own. */
function createRun(
  lowered: LoweredAst,
  context: RunContext,
  { env, to, observe }: RunOptions,
): { readonly compiler: Compiler; readonly start: Program['evaluate'] } {
  const { compiler, slots } = createSession(lowered, { env, context, observe });
  const { root } = lowered.ast;
  const code = convertCode(compileWhole(root, compiler), { from: compiler.typeOf(root), to, exprId: root.id });
  const count = slots();
  // Code without local variables ignores its second argument.
  if (count === 0) return { compiler, start: code as Program['evaluate'] };
  const template: Locals = new Array<unknown>(count).fill(undefined);
  return { compiler, start: activation => code(activation, template.slice()) as ReturnType<Program['evaluate']> };
}

/** A run that starts within another one, as in a getter of the host, has a budget of its own. */
function counted(start: Program['evaluate'], { context, env }: Pick<Compiler, 'context' | 'env'>): Program['evaluate'] {
  const { maxSteps } = env.limits;
  return activation => {
    const { left } = context;
    context.left = maxSteps;
    const outcome = start(activation);
    context.left = left;
    return outcome;
  };
}

const NO_LOCALS: Locals = [];

interface Compilation {
  readonly compiler: Compiler;
  /** The number of slots assigned so far. */
  readonly slots: () => number;
}

function createSession(
  typed: LoweredAst,
  { env, context, observe }: Omit<RunOptions, 'to'> & { readonly context: RunContext },
): Compilation {
  const constants = new Map<Code, Outcome>();
  const locals = new Map<string, Local>();
  let slots = 0;
  let stepTakers = 0;
  const compiler: Compiler = {
    env,
    typed,
    compile: expr => {
      const value = typed.constants.get(expr.id);
      const code = value === undefined ? compileNode(expr, compiler) : compiler.constant(value);
      return observe === undefined ? code : observe(expr, code, compiler);
    },
    typeOf: expr => typed.types[expr.id] ?? DYN,
    constant: value => {
      const code: Code = () => value;
      constants.set(code, value);
      return code;
    },
    constantOf: code => constants.get(code),
    fold: (code, parts) => {
      const isKnown = !constants.has(code) && parts.every(part => constants.has(part));
      return isKnown ? compiler.constant(code({}, NO_LOCALS)) : code;
    },
    bind: (scope, name, kept) => {
      const local: Local = { ...kept, slot: slots };
      slots += 1;
      locals.set(`${scope}:${name}`, local);
      return local;
    },
    localOf: (scope, name) => locals.get(`${scope}:${name}`),
    context,
    isRepeated: expr => typed.loops.repeated.has(expr.id),
    stepTakers: () => stepTakers,
    takesSteps: () => {
      stepTakers += 1;
    },
  };
  return { compiler, slots: () => slots };
}

function compileNode(expr: Expr, compiler: Compiler): Code {
  switch (expr.kind) {
    case 'literal':
      return compileLiteral(expr, compiler);
    case 'ident':
      return compileName(expr, compiler) ?? undeclared(expr.id, expr.name, compiler);
    case 'select':
      return compileName(expr, compiler) ?? compileSelect(expr, compiler);
    case 'call':
      return OPERATORS.get(expr.function)?.(expr, compiler) ?? compileCall(expr, compiler);
    case 'list':
      return compileList(expr, compiler);
    case 'map':
      return compileMap(expr, compiler);
    case 'struct':
      return compileStruct(expr, compiler);
    case 'comprehension':
      return compileComprehension(expr, compiler);
    case 'error':
      return compiler.constant(errorAt(expr.id, 'eval/syntax-error', 'this part of the expression has a syntax error'));
  }
}

/** Operators that do not evaluate all operands, or not in the usual way. */
const OPERATORS: ReadonlyMap<string, (call: CallExpr, compiler: Compiler) => Code> = new Map([
  ['_&&_', compileLogic],
  ['_||_', compileLogic],
  ['!_', compileNot],
  ['_?_:_', compileConditional],
  ['@not_strictly_false', compileNotStrictlyFalse],
  ['_==_', compileEquality],
  ['_!=_', compileEquality],
  ['@in', compileMembership],
  ['_[_]', compileIndex],
  ['_[?_]', compileOptionalAccess],
  ['_?._', compileOptionalAccess],
  ['cel.@block', compileBlock],
]);

function compileLiteral({ id, literal }: LiteralExpr, compiler: Compiler): Code {
  const to = compiler.typed.types[id] ?? DYN;
  const from: Type = { kind: literal.type };
  const converted = convertCode(() => literal.value, { from, to, exprId: id });
  return compiler.constant(converted({}, NO_LOCALS));
}

function compileComprehension(expr: ComprehensionExpr, compiler: Compiler): Code {
  const shape = loopShapeOf(expr, compiler.typed.references);
  switch (shape.kind) {
    case 'bind':
      return compileBind(expr, compiler);
    case 'all':
    case 'exists':
      return compileQuantifier(expr, { kind: shape.kind, predicate: shape.predicate }, compiler);
    case 'one':
      return compileOne(expr, shape.predicate, compiler);
    case 'list':
      return compileListLoop(expr, shape, compiler);
    case 'entries':
    case 'merge':
      return compileMapLoop(expr, shape, compiler);
    case 'fold':
      return compileFold(expr, compiler);
  }
}
