// Each part of the package lists its public names in its own section; keep the sections apart by their comments.

// -- syntax --

export type { Ast, CallExpr, ComprehensionExpr, Expr, Integer, Literal } from './syntax/ast.ts';
export { describeGrammar, type GrammarDescription, type TokenDescription } from './syntax/describe-grammar.ts';
export { type ExpressionFormat, type FormattedExpression, formatExpression } from './syntax/format-expression.ts';
export type { ComprehensionParts, Macro, MacroFactory } from './syntax/macro.ts';
export type { SyntaxFeature } from './syntax/optional-syntax.ts';
export { type ParseEnvironment, type ParseResult, parse } from './syntax/parse.ts';
export { printLiteral } from './syntax/print-literal.ts';
export { unparse } from './syntax/unparse.ts';

// -- types and declarations --

export type { FieldDecl, FunctionDecl, ObjectDecl, Overload, VariableDecl } from './library/declaration.ts';
export type { Library } from './library/library.ts';
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

export type { CheckedBody } from './checker/body.ts';
export { type CheckResult, check } from './checker/check.ts';
export { nearest } from './checker/did-you-mean.ts';
export { inlineBodies } from './checker/inline-bodies.ts';
export { childrenOf, mapChildren } from './checker/map-children.ts';
export { typeDynamically } from './checker/type-dynamically.ts';
export type { Reference, TypedAst } from './checker/typed-ast.ts';
export { createEnvironment, type Environment, type EnvironmentOptions, extendEnvironment } from './environment.ts';
export { DEFAULT_LIMITS, type Limits } from './limits.ts';
export { foldConstants } from './preparation/fold-constants.ts';

// -- shapes --

export { type ExpressionShape, shapeOf } from './shapes/expression-shape.ts';
export { fillTemplate } from './shapes/fill-template.ts';
export { createTemplate, type TreeTemplate } from './shapes/tree-template.ts';

// -- extension libraries --

export { BINDINGS_LIBRARY } from './library/bindings-library.ts';
export { BLOCK_LIBRARY } from './library/block-library.ts';
export { ENCODERS_LIBRARY } from './library/encoders-library.ts';
export { EXTENSION_LIBRARIES } from './library/extension-libraries.ts';
export { LISTS_LIBRARY } from './library/lists-library.ts';
export { MATH_LIBRARY } from './library/math-library.ts';
export { NETWORK_LIBRARY } from './library/network-library.ts';
export { OPTIONALS_LIBRARY } from './library/optionals-library.ts';
export { REGEX_LIBRARY } from './library/regex-library.ts';
export { SETS_LIBRARY } from './library/sets-library.ts';
export { STRINGS_LIBRARY } from './library/strings-library.ts';
export { TWO_VARIABLE_LIBRARY } from './library/two-variable-library.ts';
export { type CompiledPattern, compilePattern } from './regex/compile-pattern.ts';
export type { PatternFault } from './regex/pattern-reader.ts';
export { compileRe2, type Re2Pattern } from './regex/re2.ts';
export { validatePattern } from './regex/validate-pattern.ts';

// -- analysis --

export { conjunctsOf, hasLoop } from './analysis/conjuncts.ts';
export { costOf } from './analysis/cost.ts';
export type { CostRange } from './analysis/cost-range.ts';
export { fieldPathsOf, inputPathOf } from './analysis/field-paths.ts';
export { fieldPathOf, type Read, type ReadStep, readsOf } from './analysis/reads.ts';
export type { SizeHints } from './analysis/sizes.ts';

// -- standard library --

export { STANDARD_LIBRARY } from './library/standard.ts';

// -- values --

export { compareText } from './runtime/comparison.ts';
export { toHost } from './runtime/convert.ts';
export type { Implementation, ImplementationFunction, RunContext } from './runtime/implementation.ts';
export { ipToString } from './runtime/network/address.ts';
export { parseCidr, parseIp } from './runtime/network/parse-ip.ts';
export { cidrContainsCidr, cidrToString, isMaskCidr, maskedCidr } from './runtime/network/range.ts';
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
} from './runtime/value.ts';

// -- closures --

export { compileClosures } from './closures/compile-closures.ts';
export { type ExpressionTrace, type NodeTrace, traceExpression } from './closures/trace-expression.ts';

// -- generated code --

export { type Conditions, compileConditions } from './codegen/compile-conditions.ts';
export { compileToJavaScript } from './codegen/compile-to-javascript.ts';
export { emitModule, type ModuleParts } from './codegen/emit-module.ts';

// -- indexed rules --

export { type IndexedConditions, indexConditions } from './indexing/index-conditions.ts';

export type { Activation, Program } from './program.ts';
