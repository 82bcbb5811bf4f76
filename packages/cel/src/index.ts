// -- one call --

export { type EvaluateOptions, ExpressionError, evaluate, numbersAsDoubles } from './evaluate.ts';

// -- parsing and formatting --

export type { Ast, CallExpr, Expr, Literal } from './ast/ast.ts';
export { type ExpressionFormat, formatExpression, unparse } from './syntax/format-expression.ts';
export { type ParseEnvironment, type ParseResult, parse } from './syntax/parse.ts';

// -- types and declarations --

export type { FieldDecl, FunctionDecl, ObjectDecl, Overload, VariableDecl } from './ast/ast.ts';
export type { Type } from './ast/types.ts';
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  formatType,
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
} from './ast/types.ts';

// -- environment and checker --

export type { TypedAst } from './ast/ast.ts';
export type { Limits } from './ast/limits.ts';
export { type CheckResult, check } from './checker/check.ts';
export {
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
  extendEnvironment,
} from './checker/environment.ts';

// -- libraries --

export { EXTENSION_LIBRARIES } from './extension-libraries.ts';
export { BINDINGS_LIBRARY, BLOCK_LIBRARY } from './library/bindings.ts';
export { ENCODERS_LIBRARY } from './library/encoders.ts';
export type { Library } from './library/library.ts';
export { LISTS_LIBRARY, SETS_LIBRARY } from './library/lists.ts';
export { MATH_LIBRARY } from './library/math.ts';
export { NETWORK_LIBRARY } from './library/network.ts';
export { OPTIONALS_LIBRARY } from './library/optionals.ts';
export { RE2_LIBRARY, REGEX_LIBRARY } from './library/regex.ts';
export { STRINGS_LIBRARY } from './library/strings.ts';
export { TWO_VARIABLE_LIBRARY } from './library/two-variable.ts';
export { FUNCTION_BODIES_LIBRARY } from './lowering/inline-bodies.ts';
export type { Implementation, ImplementationFunction, RunContext } from './runtime/context.ts';

// -- evaluators --

export type { Activation, Program } from './checker/environment.ts';
export { compileClosures } from './closures/compile-closures.ts';
export { type ExpressionTrace, type NodeTrace, traceExpression } from './closures/trace-expression.ts';
export {
  type Conditions,
  compileConditions,
  compileToJavaScript,
  emitFunctions,
  emitModule,
  type GeneratedFunctions,
  type ModuleParts,
} from './codegen/compile.ts';
export { type IndexedConditions, indexConditions } from './indexing/index-conditions.ts';

// -- values --

export { toHost } from './runtime/host-access.ts';
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

export type { CostRange, SizeHints } from './analysis/cost.ts';
export { costOf } from './analysis/cost.ts';
export { type Read, readsOf } from './analysis/reads.ts';
