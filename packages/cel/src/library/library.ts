import type { DiagnosticArgs, Range } from '@tollgate/diagnostics';
import type { CallExpr, FunctionDecl, Overload, Reference, VariableDecl } from '../ast/ast.ts';
import { mapParts, paramNamesOf, type Type, type TypeVariable } from '../ast/types.ts';
import type { PatternEngine } from '../regex/compile-matcher.ts';
import type { Implementation } from '../runtime/context.ts';
import type { Macro } from '../syntax/macros.ts';

/** Returns the library as it was in an earlier version, without overloads that later versions added. */
export function libraryAt(library: Library, version: number): Library {
  const functions = library.functions.flatMap(declaration => {
    const overloads = declaration.overloads.filter(({ since = 0 }) => since <= version);
    return overloads.length === 0 ? [] : [{ ...declaration, overloads }];
  });
  return { ...library, functions };
}

/** A part of the language that an environment can include: declarations and the code behind them. */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDecl[];
  readonly macros: readonly Macro[];
  /** Constants such as type names (`int`, `net.IP`), declared as variables of a `type` type. */
  readonly constants: readonly VariableDecl[];
  /** Implementations by overload id. They replace those of earlier libraries. */
  readonly implementations?: Readonly<Record<string, Implementation>>;
  /** How string literals in calls of its functions are verified, by overload id. */
  readonly constantChecks?: Readonly<Record<string, ConstantCheck>>;
  /** Compiles the constant patterns of `matches` that V8 cannot run in linear time. */
  readonly patternEngine?: PatternEngine;
}

/** An expression and its value, both as CEL source. */
export type Example = readonly [expression: string, value: string];

/** Returns an overload called as `f(...)`, or of an operator. */
export function overload(id: string, params: readonly Type[], result: Type, ...examples: readonly Example[]): Overload {
  return { id, member: false, params, result, ...withExamples(examples) };
}

/** Returns an overload called as `target.f(...)`; the target's type is the first of `params`. */
export function member(id: string, params: readonly Type[], result: Type, ...examples: readonly Example[]): Overload {
  return { id, member: true, params, result, ...withExamples(examples) };
}

function withExamples(examples: readonly Example[]): Pick<Overload, 'examples'> {
  if (examples.length === 0) return {};
  return { examples: examples.map(([expression, value]) => ({ expression, value })) };
}

/** Returns an overload introduced in a later version of its library. */
export function since(version: number, added: Overload): Overload {
  return { ...added, since: version };
}

/** Returns a function declaration. */
export function declare(name: string, doc: string, ...overloads: readonly Overload[]): FunctionDecl {
  return { name, doc, overloads };
}

/** How the checker verifies a string literal in calls of an overload, so that a mistake is found before the expression runs. */
export type ConstantCheck =
  /** The argument at this index is a regular expression. */
  | { readonly kind: 'pattern'; readonly arg: number }
  /** The first argument is converted; `convert` returns undefined or an `EvaluationError` if it fails. */
  | { readonly kind: 'conversion'; readonly convert: (text: string) => unknown; readonly expected: string }
  /** The target is a format. */
  | { readonly kind: 'format'; readonly faultsOf: (call: CallExpr, format: ConstantFormat) => readonly FormatFault[] };

/** A constant format string, with the types of the nodes of the expression by id. */
export interface ConstantFormat {
  readonly text: string;
  readonly range: Range;
  /** Converts an offset in `text` to a range of the source. */
  readonly rangeAt: (offset: number) => Range;
  readonly types: readonly (Type | undefined)[];
}

/** A reason why formatting fails in every run. */
export interface FormatFault {
  readonly message: string;
  readonly range: Range;
  readonly args: DiagnosticArgs;
}

/** An overload, prepared for matching. */
export interface Candidate {
  readonly overload: Overload;
  /** The overload's types, with type parameters as variables numbered from 0. */
  readonly params: readonly Type[];
  readonly result: Type;
  readonly paramCount: number;
  /** True if every type parameter of the result occurs in the parameters, so that matching those determines the result. */
  readonly determined: boolean;
  /** Only for arguments whose type is decided at run time; see {@link EnvironmentOptions.crossTypeComparisons}. */
  readonly dynamicOnly: boolean;
  /** The reference of a call for which this is the only matching overload. */
  readonly reference: Extract<Reference, { kind: 'function' }>;
}

/** The overloads with the call style and number of arguments of a call. */
export interface CandidateSet {
  readonly all: readonly Candidate[];
  /** Overloads that accept a first argument of this kind; all of them for kinds that are missing. */
  readonly byFirstKind: Readonly<Partial<Record<Type['kind'], readonly Candidate[]>>>;
}

/** The overloads of a function by call style and number of arguments, without the target. */
export interface Callable {
  readonly declaration: FunctionDecl;
  readonly global: readonly (CandidateSet | undefined)[];
  readonly member: readonly (CandidateSet | undefined)[];
}

