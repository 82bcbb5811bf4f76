import type { FunctionDecl } from '../../ast/declaration.ts';
import { SETS_IMPLEMENTATIONS } from '../../runtime/implementations/sets.ts';
import { BOOL, listOf, paramType } from '../../types/type.ts';
import { declare, type Example, overload } from '../declarations/declare.ts';
import type { Library } from '../declarations/library.ts';

const LIST = listOf(paramType('T'));

/** Lists as sets: order and repetition do not matter. */
export const SETS_LIBRARY: Library = {
  name: 'sets',
  functions: [
    onSets('contains', 'Returns true if the first list contains every element of the second.', [
      'sets.contains([1, 2], [2, 2])',
      'true',
    ]),
    onSets('equivalent', 'Returns true if each list contains every element of the other.', [
      'sets.equivalent([1, 2], [2, 1, 1])',
      'true',
    ]),
    onSets('intersects', 'Returns true if the first list contains any element of the second.', [
      'sets.intersects([1], [2])',
      'false',
    ]),
  ],
  macros: [],
  constants: [],
  implementations: SETS_IMPLEMENTATIONS,
};

function onSets(name: string, doc: string, example: Example): FunctionDecl {
  return declare(`sets.${name}`, doc, overload(`list_sets_${name}_list`, [LIST, LIST], BOOL, example));
}
