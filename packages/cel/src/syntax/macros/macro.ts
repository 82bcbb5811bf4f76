import type { Range } from '@tollgate/diagnostics';
import type { CallExpr, Expr } from '../../ast/ast.ts';

/** Rewrites a call during parsing. A macro is selected by name, call style and number of arguments. */
export interface Macro {
  readonly name: string;
  readonly member: boolean;
  /** Exact number of arguments; undefined for any number. */
  readonly argCount: number | undefined;
  readonly doc: string;
  /**
   * Returns the expansion, or undefined to leave the call as it is (not every `.map(…)` is the macro). Reports misuse with `make.error`.
   */
  readonly expand: (make: MacroFactory, call: CallExpr) => Expr | undefined;
  /** Whether the expansion depends on the values of literals rather than only their kinds. False by default. */
  readonly readsLiterals?: boolean;
}

/** Returns the macro that rewrites a call. */
export function findMacro(macros: ReadonlyMap<string, Macro>, call: CallExpr): Macro | undefined {
  const prefix = `${call.function}:${call.target !== undefined}:`;
  return macros.get(prefix + call.args.length) ?? macros.get(`${prefix}*`);
}

/** Creates nodes with new ids for expansions. Ranges default to that of the macro call. */
export interface MacroFactory {
  ident(name: string, range?: Range): Expr;
  /** Returns an identifier for the default accumulator of {@link comprehension}. */
  accumulator(): Expr;
  bool(value: boolean): Expr;
  int(value: number): Expr;
  list(elements: readonly Expr[]): Expr;
  map(entries: readonly { readonly key: Expr; readonly value: Expr }[]): Expr;
  call(name: string, args: readonly Expr[], target?: Expr): Expr;
  select(operand: Expr, field: string, options: { readonly testOnly: boolean; readonly fieldRange: Range }): Expr;
  comprehension(parts: ComprehensionParts): Expr;
  /** Returns a copy with new ids, for trees that an expansion contains twice. */
  copy(expr: Expr): Expr;
  /** Reports misuse of the macro at `range`, and returns the error node to return. */
  error(code: string, message: string, range: Range): Expr;
}

/** The parts of a comprehension; the accumulator has a reserved name by default. */
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
