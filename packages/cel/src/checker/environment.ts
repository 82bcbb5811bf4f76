// What an expression is checked and compiled against: declarations, libraries, limits and implementations. Immutable.

import type { FunctionDecl, ObjectDecl, Overload, TypedAst, VariableDecl } from '../ast/ast.ts';
import { DEFAULT_LIMITS, type Limits } from '../ast/limits.ts';
import { DYN, formatTypes, typesEqual } from '../ast/types.ts';
import {
  type ConstantCheck,
  type DeclarationIndex,
  indexDeclarations,
  type Library,
  libraryAt,
} from '../library/library.ts';
import { STANDARD_LIBRARY } from '../library/standard.ts';
import type { PatternEngine } from '../regex/compile-matcher.ts';
import type { Implementation } from '../runtime/context.ts';
import { guardFunction } from '../runtime/host.ts';
import type { Macro } from '../syntax/macros.ts';
import type { NonValue, Value } from '../values/value.ts';
import type { BodyOf } from './check.ts';
import type { CheckEnvironment } from './report.ts';

/** Checks and inlines the bodies of functions that are declared in CEL. */
interface BodyCompiler {
  /** Returns the bodies of the overloads that have one, and those of `inherited`. */
  readonly bodiesOf: (overloads: readonly Overload[], env: CheckEnvironment, inherited: BodyOf) => BodyOf;
  /** Throws a `TypeError` for the first of the overloads whose body does not check or calls itself. */
  readonly proveBodies: (overloads: readonly Overload[], bodyOf: BodyOf) => void;
  /** Returns the tree with calls of functions that have a body replaced by it. */
  readonly inlineBodies: (typed: TypedAst, env: Environment) => TypedAst;
}

/** A library, or the support for function bodies in the form of one. */
export interface EnvironmentLibrary extends Library {
  readonly bodyCompiler?: BodyCompiler;
}

/** Options of {@link createEnvironment}. */
export interface EnvironmentOptions {
  /** Libraries in addition to the standard library; `EXTENSION_LIBRARIES` has all of them. Bundlers drop those you do not name. */
  readonly libraries?: readonly EnvironmentLibrary[];
  /** Versions of libraries by name, in the numbering of the reference implementation. Defaults to the latest. */
  readonly libraryVersions?: Readonly<Record<string, number>>;
  /** Namespace in which names are looked up first, such as `a.b`. */
  readonly container?: string;
  readonly variables?: readonly VariableDecl[];
  readonly functions?: readonly FunctionDecl[];
  readonly objects?: readonly ObjectDecl[];
  /**
   * By overload id, for `functions` without a body. An exception, or a result that is not of the declared type, becomes an evaluation error
   * that names the function.
   */
  readonly implementations?: Readonly<Record<string, Implementation>>;
  readonly limits?: Partial<Limits>;
  /**
   * Whether `1 < 2.0` passes the checker, as in the specification. If false, operands of `<`, `<=`, `>` and `>=` with known types must have
   * the same type, which is the reference implementation's default. True by default.
   */
  readonly crossTypeComparisons?: boolean;
  /** Whether calls of constants, such as `cidr('10.0.0.0/8')`, are evaluated at compile time. True by default. */
  readonly constantFolding?: boolean;
  /** Whether the bodies of `functions` are known to check, so that each is read only on first use. False by default. */
  readonly provenBodies?: boolean;
  /**
   * Promises that no object in the data, or in a result of the `implementations`, inherits a property that an expression names. Programs
   * then need not check that properties are own ones, and run at the speed of hand-written code. False by default.
   */
  readonly plainData?: boolean;
}

/** An immutable set of declarations and limits, for parsing, checking and compiling expressions. */
export interface Environment {
  readonly container: string;
  readonly limits: Limits;
  readonly variables: ReadonlyMap<string, VariableDecl>;
  /** The `variables` that are constants of a library: names of types, such as `int`. */
  readonly typeNames: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, FunctionDecl>;
  readonly objects: ReadonlyMap<string, ObjectDecl>;
  /** By `name:member:argCount`, argCount `*` for any. */
  readonly macros: ReadonlyMap<string, Macro>;
  /** User implementations, by overload id. */
  readonly implementations: ReadonlyMap<string, Implementation>;
  /** Library implementations, by overload id. */
  readonly libraryImplementations: ReadonlyMap<string, Implementation>;
  readonly patternEngine: PatternEngine | undefined;
  /** How string literals in calls are verified, by overload id. */
  readonly constantChecks: ReadonlyMap<string, ConstantCheck>;
  readonly crossTypeComparisons: boolean;
  readonly constantFolding: boolean;
  readonly plainData: boolean;
  /** The variables and functions, indexed for the checker. */
  readonly index: DeclarationIndex;
  /** The bodies of functions that have one. */
  readonly bodyOf: BodyOf;
  readonly bodyCompiler: BodyCompiler | undefined;
}

