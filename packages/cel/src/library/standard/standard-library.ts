import type { VariableDecl } from '../../ast/declaration.ts';
import { STANDARD_IMPLEMENTATIONS } from '../../runtime/implementations/standard.ts';
import { STANDARD_MACROS } from '../../syntax/macros/standard-macros.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
} from '../../types/type.ts';
import type { Library } from '../declarations/library.ts';
import { COMPARISONS } from './comparisons.ts';
import { STANDARD_CONSTANT_CHECKS } from './constant-checks.ts';
import { CONVERSIONS } from './conversions.ts';
import { OPERATORS } from './operators.ts';
import { STRING_FUNCTIONS } from './strings.ts';
import { TIME_PARTS } from './time.ts';

const TYPE_NAMES: readonly VariableDecl[] = [
  typeName('bool', BOOL),
  typeName('bytes', BYTES),
  typeName('double', DOUBLE),
  typeName('google.protobuf.Duration', DURATION),
  typeName('google.protobuf.Timestamp', TIMESTAMP),
  typeName('int', INT),
  typeName('list', listOf(DYN)),
  typeName('map', mapOf(DYN, DYN)),
  typeName('null_type', NULL),
  typeName('string', STRING),
  typeName('type', typeOf(undefined)),
  typeName('uint', UINT),
];

/** The operators, functions, macros and type names of the CEL specification; part of every environment. */
export const STANDARD_LIBRARY: Library = {
  name: 'standard',
  functions: [...OPERATORS, ...COMPARISONS, ...CONVERSIONS, ...STRING_FUNCTIONS, ...TIME_PARTS],
  macros: STANDARD_MACROS,
  constants: TYPE_NAMES,
  implementations: STANDARD_IMPLEMENTATIONS,
  constantChecks: STANDARD_CONSTANT_CHECKS,
};

function typeName(name: string, type: Type): VariableDecl {
  return { name, type: typeOf(type) };
}
