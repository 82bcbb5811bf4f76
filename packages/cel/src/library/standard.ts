import type { CallExpr, Expr, VariableDecl } from '../ast/ast.ts';
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
} from '../ast/types.ts';
import { addList, indexList, inList, lengthOf } from '../runtime/collections.ts';
import { type Implementation, type ImplementationFunction, inContext, partial, total } from '../runtime/context.ts';
import * as parts from '../runtime/conversion.ts';
import {
  bytesToString,
  doubleToInt,
  doubleToString,
  doubleToUint,
  integerToDouble,
  intToUint,
  scalarToString,
  stringToBool,
  stringToBytes,
  stringToDouble,
  stringToInt,
  stringToUint,
  uintToInt,
} from '../runtime/conversion.ts';
import { equals, notEquals } from '../runtime/equality.ts';
import { indexMap, inMap, sizeOfMap } from '../runtime/host.ts';
import { matchesRegExp } from '../runtime/matches-regexp.ts';
import {
  addBytes,
  addText,
  containsString,
  endsWithString,
  sizeOfString,
  startsWithString,
} from '../runtime/strings.ts';
import {
  all,
  exists,
  existsOne,
  filtered,
  type LoopParts,
  type Macro,
  type MacroFactory,
  variableArgument,
} from '../syntax/macros.ts';
import {
  addInt,
  addUint,
  divideInt,
  divideUint,
  greaterBytes,
  greaterOrEqual,
  greaterOrEqualBytes,
  greaterOrEqualString,
  greaterOrEqualTime,
  greaterString,
  greaterThan,
  greaterTime,
  lessBytes,
  lessOrEqual,
  lessOrEqualBytes,
  lessOrEqualString,
  lessOrEqualTime,
  lessString,
  lessThan,
  lessTime,
  moduloInt,
  moduloUint,
  multiplyInt,
  multiplyUint,
  negateInt,
  subtractInt,
  subtractUint,
} from '../values/numbers.ts';
import {
  addDuration,
  addDurationToTimestamp,
  addTimestampToDuration,
  durationToInt,
  durationToString,
  hoursOfDuration,
  intToTimestamp,
  millisecondsOfDuration,
  minutesOfDuration,
  secondsOfDuration,
  stringToDuration,
  stringToTimestamp,
  subtractDuration,
  subtractDurationFromTimestamp,
  subtractTimestamps,
  timestampToInt,
  timestampToString,
} from '../values/time.ts';
import {
  addDouble,
  divideDouble,
  identity,
  multiplyDouble,
  negateDouble,
  not,
  runtimeTypeOf,
  subtractDouble,
} from '../values/value.ts';
import type { Library } from './library.ts';
import {
  COMPARISONS,
  CONVERSIONS,
  OPERATORS,
  STANDARD_CONSTANT_CHECKS,
  STRING_FUNCTIONS,
  TIME_PARTS,
} from './standard-functions.ts';

const has: Macro = {
  name: 'has',
  member: false,
  argCount: 1,
  doc: 'Returns true if the object `e` has the field, or the map `e` contains the key, in `has(e.field)`.',
  expand: (make, call) => {
    const arg = call.args[0] as Expr;
    if (arg.kind === 'error') return arg;
    if (arg.kind !== 'select') {
      return make.error('syntax/invalid-macro-argument', 'expected a field selection such as `has(a.b)`', arg.range);
    }
    return make.select(arg.operand, arg.field, { testOnly: true, fieldRange: arg.fieldRange });
  },
};

type Build = (make: MacroFactory, parts: LoopParts, args: readonly Expr[]) => Expr;

/** Returns a macro of the form `range.name(variable, …)`. */
function loopMacro(name: string, argCount: number, doc: string, build: Build): Macro {
  const expand = (make: MacroFactory, call: CallExpr): Expr => {
    const variable = variableArgument(make, call, 0);
    if (typeof variable !== 'string') return variable;
    return build(make, { iterVar: variable, iterRange: call.target as Expr }, call.args);
  };
  return { name, member: true, argCount, doc, expand };
}

const EXISTS_ONE_DOC = 'Returns true if the predicate holds for exactly one element.';

function map(make: MacroFactory, parts: LoopParts, filter: Expr | undefined, element: Expr): Expr {
  const add = make.call('_+_', [make.accumulator(), make.list([element])]);
  return filtered(make, { ...parts, accuInit: make.list([]) }, filter, add);
}

