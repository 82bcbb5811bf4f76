// Each part of the package lists its public names in its own section; keep the sections apart by their comments.

// -- syntax --

export type { Ast, CallExpr, ComprehensionExpr, Expr, Integer, Literal } from './ast/ast.ts';
export { describeGrammar, type GrammarDescription, type TokenDescription } from './syntax/grammar/describe-grammar.ts';
export {
  type ExpressionFormat,
  type FormattedExpression,
  formatExpression,
} from './syntax/layout/format-expression.ts';
export { printLiteral } from './syntax/layout/print-literal.ts';
export { unparse } from './syntax/layout/unparse.ts';
export type { SyntaxFeature } from './syntax/lexing/optional-syntax.ts';
export type { ComprehensionParts, Macro, MacroFactory } from './syntax/macros/macro.ts';
export { type ParseEnvironment, type ParseResult, parse } from './syntax/parse.ts';

// -- types and declarations --

export type { FieldDecl, FunctionDecl, ObjectDecl, Overload, VariableDecl } from './ast/declaration.ts';
export type { Library } from './library/declarations/library.ts';
export { isAssignable } from './types/assignable.ts';
export { typesEqual } from './types/equality.ts';
export { formatType } from './types/format.ts';
export type { ScalarKind, Type } from './types/type.ts';
export {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR_TYPE,
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

export { childrenOf, mapChildren } from './ast/map-children.ts';
export type { Reference, TypedAst } from './ast/typed-ast.ts';
export type { CheckedBody } from './checker/body.ts';
export { type CheckResult, check } from './checker/check.ts';
export { nearest } from './checker/report/did-you-mean.ts';
export { typeDynamically } from './checker/type-dynamically.ts';
export {
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
  extendEnvironment,
} from './environment/environment.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export { foldConstants } from './lowering/fold-constants.ts';
export { FUNCTION_BODIES_LIBRARY } from './lowering/function-bodies.ts';
export { inlineBodies } from './lowering/inline-bodies.ts';

// -- shapes --

export { type ExpressionSkeleton, skeletonOf } from './templates/expression-skeleton.ts';
export { instantiateTemplate } from './templates/instantiate.ts';
export { createTemplate, type TreeTemplate } from './templates/tree-template.ts';

// -- extension libraries --

export { EXTENSION_LIBRARIES } from './libraries/extension-libraries.ts';
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
export type { CompiledPattern, PatternEngine } from './regex/compile-matcher.ts';
export { compilePattern } from './regex/compile-pattern.ts';
export type { PatternFault } from './regex/pattern/pattern-reader.ts';
export { validatePattern } from './regex/pattern/validate-pattern.ts';
export { compileRe2, type Re2Pattern } from './regex/re2.ts';

// -- analysis --

export { conjunctsOf, hasLoop } from './analysis/conjuncts.ts';
export { costOf } from './analysis/cost.ts';
export type { CostRange } from './analysis/cost-range.ts';
export { fieldPathsOf, inputPathOf, type PathOptions, type Selection } from './analysis/field-paths.ts';
export { fieldPathOf, type Read, type ReadStep, readsOf } from './analysis/reads.ts';
export type { SizeHints } from './analysis/sizes.ts';

// -- standard library --

export { STANDARD_LIBRARY } from './library/standard/standard-library.ts';

// -- values --

export type { Implementation, ImplementationFunction, RunContext } from './runtime/context/implementation.ts';
export { toHost } from './runtime/host/convert.ts';
export { ipToString } from './runtime/network/address.ts';
export { parseCidr, parseIp } from './runtime/network/parse-ip.ts';
export { cidrContainsCidr, cidrToString, isMaskCidr, maskedCidr } from './runtime/network/range.ts';
export { compareText } from './values/comparison.ts';
export {
  CelDouble,
  CelMap,
  CelUint,
  CidrRange,
  Duration,
  EvaluationError,
  type HostMap,
  type HostObject,
  IpAddress,
  type MapKey,
  NonValue,
  Optional,
  partialMap,
  Timestamp,
  TypeValue,
  Unknown,
  UnknownPresence,
  type Value,
  wholeOf,
} from './values/value.ts';

// -- one call --

export { type EvaluateOptions, evaluate } from './evaluate/evaluate.ts';
export { ExpressionError } from './evaluate/expression-error.ts';
export { numbersAsDoubles } from './evaluate/numbers-as-doubles.ts';

// -- closures --

export { compileClosures } from './closures/compile-closures.ts';
export { type ExpressionTrace, type NodeTrace, traceExpression } from './closures/trace-expression.ts';

// -- generated code --

export { type Conditions, compileConditions } from './codegen/compile-conditions.ts';
export { compileToJavaScript } from './codegen/compile-to-javascript.ts';
export { emitModule, type ModuleParts } from './codegen/emit-module.ts';

// -- indexed rules --

export type { Activation, Program } from './environment/program.ts';
export { type IndexedConditions, indexConditions } from './indexing/index-conditions.ts';
