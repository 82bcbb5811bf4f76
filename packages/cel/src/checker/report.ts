// The state of one check, and the messages of the checker with their suggestions.

import type { Diagnostic, DiagnosticArgs, Fix, Range, Severity } from '@tollgate/diagnostics';
import type { CallExpr, Expr, ObjectDecl, Overload, Reference, VariableDecl } from '../ast/ast.ts';
import type { Limits } from '../ast/limits.ts';
import { type Bindings, ERROR_TYPE, formatType, formatTypes, isAssignable, resolve, type Type } from '../ast/types.ts';
import type { Callable, Candidate, CandidateSet, ConstantCheck, DeclarationIndex } from '../library/library.ts';
import type { Macro } from '../syntax/macros.ts';

/** A local name: an iteration variable, an accumulator, or one that a macro binds. */
interface Scope {
  readonly name: string;
  readonly type: Type;
  readonly reference: Reference;
  readonly outer: Scope | undefined;
}

/** The parts of an environment that checking needs. */
export interface CheckEnvironment {
  readonly container: string;
  readonly limits: Limits;
  readonly variables: ReadonlyMap<string, VariableDecl>;
  readonly objects: ReadonlyMap<string, ObjectDecl>;
  readonly macros: ReadonlyMap<string, Macro>;
  readonly index: DeclarationIndex;
  /** By overload id. */
  readonly constantChecks: ReadonlyMap<string, ConstantCheck>;
}

/** The state of checking one expression. */
export interface CheckContext {
  readonly env: CheckEnvironment;
  readonly source: string;
  readonly types: (Type | undefined)[];
  readonly references: (Reference | undefined)[];
  readonly bindings: Bindings;
  readonly diagnostics: Diagnostic[];
  /** Declared types with type parameters, instantiated once per check, by variable name. */
  openVariables: Map<string, Type> | undefined;
  /** Infers the type of a node. A member, so that the files for the node kinds need not import each other. */
  readonly infer: (c: CheckContext, expr: Expr) => Type;
  /** Like `infer`, for a node from which a field may be selected: a value of a dual type stays an object. */
  readonly inferWhole: (c: CheckContext, expr: Expr) => Type;
  /** Nodes of dual types that are read as strings. */
  stringIds: Set<number> | undefined;
  scope: Scope | undefined;
}

/** Returns the type with the variables that are bound so far replaced. */
export function resolved(c: CheckContext, type: Type): Type {
  return c.bindings.types.length === 0 ? type : resolve(c.bindings, type);
}

/** Declares a local name. The caller restores the previous `c.scope`. */
export function declareLocal(c: CheckContext, name: string, type: Type, owner: number): void {
  c.scope = { name, type, reference: { kind: 'local', name, scope: owner }, outer: c.scope };
}

export function findLocal(c: CheckContext, name: string): Scope | undefined {
  for (let scope = c.scope; scope !== undefined; scope = scope.outer) {
    if (scope.name === name) return scope;
  }
  return undefined;
}

interface CheckFinding {
  readonly code: string;
  readonly message: string;
  readonly range: Range;
  readonly args: DiagnosticArgs;
  readonly severity?: Severity;
  readonly fixes?: readonly Fix[];
}

/** Adds a diagnostic and returns the error type, for the node. */
export function report(c: Pick<CheckContext, 'diagnostics'>, finding: CheckFinding): Type {
  const { severity = 'error', fixes, ...rest } = finding;
  c.diagnostics.push({ ...rest, severity, uri: '', ...(fixes === undefined ? {} : { fixes }) });
  return ERROR_TYPE;
}

/** Returns the type as shown in messages, with dyn for unbound variables. */
export function displayType(c: CheckContext, type: Type): string {
  const text = formatType(resolved(c, type));
  return text.replace(/_var\d+/g, 'dyn').replaceAll('!error!', 'unknown');
}

