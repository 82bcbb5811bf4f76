import type { Range } from '@tollgate/diagnostics';
import type { CallExpr, Expr, Literal } from '../../ast/ast.ts';
import type { Reporter } from '../lexing/reporter.ts';
import { type CopyContext, copyTree } from './copy-tree.ts';
import type { ComprehensionParts, MacroFactory } from './macro.ts';

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