/**
 * Returns an environment with the standard library, the given libraries and the given declarations. Throws a `TypeError` for conflicting
 * declarations (the same overload id, or the same variable with two types), for a function body that does not check, and for an
 * implementation without a function `call`.
 */
export function createEnvironment(options: EnvironmentOptions = {}): Environment {
  return build(EMPTY, { ...options, libraries: [STANDARD_LIBRARY, ...(options.libraries ?? [])] });
}

/**
 * Returns the environment with additional declarations. Throws like {@link createEnvironment}; an object type with the same name is
 * replaced.
 */
export function extendEnvironment(environment: Environment, options: EnvironmentOptions): Environment {
  return build(environment, options);
}

const EMPTY: Environment = {
  container: '',
  limits: DEFAULT_LIMITS,
  variables: new Map(),
  typeNames: new Set(),
  functions: new Map(),
  objects: new Map(),
  macros: new Map(),
  implementations: new Map(),
  libraryImplementations: new Map(),
  patternEngine: undefined,
  constantChecks: new Map(),
  crossTypeComparisons: true,
  constantFolding: true,
  plainData: false,
  index: { variables: new Map(), callables: new Map(), qualifiedRoots: new Set() },
  bodyOf: () => undefined,
  bodyCompiler: undefined,
};

function build(base: Environment, options: EnvironmentOptions): Environment {
  const { libraryVersions: versions = {} } = options;
  const libraries = (options.libraries ?? []).map((library): EnvironmentLibrary => {
    const version = versions[library.name];
    return version === undefined ? library : libraryAt(library, version);
  });
  const variables = addVariables(base.variables, [
    ...libraries.flatMap(l => l.constants),
    ...(options.variables ?? []),
  ]);
  const functions = addFunctions(base.functions, [
    ...libraries.flatMap(l => l.functions),
    ...(options.functions ?? []),
  ]);
  if (functions !== base.functions) rejectClashes(functions, base.functions);
  const typeNames = new Set([...base.typeNames, ...libraries.flatMap(l => l.constants.map(({ name }) => name))]);
  const crossTypeComparisons = options.crossTypeComparisons ?? base.crossTypeComparisons;
  const kept = crossTypeComparisons === base.crossTypeComparisons ? base.index : undefined;
  const isSame = kept !== undefined && variables === base.variables && functions === base.functions;
  const libraryImplementations = addByOverload(
    base.libraryImplementations,
    libraries.map(l => l.implementations),
  );
  const environment: Environment = {
    container: options.container ?? base.container,
    limits: { ...base.limits, ...options.limits },
    variables,
    typeNames,
    functions,
    objects: new Map([...base.objects, ...(options.objects ?? []).map(object => [object.name, object] as const)]),
    macros: new Map([
      ...base.macros,
      ...libraries.flatMap(l => l.macros).map(macro => [macroKey(macro), macro] as const),
    ]),
    implementations: new Map([
      ...base.implementations,
      ...hostImplementations(options.implementations ?? {}, functions, libraryImplementations),
    ]),
    libraryImplementations,
    patternEngine: libraries.findLast(l => l.patternEngine !== undefined)?.patternEngine ?? base.patternEngine,
    constantChecks: addByOverload(
      base.constantChecks,
      libraries.map(l => l.constantChecks),
    ),
    crossTypeComparisons,
    constantFolding: options.constantFolding ?? base.constantFolding,
    plainData: options.plainData ?? base.plainData,
    index: isSame ? kept : indexDeclarations({ variables, typeNames, functions, crossTypeComparisons }, kept),
    bodyOf: base.bodyOf,
    bodyCompiler: libraries.findLast(l => l.bodyCompiler !== undefined)?.bodyCompiler ?? base.bodyCompiler,
  };
  const withBody = (options.functions ?? []).flatMap(({ overloads }) => overloads.filter(({ body }) => body));
  return withBody.length === 0 ? environment : addBodies(environment, withBody, options.provenBodies === true);
}

function addBodies(environment: Environment, overloads: readonly Overload[], proven: boolean): Environment {
  const { bodyCompiler } = environment;
  if (bodyCompiler === undefined) {
    throw new TypeError("functions with a body need `FUNCTION_BODIES_LIBRARY`; add it to the environment's libraries");
  }
  const bodyOf = bodyCompiler.bodiesOf(overloads, environment, environment.bodyOf);
  if (!proven) bodyCompiler.proveBodies(overloads, bodyOf);
  return { ...environment, bodyOf };
}

function addByOverload<T>(
  known: ReadonlyMap<string, T>,
  added: readonly (Readonly<Record<string, T>> | undefined)[],
): ReadonlyMap<string, T> {
  const entries = added.flatMap(record => Object.entries(record ?? {}));
  return entries.length === 0 ? known : new Map([...known, ...entries]);
}

function macroKey({ name, member, argCount }: Macro): string {
  return `${name}:${member}:${argCount ?? '*'}`;
}

