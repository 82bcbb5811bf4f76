// -- one call --

export { type EvaluateOptions, evaluate } from './evaluate/evaluate.ts';
export { ExpressionError } from './evaluate/expression-error.ts';
export { numbersAsDoubles } from './evaluate/numbers-as-doubles.ts';

// -- parsing and formatting --

export type { Ast, CallExpr, Expr, Literal } from './ast/ast.ts';
export { type ExpressionFormat, formatExpression } from './syntax/layout/format-expression.ts';
export { unparse } from './syntax/layout/unparse.ts';
export { type ParseEnvironment, type ParseResult, parse } from './syntax/parse.ts';

// -- types and declarations --

export type { FieldDecl, FunctionDecl, ObjectDecl, Overload, VariableDecl } from './ast/declaration.ts';
export { formatType } from './types/format.ts';
export type { Type } from './types/type.ts';
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  objectType,
  opaqueType,
  optionalOf,
  paramType,
  STRING,
  TIMESTAMP,
  typeOf,
  UINT,
  wrapperOf,
} from './types/type.ts';

// -- environment and checker --

export type { TypedAst } from './ast/typed-ast.ts';
export { type CheckResult, check } from './checker/check.ts';
export {
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
  extendEnvironment,
} from './environment/environment.ts';
export type { Limits } from './limits.ts';

// -- libraries --

export { EXTENSION_LIBRARIES } from './libraries/extension-libraries.ts';
export type { Library } from './library/declarations/library.ts';
export { BINDINGS_LIBRARY } from './library/extensions/bindings.ts';
export { BLOCK_LIBRARY } from './library/extensions/block.ts';
export { ENCODERS_LIBRARY } from './library/extensions/encoders.ts';
export { LISTS_LIBRARY } from './library/extensions/lists.ts';
export { MATH_LIBRARY } from './library/extensions/math.ts';
export { NETWORK_LIBRARY } from './library/extensions/network.ts';
export { OPTIONALS_LIBRARY } from './library/extensions/optionals.ts';
export { RE2_LIBRARY } from './library/extensions/re2.ts';
export { REGEX_LIBRARY } from './library/extensions/regex.ts';
export { SETS_LIBRARY } from './library/extensions/sets.ts';
export { STRINGS_LIBRARY } from './library/extensions/strings.ts';
export { TWO_VARIABLE_LIBRARY } from './library/extensions/two-variable.ts';
export { FUNCTION_BODIES_LIBRARY } from './lowering/function-bodies.ts';
export type { Implementation, ImplementationFunction, RunContext } from './runtime/context/implementation.ts';

// -- evaluators --

export { compileClosures } from './closures/compile-closures.ts';
export { type ExpressionTrace, type NodeTrace, traceExpression } from './closures/trace-expression.ts';
export { type Conditions, compileConditions } from './codegen/compile-conditions.ts';
export { compileToJavaScript } from './codegen/compile-to-javascript.ts';
export { emitModule } from './codegen/emit-module.ts';
export type { Activation, Program } from './environment/program.ts';
export { type IndexedConditions, indexConditions } from './indexing/index-conditions.ts';

// -- values --

export { toHost } from './runtime/host/convert.ts';
export {
  CelDouble,
  CelMap,
  CelUint,
  CidrRange,
  Duration,
  EvaluationError,
  type HostObject,
  IpAddress,
  type MapKey,
  NonValue,
  Optional,
  partialMap,
  Timestamp,
  TypeValue,
  Unknown,
  type Value,
} from './values/value.ts';

// -- analysis --

export { costOf } from './analysis/cost.ts';
export type { CostRange } from './analysis/cost-range.ts';
export { type Read, readsOf } from './analysis/reads.ts';
export type { SizeHints } from './analysis/sizes.ts';