export function reportMismatch(c: CheckContext, expr: Expr, expected: string, found: Type): Type {
  const type = displayType(c, found);
  return report(c, {
    code: 'type/mismatch',
    message: `expected ${expected}, found ${type}`,
    range: expr.range,
    args: { expected, found: type },
  });
}

/** Reports `a.?b`, `[?x]` and the like in an environment without the optionals library. */
export function reportOptionalSyntax(c: CheckContext, range: Range): Type {
  return report(c, {
    code: 'type/optional-syntax',
    message: 'optional syntax needs the optionals library, which is disabled',
    range,
    args: {},
  });
}

/** Returns the hint and the fix for an unknown name that is close to a known one. */
export function suggest(suggestion: string | undefined, range: Range, found?: string): SuggestionParts {
  if (suggestion === undefined) return { hint: '', args: {} };
  const isCase = found?.toLowerCase() === suggestion.toLowerCase();
  const fix: Fix = {
    title: `change to \`${suggestion}\``,
    // If only the case differs, nothing else can be meant.
    applicability: isCase ? 'safe' : 'suggestion',
    edits: [{ range, newText: suggestion }],
  };
  return { hint: `; did you mean \`${suggestion}\`?`, args: { suggestion }, fixes: [fix] };
}

interface SuggestionParts {
  readonly hint: string;
  readonly args: DiagnosticArgs;
  readonly fixes?: readonly Fix[];
}

/** Returns the diagnostics in source order without duplicates, which macros cause that use an argument several times. */
export function finish(diagnostics: readonly Diagnostic[], limit: number, range: Range): readonly Diagnostic[] {
  const unique = new Map(diagnostics.map(found => [`${found.range.start}:${found.range.end}:${found.message}`, found]));
  const sorted = [...unique.values()].sort((a, b) => a.range.start - b.range.start);
  if (sorted.length <= limit) return sorted;
  const last: Diagnostic = {
    code: 'limit/diagnostics',
    severity: 'error',
    message: `only the first ${limit - 1} of ${sorted.length} diagnostics are shown`,
    uri: '',
    range,
    args: { limit: 'maxDiagnostics', value: limit },
  };
  return [...sorted.slice(0, limit - 1), last];
}

/** A call of a known function that has no matching overload. */
interface FailedCall {
  readonly call: CallExpr;
  readonly callable: Callable;
  /** The target comes first if `member` is true. */
  readonly member: boolean;
  readonly args: readonly Type[];
}

/** Reports why no overload matches: wrong call style, wrong number of arguments, or wrong types. */
export function reportNoOverload(c: CheckContext, failed: FailedCall): Type {
  const { callable, member, args } = failed;
  const table = member ? callable.member : callable.global;
  if (table.length === 0) return reportWrongForm(c, failed);
  const candidates = table[args.length - (member ? 1 : 0)];
  if (candidates === undefined) return reportWrongCount(c, failed, table);
  return reportWrongTypes(c, failed, candidates.all);
}

function reportWrongForm(c: CheckContext, { call, callable, member }: FailedCall): Type {
  const { name } = callable.declaration;
  const form = member ? `the function \`${name}(…)\`` : `the method \`target.${name}(…)\``;
  return report(c, {
    code: 'type/wrong-call-form',
    message: `\`${name}\` is ${form}, but is called as a ${member ? 'method' : 'function'}`,
    range: call.functionRange,
    args: { function: name, member },
  });
}

function reportWrongCount(
  c: CheckContext,
  { call, callable, member, args }: FailedCall,
  table: readonly (CandidateSet | undefined)[],
): Type {
  const { name } = callable.declaration;
  const accepted = [...table.keys()].filter(count => table[count] !== undefined);
  const found = args.length - (member ? 1 : 0);
  const plural = accepted.length === 1 && accepted[0] === 1 ? 'argument' : 'arguments';
  return report(c, {
    code: 'type/wrong-argument-count',
    message: `\`${name}\` takes ${accepted.join(' or ')} ${plural}, found ${found}`,
    range: call.functionRange,
    args: { function: name, expected: accepted.map(String), found },
  });
}