function addVariables(
  known: ReadonlyMap<string, VariableDecl>,
  added: readonly VariableDecl[],
): ReadonlyMap<string, VariableDecl> {
  if (added.length === 0) return known;
  const variables = new Map(known);
  for (const variable of added) {
    const other = variables.get(variable.name);
    if (other !== undefined && !typesEqual(other.type, variable.type)) {
      throw new TypeError(`the variable \`${variable.name}\` is declared twice, with different types`);
    }
    variables.set(variable.name, variable);
  }
  return variables;
}

/** Declarations with the same name are merged: a library may add overloads to a function of another. */
function addFunctions(
  known: ReadonlyMap<string, FunctionDecl>,
  added: readonly FunctionDecl[],
): ReadonlyMap<string, FunctionDecl> {
  if (added.length === 0) return known;
  const functions = new Map(known);
  for (const declaration of added) {
    const other = functions.get(declaration.name);
    if (other === declaration) continue;
    const joined =
      other === undefined ? declaration : { ...other, overloads: [...other.overloads, ...declaration.overloads] };
    functions.set(declaration.name, joined);
  }
  return functions;
}

/** @param known functions that have already been checked */
function rejectClashes(functions: ReadonlyMap<string, FunctionDecl>, known: ReadonlyMap<string, FunctionDecl>): void {
  const seen = new Map<string, string>();
  for (const declaration of functions.values()) {
    rejectSameIds(declaration, seen);
    if (known.get(declaration.name) !== declaration) rejectSameSignatures(declaration);
  }
}

function rejectSameIds({ name, overloads }: FunctionDecl, seen: Map<string, string>): void {
  for (const { id } of overloads) {
    const other = seen.get(id);
    if (other !== undefined)
      throw new TypeError(`the overload id \`${id}\` is declared twice, for \`${other}\` and for \`${name}\``);
    seen.set(id, name);
  }
}

function rejectSameSignatures({ name, overloads }: FunctionDecl): void {
  const signatures = new Map<string, string>();
  for (const { id, member, params } of overloads) {
    const signature = `${member}:${formatTypes(params)}`;
    const same = signatures.get(signature);
    if (same !== undefined)
      throw new TypeError(`the overloads \`${same}\` and \`${id}\` of \`${name}\` take the same arguments`);
    signatures.set(signature, id);
  }
}

/**
 * Returns the user implementations, each guarded. Throws a `TypeError` for an invalid one.
 *
 * @param functions all functions of the environment
 */
function hostImplementations(
  given: Readonly<Record<string, Implementation>>,
  functions: ReadonlyMap<string, FunctionDecl>,
  libraryImplementations: ReadonlyMap<string, Implementation>,
): readonly (readonly [overloadId: string, implementation: Implementation])[] {
  const entries = Object.entries(given);
  if (entries.length === 0) return [];
  const signatures = new Map(
    [...functions.values()].flatMap(({ name, overloads }) => overloads.map(({ id, result }) => [id, { name, result }])),
  );
  return entries.map(([id, implementation]) => {
    rejectOtherShape(id, implementation);
    if (libraryImplementations.get(id) === implementation) return [id, implementation];
    const { name, result } = signatures.get(id) ?? { name: id, result: DYN };
    const { call, mixed } = implementation;
    return [
      id,
      {
        ...implementation,
        call: guardFunction(name, result, call),
        ...(mixed !== undefined && { mixed: guardFunction(name, DYN, mixed) }),
        total: false,
      },
    ];
  });
}

/** JavaScript users have no type checker to tell them. */
function rejectOtherShape(id: string, given: unknown): void {
  const remedy = 'write `{ call: (…) => …, total: false }`';
  if (typeof given === 'function') throw new TypeError(`the implementation of \`${id}\` is a bare function; ${remedy}`);
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(
      `the implementation of \`${id}\` must be an object, found ${given === null ? 'null' : typeof given}; ${remedy}`,
    );
  }
  const { call, mixed } = given as Readonly<Record<string, unknown>>;
  if (typeof call !== 'function') {
    throw new TypeError(`the implementation of \`${id}\` has no function \`call\`, found ${typeof call}; ${remedy}`);
  }
  if (mixed !== undefined && typeof mixed !== 'function') {
    throw new TypeError(
      `\`mixed\` of the implementation of \`${id}\` must be a function, found ${typeof mixed}; leave it out`,
    );
  }
}

/**
 * Values by variable name: host data, which is read in place and checked as it is read. A `Date` is a timestamp, and an `Unknown` is a
 * value that is not known. Reading a variable that is `undefined` is an evaluation error.
 */
export type Activation = Readonly<Record<string, unknown>>;

/** The executable result of compilation. Stateless: the same activation always has the same result. */
export interface Program {
  /** Returns the tagged value, an error or an unknown. Throws only what getters, proxies and functions of the host throw. */
  readonly evaluate: (activation: Activation) => Value | NonValue;
}