/** The macros of the specification. */
const STANDARD_MACROS: readonly Macro[] = [
  has,
  loopMacro('all', 2, 'Returns true if the predicate holds for every element.', (make, parts, args) =>
    all(make, parts, args[1] as Expr),
  ),
  loopMacro('exists', 2, 'Returns true if the predicate holds for at least one element.', (make, parts, args) =>
    exists(make, parts, args[1] as Expr),
  ),
  loopMacro('exists_one', 2, EXISTS_ONE_DOC, (make, parts, args) => existsOne(make, parts, args[1] as Expr)),
  loopMacro('existsOne', 2, EXISTS_ONE_DOC, (make, parts, args) => existsOne(make, parts, args[1] as Expr)),
  loopMacro('map', 2, "Returns the list of the expression's values for each element.", (make, parts, args) =>
    map(make, parts, undefined, args[1] as Expr),
  ),
  loopMacro(
    'map',
    3,
    "Returns the list of the second expression's values for each element for which the first holds.",
    (make, parts, args) => map(make, parts, args[1], args[2] as Expr),
  ),
  loopMacro('filter', 2, 'Returns the elements for which the predicate holds.', (make, parts, args) =>
    map(make, parts, args[1], args[0] as Expr),
  ),
];

const ARITHMETIC = {
  add_int64: partial(addInt),
  add_uint64: partial(addUint),
  add_double: total(addDouble),
  add_string: inContext(addText),
  add_bytes: inContext(addBytes),
  add_list: inContext(addList),
  add_timestamp_duration: partial(addDurationToTimestamp),
  add_duration_timestamp: partial(addTimestampToDuration),
  add_duration_duration: partial(addDuration),
  subtract_int64: partial(subtractInt),
  subtract_uint64: partial(subtractUint),
  subtract_double: total(subtractDouble),
  subtract_timestamp_timestamp: partial(subtractTimestamps),
  subtract_timestamp_duration: partial(subtractDurationFromTimestamp),
  subtract_duration_duration: partial(subtractDuration),
  multiply_int64: partial(multiplyInt),
  multiply_uint64: partial(multiplyUint),
  multiply_double: total(multiplyDouble),
  divide_int64: partial(divideInt),
  divide_uint64: partial(divideUint),
  divide_double: total(divideDouble),
  modulo_int64: partial(moduloInt),
  modulo_uint64: partial(moduloUint),
  negate_int64: partial(negateInt),
  negate_double: total(negateDouble),
};

const EQUALITY_AND_ACCESS = {
  logical_not: total(not),
  equals: inContext(equals),
  not_equals: inContext(notEquals),
  index_list: partial(indexList),
  index_map: partial(indexMap),
  in_list: inContext(inList),
  in_map: partial(inMap),
};

/** By the suffix of the overload ids. */
function comparisons(
  prefix: string,
  number: ImplementationFunction,
  others: Readonly<Record<string, ImplementationFunction>>,
) {
  const numeric = NUMERIC_ENDINGS.map(ending => [`${prefix}_${ending}`, total(number)]);
  const ordered = Object.entries(others).map(([ending, call]) => [`${prefix}_${ending}`, total(call)]);
  return Object.fromEntries([...numeric, ...ordered]) as Readonly<Record<string, Implementation>>;
}

const NUMERIC_ENDINGS = [
  'bool',
  'int64',
  'int64_double',
  'int64_uint64',
  'uint64',
  'uint64_double',
  'uint64_int64',
  'double',
  'double_int64',
  'double_uint64',
];

const IMPLEMENTED_COMPARISONS = {
  ...comparisons('less', lessThan, { string: lessString, bytes: lessBytes, timestamp: lessTime, duration: lessTime }),
  ...comparisons('less_equals', lessOrEqual, {
    string: lessOrEqualString,
    bytes: lessOrEqualBytes,
    timestamp: lessOrEqualTime,
    duration: lessOrEqualTime,
  }),
  ...comparisons('greater', greaterThan, {
    string: greaterString,
    bytes: greaterBytes,
    timestamp: greaterTime,
    duration: greaterTime,
  }),
  ...comparisons('greater_equals', greaterOrEqual, {
    string: greaterOrEqualString,
    bytes: greaterOrEqualBytes,
    timestamp: greaterOrEqualTime,
    duration: greaterOrEqualTime,
  }),
};