function reportWrongTypes(c: CheckContext, failed: FailedCall, candidates: readonly Candidate[]): Type {
  const { call, callable, args } = failed;
  const name = callable.declaration.name;
  const found = args.map(type => displayType(c, type));
  const expected = nearestOverloads(c, candidates, args).map(overload => signature(name, overload));
  return report(c, {
    code: 'type/no-matching-overload',
    message: describe(name, found, expected),
    range: name === '_[_]' ? { start: call.functionRange.start, end: call.range.end } : call.functionRange,
    args: { function: name, found, expected },
  });
}

function describe(name: string, found: readonly string[], expected: readonly string[]): string {
  switch (name) {
    case '_==_':
    case '_!=_':
      return `\`${displayName(name)}\` compares values of one type, found ${found.join(' and ')}`;
    case '_?_:_':
      return `the branches of \`?:\` must have one type, found ${found.slice(1).join(' and ')}`;
    default: {
      const types = `(${found.join(', ')})`;
      return `no overload of \`${displayName(name)}\` takes ${types}; expected ${expected.join(' or ')}`;
    }
  }
}

const MAX_SHOWN = 3;

/** Returns the overloads that accept the most arguments, in declaration order. */
function nearestOverloads(
  c: CheckContext,
  candidates: readonly Candidate[],
  args: readonly Type[],
): readonly Overload[] {
  const types = args.map(type => resolved(c, type));
  const usable = candidates.filter(candidate => !candidate.dynamicOnly).map(candidate => candidate.overload);
  const fits = usable.map(({ params }) => types.filter((type, i) => isAssignable(params[i]!, type)).length);
  const most = Math.max(...fits);
  return usable.filter((_, i) => fits[i] === most).slice(0, MAX_SHOWN);
}

const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['_?_:_', '?:'],
  ['_[_]', '[]'],
  ['_[?_]', '[?]'],
  ['@in', 'in'],
  ['!_', '!'],
  ['-_', '-'],
]);

/** Returns the name as users write it: `+` for `_+_`. */
function displayName(name: string): string {
  return SYMBOLS.get(name) ?? /^_(.+)_$/.exec(name)?.[1] ?? name;
}

/** Returns the overload as it is called: `int + int`, `string.contains(string)`, `list(A)[int]`. */
function signature(name: string, overload: Overload): string {
  const types = overload.params.map(formatType);
  if (name === '_[_]') return `${types[0]}[${types[1]}]`;
  if (name === '_[?_]') return `${types[0]}[?${types[1]}]`;
  const symbol = displayName(name);
  if (symbol !== name) return types.length === 1 ? `${symbol}${types[0]}` : types.join(` ${symbol} `);
  if (overload.member) return `${types[0]}.${name}(${formatTypes(overload.params.slice(1))})`;
  return `${name}(${types.join(', ')})`;
}

/**
 * Reports a call with a macro's name that was not expanded because the number of arguments is wrong; returns undefined for other calls. The
 * arguments must not be checked, because they use variables that only the macro declares.
 */
export function reportUnexpandedMacro(c: CheckContext, call: CallExpr): Type | undefined {
  const member = call.target !== undefined;
  const macros = [...c.env.macros.values()].filter(macro => macro.name === call.function && macro.member === member);
  if (macros.length === 0) return undefined;
  // If the source ends within the arguments, their number means nothing.
  if (call.args.some(arg => arg.kind === 'error')) return ERROR_TYPE;
  const accepted = macros.flatMap(({ argCount }) => argCount ?? []).sort((a, b) => a - b);
  const plural = accepted.length === 1 && accepted[0] === 1 ? 'argument' : 'arguments';
  return report(c, {
    code: 'type/wrong-argument-count',
    message: `\`${call.function}\` takes ${accepted.join(' or ')} ${plural}, found ${call.args.length}`,
    range: call.functionRange,
    args: { function: call.function, expected: accepted.map(String), found: call.args.length },
  });
}

