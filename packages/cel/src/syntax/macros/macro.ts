import type { Range } from '@tollgate/diagnostics';
import type { CallExpr, Expr } from '../../ast/ast.ts';

/**
 * Rewrites a call while parsing. A macro is chosen by name, by being called on a target or not, and by the number of
 * arguments.
 */
export interface Macro {
  readonly name: string;
  readonly member: boolean;
  /** Exact number of arguments; undefined for any number. */
  readonly argCount: number | undefined;
  readonly doc: string;
  /** Gives the expansion, or undefined to leave the call as it is (not every `.map(…)` is the macro). Reports misuse through `make.error`. */
  readonly expand: (make: MacroFactory, call: CallExpr) => Expr | undefined;
  /** Whether the expansion depends on the values of literals, and not only on their kinds. False when absent. */
  readonly readsLiterals?: boolean;
}

/** The macro that a call is rewritten by. */
export function findMacro(macros: ReadonlyMap<string, Macro>, call: CallExpr): Macro | undefined {
  const prefix = `${call.function}:${call.target !== undefined}:`;
  return macros.get(prefix + call.args.length) ?? macros.get(`${prefix}*`);
}

/** Makes nodes with fresh ids for expansions. Ranges are those of the macro call unless given. */
export interface MacroFactory {
  ident(name: string, range?: Range): Expr;
  /** An identifier for the accumulator that {@link comprehension} uses when it is given none. */
  accumulator(): Expr;
  bool(value: boolean): Expr;
  int(value: number): Expr;
  list(elements: readonly Expr[]): Expr;
  map(entries: readonly { readonly key: Expr; readonly value: Expr }[]): Expr;
  call(name: string, args: readonly Expr[], target?: Expr): Expr;
  select(operand: Expr, field: string, options: { readonly testOnly: boolean; readonly fieldRange: Range }): Expr;
  comprehension(parts: ComprehensionParts): Expr;
  /** The same tree with fresh ids, for what an expansion holds twice. */
  copy(expr: Expr): Expr;
  /** Reports that the macro is misused at `range`, and gives the error node to return. */
  error(code: string, message: string, range: Range): Expr;
}

/** What a comprehension is made of; the accumulator has the reserved name unless given. */
export interface ComprehensionParts {
  readonly iterVar: string;
  readonly iterVar2?: string;
  readonly iterRange: Expr;
  readonly accuVar?: string;
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}
