import { childrenOf, type Expr, type TypedAst } from '../ast/ast.ts';
import { DYN } from '../ast/types.ts';
import type { Activation, Environment } from '../checker/environment.ts';
import { lower } from '../lowering/lower.ts';
import type { RunContext } from '../runtime/context.ts';
import { NonValue, type Value } from '../values/value.ts';
import { type Code, type Compiler, convertCode, type Locals, type Outcome } from './code.ts';
import { compileObserved } from './compile-closures.ts';

/** The values of a subexpression. */
export interface NodeTrace {
  /** The first values, tagged; more than one only inside a loop. */
  readonly values: readonly (Value | NonValue)[];
  /** The number of evaluations. */
  readonly count: number;
}

/** The result of an expression and the values that led to it. */
export interface ExpressionTrace {
  /** The same result as that of a program. */
  readonly result: Value | NonValue;
  /**
   * By node id of the given tree. Nodes that are missing were not evaluated: a branch not taken, an operand that no longer mattered, or a
   * name that is not a value by itself. Nodes of inlined function bodies have ids beyond those of the tree.
   */
  readonly nodes: ReadonlyMap<number, NodeTrace>;
}

/** The number of values kept for a node inside a loop. */
const MAX_KEPT_VALUES = 100;

/**
 * Prepares an expression for evaluations that record the value of every subexpression. Many times slower than a program. For each node
 * inside a loop, at most a hundred values are kept.
 */
export function traceExpression(typed: TypedAst, env: Environment): (activation: Activation) => ExpressionTrace {
  // Calls of constants must be evaluated to appear in the trace.
  const unfolded: Environment = { ...env, constantFolding: false };
  const recorder = new Recorder();
  const program = compileObserved(lower(typed, unfolded), unfolded, (expr, code, compiler) =>
    recorder.observe(expr, code, compiler),
  );
  return activation => recorder.run(() => program.evaluate(activation));
}

interface MutableTrace {
  readonly values: (Value | NonValue)[];
  count: number;
  last: Outcome;
  /** The time of the latest evaluation. */
  stamp: number;
}

class Recorder {
  /** The code of each compiled node. */
  readonly #codes = new Map<number, Code>();
  #nodes = new Map<number, MutableTrace>();
  /** The number of evaluations so far, used as a clock. */
  #stamp = 0;
  /** Set while operands are evaluated separately: values with a later stamp are already recorded. */
  #recordedSince: number | undefined;

  run(evaluate: () => Value | NonValue): ExpressionTrace {
    this.#nodes = new Map();
    const result = evaluate();
    const nodes = [...this.#nodes].map(([id, { values, count }]) => [id, { values, count }] as const);
    return { result, nodes: new Map(nodes) };
  }

  /** Returns code that records its own result, and the results of its operands if the code does not evaluate them itself. */
  observe(expr: Expr, code: Code, compiler: Compiler): Code {
    const known = this.#codes.get(expr.id);
    // Compiling the same node again returns the recorded code.
    if (known !== undefined) return known;
    const tag = tagger(expr, compiler);
    const { context } = compiler;
    const operands = this.#operandsOf(expr, compiler);
    const observed: Code = (activation, locals) => {
      const since = this.#stamp;
      const outcome = code(activation, locals);
      this.#record(expr.id, outcome, tag);
      this.#runOperands(expr, { operands, since }, { activation, locals, context });
      return outcome;
    };
    this.#codes.set(expr.id, observed);
    return observed;
  }

  /** Code that runs several nodes as one leaves their operands without code; they are compiled here. */
  #operandsOf(expr: Expr, compiler: Compiler): readonly Operand[] {
    return valueOperands(expr, compiler).map(operand => ({
      id: operand.id,
      code: this.#codes.get(operand.id) ?? compiler.compile(operand),
    }));
  }

  #record(id: number, outcome: Outcome, tag: (outcome: Outcome) => Outcome): void {
    const trace = this.#nodes.get(id) ?? { values: [], count: 0, last: outcome, stamp: 0 };
    this.#nodes.set(id, trace);
    const isRecorded = this.#recordedSince !== undefined && trace.stamp > this.#recordedSince;
    trace.last = outcome;
    trace.stamp = ++this.#stamp;
    if (isRecorded) return;
    trace.count += 1;
    if (trace.values.length < MAX_KEPT_VALUES) trace.values.push(tag(outcome));
  }

  /** Evaluates operands in order while they would be evaluated, except those that have run already. */
  #runOperands(expr: Expr, { operands, since }: Operands, scope: Scope): void {
    let index = 0;
    while (index < operands.length) {
      const { id, code } = operands[index]!;
      const trace = this.#nodes.get(id);
      const outcome = trace !== undefined && trace.stamp > since ? trace.last : this.#runApart(code, scope, since);
      index = nextOperand(expr, index, outcome);
    }
  }

  /** Does not charge evaluations that happen only for the trace. Programs without loops and local names have no locals. */
  #runApart(code: Code, { activation, locals, context }: Scope, since: number): Outcome {
    const outer = this.#recordedSince;
    const left = context.left;
    this.#recordedSince ??= since;
    const outcome = code(activation, locals ?? []);
    this.#recordedSince = outer;
    context.left = left;
    return outcome;
  }
}

interface Operand {
  readonly id: number;
  readonly code: Code;
}

interface Operands {
  readonly operands: readonly Operand[];
  /** The time at which the evaluation of the whole began. */
  readonly since: number;
}

interface Scope {
  readonly activation: Activation;
  readonly locals: Locals | undefined;
  readonly context: RunContext;
}

/** Returns the operands that are evaluated, in order. Bodies of loops run only with the loop. */
function valueOperands(expr: Expr, compiler: Compiler): readonly Expr[] {
  const { references } = compiler.typed;
  const reference = references[expr.id];
  if (reference?.kind === 'variable' || reference?.kind === 'type') return [];
  if (expr.kind === 'comprehension') return [expr.iterRange];
  const children = childrenOf(expr);
  const isNamespaced =
    expr.kind === 'call' &&
    expr.target !== undefined &&
    reference?.kind === 'function' &&
    !reference.overloads[0]?.member;
  return isNamespaced ? children.slice(1) : children;
}

/** Returns the index of the operand that is evaluated after one had this outcome; the number of operands if none is. */
function nextOperand(expr: Expr, index: number, outcome: Outcome): number {
  const name = expr.kind === 'call' ? expr.function : undefined;
  const end = Number.POSITIVE_INFINITY;
  if (name === '_&&_') return outcome === false ? end : index + 1;
  if (name === '_||_') return outcome === true ? end : index + 1;
  if (name === '_?_:_') {
    if (index > 0 || outcome instanceof NonValue) return end;
    return outcome === true ? 1 : 2;
  }
  return outcome instanceof NonValue ? end : index + 1;
}

function tagger(expr: Expr, compiler: Compiler): (outcome: Outcome) => Outcome {
  let held: Outcome = null;
  const code = convertCode(() => held, { from: compiler.typeOf(expr), to: DYN, exprId: expr.id });
  return outcome => {
    held = outcome;
    return code({}, []);
  };
}