export interface IndexedVariable {
  readonly type: Type;
  readonly reference: Reference;
  /** True if the type has type parameters. */
  readonly open: boolean;
}

/** The declarations of an environment, indexed for the checker. */
export interface DeclarationIndex {
  readonly variables: ReadonlyMap<string, IndexedVariable>;
  readonly callables: ReadonlyMap<string, Callable>;
  /** First parts of all qualified names of variables and functions. */
  readonly qualifiedRoots: ReadonlySet<string>;
}

interface Declarations {
  readonly variables: ReadonlyMap<string, VariableDecl>;
  readonly typeNames: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, FunctionDecl>;
  readonly crossTypeComparisons: boolean;
}

/** Reuses the entries of `before` for declarations that are the same objects. */
export function indexDeclarations(declarations: Declarations, before?: DeclarationIndex): DeclarationIndex {
  const variables = new Map(before?.variables);
  const callables = new Map(before?.callables);
  const qualifiedRoots = new Set(before?.qualifiedRoots);
  for (const variable of declarations.variables.values()) {
    variables.set(variable.name, indexVariable(variable, declarations.typeNames.has(variable.name)));
    addRoot(qualifiedRoots, variable.name);
  }
  for (const declaration of declarations.functions.values()) {
    if (callables.get(declaration.name)?.declaration === declaration) continue;
    callables.set(declaration.name, new IndexedFunction(declaration, declarations.crossTypeComparisons));
    addRoot(qualifiedRoots, declaration.name);
  }
  return { variables, callables, qualifiedRoots };
}

function addRoot(roots: Set<string>, name: string): void {
  const dot = name.indexOf('.');
  if (dot > 0) roots.add(name.slice(0, dot));
}

function indexVariable({ name, type }: VariableDecl, isTypeName: boolean): IndexedVariable {
  const reference: Reference =
    isTypeName && type.kind === 'type' ? { kind: 'type', type: type.of ?? type } : { kind: 'variable', name, type };
  return { type, reference, open: paramNamesOf(type).length > 0 };
}

/** Indexes a function on first use: an expression calls few of several hundred. */
class IndexedFunction implements Callable {
  readonly declaration: FunctionDecl;
  readonly #crossType: boolean;
  #tables: Pick<Callable, 'global' | 'member'> | undefined;

  constructor(declaration: FunctionDecl, crossType: boolean) {
    this.declaration = declaration;
    this.#crossType = crossType;
  }

  get global(): Callable['global'] {
    this.#tables ??= indexOverloads(this.declaration, this.#crossType);
    return this.#tables.global;
  }

  get member(): Callable['member'] {
    this.#tables ??= indexOverloads(this.declaration, this.#crossType);
    return this.#tables.member;
  }
}

function indexOverloads({ name, overloads }: FunctionDecl, crossType: boolean): Pick<Callable, 'global' | 'member'> {
  const global: Candidate[][] = [];
  const member: Candidate[][] = [];
  for (const overload of overloads) {
    const table = overload.member ? member : global;
    const argCount = overload.params.length - (overload.member ? 1 : 0);
    table[argCount] ??= [];
    table[argCount].push(indexOverload(name, overload, crossType));
  }
  return { global: global.map(groupCandidates), member: member.map(groupCandidates) };
}

/** Kinds of types that are assignable only to their own kind, dyn, null, wrappers and type parameters. */
const PLAIN_KINDS: readonly Type['kind'][] = [
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'timestamp',
  'duration',
  'list',
  'map',
  'optional',
  'object',
];

/** Operators have up to fourteen overloads, and few of them accept a known first operand. */
function groupCandidates(all: readonly Candidate[]): CandidateSet {
  const groups = PLAIN_KINDS.map(kind => [kind, all.filter(candidate => mayTake(candidate, kind))] as const);
  return { all, byFirstKind: all.length === 1 ? {} : Object.fromEntries(groups) };
}

function mayTake({ params: [first] }: Candidate, kind: Type['kind']): boolean {
  return first === undefined || first.kind === kind || !PLAIN_KINDS.includes(first.kind);
}

function indexOverload(name: string, overload: Overload, crossType: boolean): Candidate {
  const names: string[] = [];
  for (const param of overload.params) paramNamesOf(param, names);
  const given = names.length;
  paramNamesOf(overload.result, names);
  return {
    overload,
    params: overload.params.map(param => numberParams(param, names)),
    result: numberParams(overload.result, names),
    paramCount: names.length,
    determined: names.length === given,
    dynamicOnly: !crossType && COMPARISONS.has(name) && overload.params[0]?.kind !== overload.params[1]?.kind,
    reference: { kind: 'function', name, overloads: [overload] },
  };
}

const COMPARISONS: ReadonlySet<string> = new Set(['_<_', '_<=_', '_>_', '_>=_']);

function numberParams(type: Type, names: readonly string[]): Type {
  if (type.kind !== 'param') return mapParts(type, part => numberParams(part, names));
  const numbered: TypeVariable = { kind: 'param', name: type.name, index: names.indexOf(type.name) };
  return numbered;
}