const IMPLEMENTED_CONVERSIONS = {
  int64_to_int64: total(identity),
  uint64_to_int64: partial(uintToInt),
  double_to_int64: partial(doubleToInt),
  string_to_int64: partial(stringToInt),
  timestamp_to_int64: total(timestampToInt),
  duration_to_int64: partial(durationToInt),
  uint64_to_uint64: total(identity),
  int64_to_uint64: partial(intToUint),
  double_to_uint64: partial(doubleToUint),
  string_to_uint64: partial(stringToUint),
  double_to_double: total(identity),
  int64_to_double: total(integerToDouble),
  uint64_to_double: total(integerToDouble),
  string_to_double: partial(stringToDouble),
  string_to_string: total(identity),
  bool_to_string: total(scalarToString),
  int64_to_string: total(scalarToString),
  uint64_to_string: total(scalarToString),
  double_to_string: total(doubleToString),
  bytes_to_string: partial(bytesToString),
  timestamp_to_string: total(timestampToString),
  duration_to_string: total(durationToString),
  bytes_to_bytes: total(identity),
  string_to_bytes: inContext(stringToBytes),
  timestamp_to_timestamp: total(identity),
  string_to_timestamp: partial(stringToTimestamp),
  int64_to_timestamp: partial(intToTimestamp),
  duration_to_duration: total(identity),
  string_to_duration: partial(stringToDuration),
  bool_to_bool: total(identity),
  string_to_bool: partial(stringToBool),
  to_dyn: total(identity),
  type: total(runtimeTypeOf),
};

const IMPLEMENTED_STRING_FUNCTIONS = {
  size_string: total(sizeOfString),
  string_size: total(sizeOfString),
  size_bytes: total(lengthOf),
  bytes_size: total(lengthOf),
  size_list: total(lengthOf),
  list_size: total(lengthOf),
  size_map: total(sizeOfMap),
  map_size: total(sizeOfMap),
  contains_string: total(containsString),
  starts_with_string: total(startsWithString),
  ends_with_string: total(endsWithString),
  matches: inContext(matchesRegExp),
  matches_string: inContext(matchesRegExp),
};

const IMPLEMENTED_TIME_PARTS = {
  timestamp_to_year: total(parts.yearOf),
  timestamp_to_year_with_tz: inContext(parts.yearIn),
  timestamp_to_month: total(parts.monthOf),
  timestamp_to_month_with_tz: inContext(parts.monthIn),
  timestamp_to_day_of_year: total(parts.dayOfYearOf),
  timestamp_to_day_of_year_with_tz: inContext(parts.dayOfYearIn),
  timestamp_to_day_of_month: total(parts.dayOfMonthOf),
  timestamp_to_day_of_month_with_tz: inContext(parts.dayOfMonthIn),
  timestamp_to_day_of_month_1_based: total(parts.dateOf),
  timestamp_to_day_of_month_1_based_with_tz: inContext(parts.dateIn),
  timestamp_to_day_of_week: total(parts.dayOfWeekOf),
  timestamp_to_day_of_week_with_tz: inContext(parts.dayOfWeekIn),
  timestamp_to_hours: total(parts.hoursOf),
  timestamp_to_hours_with_tz: inContext(parts.hoursIn),
  timestamp_to_minutes: total(parts.minutesOf),
  timestamp_to_minutes_with_tz: inContext(parts.minutesIn),
  timestamp_to_seconds: total(parts.secondsOf),
  timestamp_to_seconds_tz: inContext(parts.secondsIn),
  timestamp_to_milliseconds: total(parts.millisecondsOf),
  timestamp_to_milliseconds_with_tz: inContext(parts.millisecondsIn),
  duration_to_hours: total(hoursOfDuration),
  duration_to_minutes: total(minutesOfDuration),
  duration_to_seconds: total(secondsOfDuration),
  duration_to_milliseconds: total(millisecondsOfDuration),
};

/** Implements the standard library by overload id, except what the evaluators implement themselves. */
export const STANDARD_IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  ...ARITHMETIC,
  ...EQUALITY_AND_ACCESS,
  ...IMPLEMENTED_COMPARISONS,
  ...IMPLEMENTED_CONVERSIONS,
  ...IMPLEMENTED_STRING_FUNCTIONS,
  ...IMPLEMENTED_TIME_PARTS,
};

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
