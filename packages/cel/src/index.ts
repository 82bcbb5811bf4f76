// Each part of the package lists its public names in its own section; keep the sections apart by their comments.

// -- syntax --

export type { Ast, CallExpr, ComprehensionExpr, Expr, Integer, Literal } from './syntax/ast.ts';
export type { Macro, MacroFactory } from './syntax/macro.ts';

// -- types and declarations --

export type { FieldDecl, FunctionDecl, ObjectDecl, Overload, VariableDecl } from './library/declaration.ts';
export type { Library } from './library/library.ts';
export type { Type } from './types/type.ts';

// -- environment and checker --

export type { TypedAst } from './checker/typed-ast.ts';
export type { Environment, EnvironmentOptions } from './environment.ts';

// -- extension libraries --

// -- analysis --

// -- standard library --

export { STANDARD_LIBRARY } from './library/standard.ts';

// -- values --

export { toHost } from './runtime/convert.ts';
export type { Implementation, ImplementationFunction, RunContext, TextPattern } from './runtime/implementation.ts';
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
  REST_UNKNOWN,
  Timestamp,
  TypeValue,
  Unknown,
  type Value,
} from './runtime/value.ts';

// -- closures --

// -- generated code --

export type { Program } from './program.ts';
