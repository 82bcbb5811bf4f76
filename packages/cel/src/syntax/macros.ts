// What a macro is, and what expansions are built from.

import type { Range } from '@tollgate/diagnostics';
import type { CallExpr, Expr, Literal } from '../ast/ast.ts';
import type { Limits } from '../ast/limits.ts';
import { LimitExceeded, limitFinding, type Reporter } from './reporter.ts';

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
interface ComprehensionParts {
  readonly iterVar: string;
  readonly iterVar2?: string;
  readonly iterRange: Expr;
  readonly accuVar?: string;
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}

/** The part of the tree under construction that an expansion uses. */
interface ExpansionContext extends CopyContext {
  readonly reporter: Reporter;
}

/** The accumulator of comprehensions; not a valid name in source. */
const ACCUMULATOR = '@result';

/** The {@link MacroFactory} of one macro call. */
export class ExpansionFactory implements MacroFactory {
  private readonly tree: ExpansionContext;
  private readonly written: CallExpr;

  constructor(tree: ExpansionContext, call: CallExpr) {
    this.tree = tree;
    this.written = call;
  }

  ident(name: string, range: Range = this.written.range): Expr {
    return { kind: 'ident', id: this.tree.newId(), range, name };
  }

  accumulator(): Expr {
    return this.ident(ACCUMULATOR);
  }

  bool(value: boolean): Expr {
    return this.literal({ type: 'bool', value });
  }

  int(value: number): Expr {
    return this.literal({ type: 'int', value });
  }

  private literal(literal: Literal): Expr {
    return { kind: 'literal', id: this.tree.newId(), range: this.written.range, literal };
  }

  list(elements: readonly Expr[]): Expr {
    return { kind: 'list', id: this.tree.newId(), range: this.written.range, elements, optionalIndices: [] };
  }

  map(entries: readonly { readonly key: Expr; readonly value: Expr }[]): Expr {
    const { range } = this.written;
    const made = entries.map(({ key, value }) => ({ id: this.tree.newId(), range, key, value, optional: false }));
    return { kind: 'map', id: this.tree.newId(), range, entries: made };
  }

  call(name: string, args: readonly Expr[], target?: Expr): Expr {
    const { range, functionRange } = this.written;
    return { kind: 'call', id: this.tree.newId(), range, function: name, functionRange, target, args };
  }

  select(operand: Expr, field: string, options: { readonly testOnly: boolean; readonly fieldRange: Range }): Expr {
    const { testOnly, fieldRange } = options;
    return { kind: 'select', id: this.tree.newId(), range: this.written.range, operand, field, fieldRange, testOnly };
  }

  comprehension(parts: ComprehensionParts): Expr {
    const { iterVar, iterVar2, iterRange, accuVar = ACCUMULATOR, accuInit, loopCondition, loopStep, result } = parts;
    return {
      kind: 'comprehension',
      id: this.tree.newId(),
      range: this.written.range,
      iterVar,
      iterVar2,
      iterRange,
      accuVar,
      accuInit,
      loopCondition,
      loopStep,
      result,
    };
  }

  copy(expr: Expr): Expr {
    return copyTree(expr, this.tree, this.tree.reporter.limits);
  }

  error(code: string, message: string, range: Range): Expr {
    this.tree.reporter.report({ code, message, range });
    return { kind: 'error', id: this.tree.newId(), range: this.written.range };
  }
}

/** Names of the accumulator, in this and older versions of CEL. */
const ACCUMULATORS: ReadonlySet<string> = new Set(['@result', '__result__']);

/** Returns the name of the variable that argument `index` declares, or an error node if it is not a name. */
export function variableArgument(make: MacroFactory, call: CallExpr, index: number): string | Expr {
  const arg = call.args[index] as Expr;
  if (arg.kind !== 'ident' || arg.name.startsWith('.')) {
    if (arg.kind === 'error') return arg;
    return make.error(
      'syntax/invalid-macro-argument',
      `expected a variable's name as ${ORDINALS[index]} argument of \`${call.function}\``,
      arg.range,
    );
  }
  if (ACCUMULATORS.has(arg.name)) {
    return make.error(
      'syntax/invalid-macro-argument',
      `\`${arg.name}\` is taken by \`${call.function}\` itself; expected another name`,
      arg.range,
    );
  }
  return arg.name;
}

const ORDINALS = ['first', 'second', 'third'];

/** Returns true if the call is `namespace.f(...)`. */
export function isInNamespace(call: CallExpr, namespace: string): boolean {
  return call.target?.kind === 'ident' && call.target.name === namespace;
}

