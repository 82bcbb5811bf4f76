import { BLOCK_MACROS } from '../../syntax/macros/block-macros.ts';
import { DYN, listOf, paramType } from '../../types/type.ts';
import { declare, overload } from '../declarations/declare.ts';
import type { Library } from '../declarations/library.ts';

const T = paramType('T');

/** `cel.block([values], expression)`: common subexpressions, named by `cel.index(n)`. Written by optimizers. */
export const BLOCK_LIBRARY: Library = {
  name: 'block',
  functions: [
    declare(
      'cel.@block',
      'Returns the value of the second argument, in which `cel.index(n)` is the element at index n of the first.',
      overload('cel_block_list', [listOf(DYN), T], T),
    ),
  ],
  macros: BLOCK_MACROS,
  constants: [],
};
