import type { CallExpr, Expr } from '../../ast/ast.ts';
import type { Macro, MacroFactory } from '../../syntax/macros/macro.ts';

const INPUT = '@__sortBy_input__';
const ACCUMULATOR = '@result';

/**
 * `list.sortBy(e, key)` binds the list, so that it is evaluated once, and sorts it by the list of keys:
 * `input.@sortByAssociatedKeys(input.map(e, key))`.
 */
export const SORT_BY_MACRO: Macro = {
  name: 'sortBy',
  member: true,
  argCount: 2,
  doc: 'Returns the list in ascending order of a key computed from each element.',
  expand: expandSortBy,
};

function expandSortBy(make: MacroFactory, call: CallExpr): Expr | undefined {
  const [variable, key] = call.args;
  if (call.target === undefined || variable === undefined || key === undefined) return undefined;
  if (variable.kind !== 'ident' || variable.name.startsWith('.')) {
    return make.error('syntax/invalid-macro', 'the first argument of `sortBy` must be a simple name', variable.range);
  }
  return make.comprehension({
    iterVar: '#unused',
    iterRange: make.list([]),
    accuVar: INPUT,
    accuInit: call.target,
    loopCondition: make.bool(false),
    loopStep: make.ident(INPUT),
    result: make.call('@sortByAssociatedKeys', [keysOf(make, variable.name, key)], make.ident(INPUT)),
  });
}

function keysOf(make: MacroFactory, variable: string, key: Expr): Expr {
  return make.comprehension({
    iterVar: variable,
    iterRange: make.ident(INPUT),
    accuVar: ACCUMULATOR,
    accuInit: make.list([]),
    loopCondition: make.bool(true),
    loopStep: make.call('_+_', [make.ident(ACCUMULATOR), make.list([key])]),
    result: make.ident(ACCUMULATOR),
  });
}