/** Where copies get their ids and record their macro calls. */
interface CopyContext {
  readonly macroCalls: Map<number, CallExpr>;
  newId(): number;
}

/**
 * Returns a copy of the tree with new ids.
 *
 * @throws LimitExceeded if the tree is too deep or becomes too large
 */
function copyTree(expr: Expr, context: CopyContext, limits: Limits): Expr {
  return copy(expr, 1);

  function copy(from: Expr, depth: number): Expr {
    if (depth > limits.maxDepth * EXPANDED_DEPTH_FACTOR) {
      throw new LimitExceeded(limitFinding('maxDepth', limits, from.range));
    }
    const id = context.newId();
    const copied = copyParts(from, id, child => copy(child, depth + 1));
    const written = context.macroCalls.get(from.id);
    if (written !== undefined) {
      const call = copyParts(written, context.newId(), child => copy(child, depth + 1));
      context.macroCalls.set(id, call as CallExpr);
    }
    return copied;
  }

  function copyParts(from: Expr, id: number, of: (child: Expr) => Expr): Expr {
    switch (from.kind) {
      case 'literal':
      case 'ident':
      case 'error':
        return { ...from, id };
      case 'select':
        return { ...from, id, operand: of(from.operand) };
      case 'call':
        return { ...from, id, target: from.target && of(from.target), args: from.args.map(of) };
      case 'list':
        return { ...from, id, elements: from.elements.map(of) };
      case 'map': {
        const entries = from.entries.map(e => ({ ...e, id: context.newId(), key: of(e.key), value: of(e.value) }));
        return { ...from, id, entries };
      }
      case 'struct': {
        const fields = from.fields.map(field => ({ ...field, id: context.newId(), value: of(field.value) }));
        return { ...from, id, fields };
      }
      case 'comprehension':
        return {
          ...from,
          id,
          iterRange: of(from.iterRange),
          accuInit: of(from.accuInit),
          loopCondition: of(from.loopCondition),
          loopStep: of(from.loopStep),
          result: of(from.result),
        };
    }
  }
}

/** The number of levels that an expansion may add per level of source. */
const EXPANDED_DEPTH_FACTOR = 8;

/** The range of a loop and the names of its variables. */
export interface LoopParts {
  readonly iterVar: string;
  readonly iterVar2?: string;
  readonly iterRange: Expr;
}

export function all(make: MacroFactory, parts: LoopParts, predicate: Expr): Expr {
  return make.comprehension({
    ...parts,
    accuInit: make.bool(true),
    loopCondition: make.call('@not_strictly_false', [make.accumulator()]),
    loopStep: make.call('_&&_', [make.accumulator(), predicate]),
    result: make.accumulator(),
  });
}

export function exists(make: MacroFactory, parts: LoopParts, predicate: Expr): Expr {
  return make.comprehension({
    ...parts,
    accuInit: make.bool(false),
    loopCondition: make.call('@not_strictly_false', [make.call('!_', [make.accumulator()])]),
    loopStep: make.call('_||_', [make.accumulator(), predicate]),
    result: make.accumulator(),
  });
}

export function existsOne(make: MacroFactory, parts: LoopParts, predicate: Expr): Expr {
  const increment = make.call('_+_', [make.accumulator(), make.int(1)]);
  return make.comprehension({
    ...parts,
    accuInit: make.int(0),
    loopCondition: make.bool(true),
    loopStep: make.call('_?_:_', [predicate, increment, make.accumulator()]),
    result: make.call('_==_', [make.accumulator(), make.int(1)]),
  });
}

/** Returns a loop that runs `step` for every element, or for those that pass `filter`. */
export function filtered(
  make: MacroFactory,
  parts: LoopParts & { readonly accuInit: Expr },
  filter: Expr | undefined,
  step: Expr,
): Expr {
  return make.comprehension({
    ...parts,
    loopCondition: make.bool(true),
    loopStep: filter === undefined ? step : make.call('_?_:_', [filter, step, make.accumulator()]),
    result: make.accumulator(),
  });
}

/** Returns `expression` with `name` bound to `value`: a loop over an empty list whose accumulator is the name. */
export function bound(make: MacroFactory, name: string, value: Expr, expression: Expr): Expr {
  return make.comprehension({
    iterVar: '#unused',
    iterRange: make.list([]),
    accuVar: name,
    accuInit: value,
    loopCondition: make.bool(false),
    loopStep: make.ident(name),
    result: expression,
  });
}