/** @param name of a variable, possibly qualified; `range` is its source range */
export function reportUndeclaredVariable(c: CheckContext, name: string, range: Range): Type {
  const { hint, ...rest } = suggest(nearest(name, namesInScope(c)), range, name);
  return report(c, {
    ...rest,
    code: 'name/undeclared-reference',
    message: `\`${name}\` is not declared${hint}`,
    range,
    args: { name, ...rest.args },
  });
}

function namesInScope(c: CheckContext): string[] {
  const names = [...c.env.variables.keys()];
  for (let scope = c.scope; scope !== undefined; scope = scope.outer) {
    // Names that macros generate are not suggested.
    if (!scope.name.startsWith('@')) names.push(scope.name);
  }
  return names;
}

export function reportUndeclaredField(
  c: CheckContext,
  access: { readonly field: string; readonly range: Range },
  typeName: string,
): Type {
  const fields = c.env.objects.get(typeName)?.fields.keys() ?? [];
  const { hint, ...rest } = suggest(nearest(access.field, fields), access.range, access.field);
  return report(c, {
    ...rest,
    code: 'name/undeclared-field',
    message: `\`${typeName}\` has no field \`${access.field}\`${hint}`,
    range: access.range,
    args: { field: access.field, type: typeName, ...rest.args },
  });
}

/** The called name and its range. */
interface CalledName {
  readonly name: string;
  readonly member: boolean;
  readonly range: Range;
}

export function reportUndeclaredFunction(c: CheckContext, { name, member, range }: CalledName): Type {
  const candidates = [...c.env.index.callables.values()].filter(f => (member ? f.member : f.global).length > 0);
  const macros = [...c.env.macros.values()].filter(macro => macro.member === member);
  const names = [...candidates.map(f => f.declaration.name), ...macros.map(macro => macro.name)];
  const words = names.filter(word => /^[A-Za-z]/.test(word));
  const { hint, ...rest } = suggest(nearest(name, words), range, name);
  return report(c, {
    ...rest,
    code: 'name/undeclared-function',
    message: `unknown ${member ? 'method' : 'function'} \`${name}\`${hint}`,
    range,
    args: { name, member, ...rest.args },
  });
}

/**
 * Returns the candidate that was most likely meant: the one with the smallest edit distance, or else the only one that starts with the
 * name; undefined if none is close.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const names = [...candidates];
  return leastSlips(name, names) ?? onlyLonger(name, names);
}

function leastSlips(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let bound = Math.floor(name.length / SLIP_EVERY) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bound) continue;
    const distance = slips(name, candidate);
    if (distance < bound) {
      best = candidate;
      bound = distance;
    }
  }
  return best;
}

function onlyLonger(name: string, candidates: readonly string[]): string | undefined {
  if (name.length < SHORTEST_BEGINNING) return undefined;
  const beginning = name.toLowerCase();
  const [only, ...others] = candidates.filter(candidate => candidate.toLowerCase().startsWith(beginning));
  return others.length === 0 ? only : undefined;
}

/** Shorter prefixes match too many names. */
const SHORTEST_BEGINNING = 3;

/** Time is quadratic in the length; longer names are rarely typed by hand. */
const LONGEST = 80;

/** Accept one edit per this many characters. */
const SLIP_EVERY = 3;

/** A difference in case counts less than an edit, because policies mix `req.method` and `req.Method`. */
const OTHER_CASE = 0.5;

function slips(name: string, candidate: string): number {
  return name.toLowerCase() === candidate.toLowerCase() ? OTHER_CASE : editDistance(name, candidate);
}

/** Insertions, deletions, replacements and swaps of neighbours (Damerau-Levenshtein, optimal string alignment). */
function editDistance(a: string, b: string): number {
  let twoBack: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(row[j - 1]! + 1, previous[j]! + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, twoBack[j - 2]! + 1);
      row.push(least);
    }
    twoBack = previous;
    previous = row;
  }
  return previous[b.length]!;
}
