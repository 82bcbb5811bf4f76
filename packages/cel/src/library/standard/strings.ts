import type { FunctionDecl, Overload } from '../../ast/declaration.ts';
import { BOOL, BYTES, INT, listOf, mapOf, paramType, STRING, type Type } from '../../types/type.ts';
import { type Example, member, overload } from '../declarations/declare.ts';

const LIST = listOf(paramType('A'));
const MAP = mapOf(paramType('A'), paramType('B'));

export const STRING_FUNCTIONS: readonly FunctionDecl[] = [
  {
    name: 'size',
    doc: 'Returns the number of code points in a string, of bytes, of elements in a list, or of entries in a map.',
    overloads: [
      overload('size_string', [STRING], INT, ["size('ü😀')", '2']),
      member('string_size', [STRING], INT, ["'abc'.size()", '3']),
      overload('size_bytes', [BYTES], INT, ["size(b'\\xff')", '1']),
      member('bytes_size', [BYTES], INT, ["b'ab'.size()", '2']),
      overload('size_list', [LIST], INT, ['size([1, 2])', '2']),
      member('list_size', [LIST], INT, ['[].size()', '0']),
      overload('size_map', [MAP], INT, ["size({'a': 1})", '1']),
      member('map_size', [MAP], INT, ['{}.size()', '0']),
    ],
  },
  {
    name: 'contains',
    doc: 'Returns true if the string contains the substring.',
    overloads: [onText('contains_string', ["'tollgate'.contains('gate')", 'true'])],
  },
  {
    name: 'startsWith',
    doc: 'Returns true if the string starts with the prefix.',
    overloads: [onText('starts_with_string', ["'/api/users'.startsWith('/api/')", 'true'])],
  },
  {
    name: 'endsWith',
    doc: 'Returns true if the string ends with the suffix.',
    overloads: [onText('ends_with_string', ["'index.php'.endsWith('.php')", 'true'])],
  },
  {
    name: 'matches',
    doc: 'Returns true if a part of the string matches the regular expression, in RE2 syntax and in linear time.',
    overloads: [
      overload('matches', [STRING, STRING], BOOL, ["matches('/users/42', '^/users/[0-9]+$')", 'true']),
      onText('matches_string', ["'/users/42'.matches('^/users/[a-z]+$')", 'false']),
    ],
  },
];

function onText(id: string, example: Example): Overload {
  const params: readonly Type[] = [STRING, STRING];
  return member(id, params, BOOL, example);
}
