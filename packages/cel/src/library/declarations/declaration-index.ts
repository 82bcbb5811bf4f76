import type { FunctionDecl, Overload, VariableDecl } from '../../ast/declaration.ts';
import type { Reference } from '../../ast/typed-ast.ts';
import { mapParts, paramNamesOf } from '../../types/structure.ts';
import type { Type } from '../../types/type.ts';
import type { TypeVariable } from '../../types/unification.ts';

/** One overload, prepared for matching. */
export interface Candidate {
  readonly overload: Overload;
  /** The overload's types, with its type parameters as variables numbered from 0. */
  readonly params: readonly Type[];
  readonly result: Type;
  readonly paramCount: number;
  /** All type parameters of the result are in the parameters too, so that matching these decides the result. */
  readonly determined: boolean;
  /** Only for arguments whose type is left to the run: see {@link EnvironmentOptions.crossTypeComparisons}. */
  readonly dynamicOnly: boolean;
  /** What a call refers to when this is the only overload that fits. */
  readonly reference: Extract<Reference, { kind: 'function' }>;
}

/** The overloads that a call may mean, going by its form and number of arguments. */
export interface CandidateSet {
  readonly all: readonly Candidate[];
  /** Those that a first argument of this kind does not rule out; all for kinds that are not here. */
  readonly byFirstKind: Readonly<Partial<Record<Type['kind'], readonly Candidate[]>>>;
}

/** The overloads of a function by how they are called and by number of arguments, the target not counted. */
export interface Callable {
  readonly declaration: FunctionDecl;
  readonly global: readonly (CandidateSet | undefined)[];
  readonly member: readonly (CandidateSet | undefined)[];
}

export interface IndexedVariable {
  readonly type: Type;
  readonly reference: Reference;
  /** The type has type parameters, which stand for anything. */
  readonly open: boolean;
}

/** Declarations as the checker looks them up; derived from those of an environment. */
export interface DeclarationIndex {
  readonly variables: ReadonlyMap<string, IndexedVariable>;
  readonly callables: ReadonlyMap<string, Callable>;
  /** First parts of all qualified names, of variables and of functions. */
  readonly qualifiedRoots: ReadonlySet<string>;
}

export interface Declarations {
  readonly variables: ReadonlyMap<string, VariableDecl>;
  readonly typeNames: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, FunctionDecl>;
  readonly crossTypeComparisons: boolean;
}

/** What of `before` can be kept is: declarations that are the same objects. */
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

/** Indexes a function when it is first called: an expression calls few of several hundred. */
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

/** Kinds of types that are assignable to their own kind only, but for dyn, null, wrappers and type parameters. */
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

/** Operators have up to fourteen overloads, of which a known first operand leaves few. */
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
