// The state of generating a module and a function: its names, its code so far, and how it fails.

import type { CallExpr, Expr, Integer, Overload } from '../ast/ast.ts';
import { DYN, isOpen, type Type } from '../ast/types.ts';
import type { Environment } from '../checker/environment.ts';
import { givesHostData, mayBePartial } from '../lowering/fold-constants.ts';
import { isSized, type LoweredAst } from '../lowering/lower.ts';
import type { Implementation, ImplementationFunction } from '../runtime/context.ts';
import * as regexSupport from '../runtime/regex-support.ts';
import * as support from '../runtime/support.ts';

/** Returns code that leaves with an error or unknown; the argument is an expression that is evaluated once. */
export type Fail = (nonValue: string) => string;

/** The targets of a condition: code that leaves, or '' to continue with what follows. */
export interface Exits {
  readonly whenTrue: string;
  readonly whenFalse: string;
  readonly fail: Fail;
}

/** Emits a decision with the given exits. */
export type Decision = (exits: Exits) => void;

/** The state of generating one function. Code is appended with {@link emit}. */
export interface Generation {
  readonly scope: ModuleScope;
  readonly env: Environment;
  readonly implementationOf: (overloadId: string) => Implementation | undefined;
  /** The exports of the runtime, by name. */
  readonly runtime: Readonly<Record<string, unknown>>;
  /** The expression being generated; a fused function has several. */
  typed: LoweredAst;
  readonly code: CodeBuffer;
  names: number;
  /** True if the function counts loop iterations. */
  counted: boolean;
  /** The number of loops around the current code. */
  depth: number;
  /** Iteration variables and bound names, by {@link localKey}. */
  readonly locals: Map<string, Local>;
  /** Locations that paths lead to, by the variable they start from. */
  readonly pathTrie: Map<string, PathTrieNode>;
  /** The same by {@link localKey}. */
  readonly localPathTrie: Map<string, PathTrieNode>;
  /** The path of each node, by id in `typed`; null if it is not one. */
  pathsOfNodes: (Path | null | undefined)[];
  /** Emits the code for a node and returns an expression for its value: a name or a literal, never an error or unknown. */
  readonly value: (g: Generation, node: Expr, fail: Fail) => string;
  /** Emits a decision about a bool. A value that is not a bool is an error at `parentId`. */
  readonly condition: (g: Generation, node: Expr, exits: Exits, parentId: number) => void;
}

/** Appends code. Code that is emitted while the argument is computed comes first. */
export function emit(g: Generation, code: string): void {
  g.code.append(code);
}

/** Switches to another expression of a fused function. Node ids, and so the scopes of local names, are unique only within one tree. */
export function turnTo(g: Generation, typed: LoweredAst): void {
  g.typed = typed;
  g.pathsOfNodes = [];
  g.locals.clear();
  g.localPathTrie.clear();
}

export function fresh(g: Generation, prefix: string): string {
  g.names += 1;
  return `${prefix}${g.names}`;
}

export function staticType(g: Generation, node: Expr): Type {
  return g.typed.types[node.id] ?? DYN;
}

/** Returns the possible overloads of a call; none if it is unresolved. */
export function overloadsOf(g: Generation, call: CallExpr): readonly Overload[] {
  const reference = g.typed.references[call.id];
  return reference?.kind === 'function' ? reference.overloads : [];
}

/** Returns the operands of a call, the target first unless it is part of a qualified name such as `optional.of`. */
export function operandsOf(g: Generation, call: CallExpr): readonly Expr[] {
  const isName = overloadsOf(g, call)[0]?.member === false;
  return call.target === undefined || isName ? call.args : [call.target, ...call.args];
}

/** Emits `if (test) …`; one of the exits may continue with what follows. */
export function branch(g: Generation, test: string, exits: Exits): void {
  if (exits.whenFalse === '') {
    if (exits.whenTrue !== '') emit(g, `if(${test}){${exits.whenTrue}}\n`);
  } else if (exits.whenTrue === '') emit(g, `if(!(${test})){${exits.whenFalse}}\n`);
  else emit(g, `if(${test}){${exits.whenTrue}}else{${exits.whenFalse}}\n`);
}

/** An implementation that is passed to the generated code. */
interface Injected {
  readonly overloadId: string;
  readonly call: ImplementationFunction;
}

/** What the functions of a generated module share: imports of the runtime, and constants. */
export interface ModuleScope {
  /** Names that must be imported from the runtime. */
  readonly imports: Set<string>;
  /** Implementations that are not part of the runtime, by their name in the source. */
  readonly injected: Map<string, Injected>;
  /** Declarations, in order. */
  declarations: string;
  /** The number of constants that are not in `constants`. */
  unique: number;
  /** Names of constants by the source of their value. */
  readonly constants: Map<string, string>;
}

export function createModuleScope(): ModuleScope {
  return { imports: new Set(), injected: new Map(), declarations: '', unique: 0, constants: new Map() };
}

/** Returns a name of the runtime and marks it as used. */
export function runtimeName(scope: ModuleScope, name: string): string {
  scope.imports.add(name);
  return name;
}

/** Returns the name of a constant with this source; the same name for the same source. */
export function constant(scope: ModuleScope, source: string): string {
  const known = scope.constants.get(source);
  if (known !== undefined) return known;
  const name = `k${scope.constants.size}`;
  scope.constants.set(source, name);
  scope.declarations += `const ${name}=${source};\n`;
  return name;
}

/** Returns the name of a new constant, even if another one has the same source. */
export function uniqueConstant(scope: ModuleScope, source: string): string {
  const name = `e${scope.unique}`;
  scope.unique += 1;
  scope.declarations += `const ${name}=${source};\n`;
  return name;
}

/** Returns the name of a constant evaluation error. */
export function errorConstant(scope: ModuleScope, code: string, message: string, exprId: number): string {
  const made = `new ${runtimeName(scope, 'EvaluationError')}`;
  return constant(scope, `${made}(${stringCode(code)},${stringCode(message)},${exprId})`);
}

/** Returns the name under which an implementation outside the runtime is injected. */
export function injectedName(scope: ModuleScope, overloadId: string, call: ImplementationFunction): string {
  for (const [name, known] of scope.injected) if (known.overloadId === overloadId) return name;
  const name = `u${scope.injected.size}`;
  scope.injected.set(name, { overloadId, call });
  return name;
}

/** Source that is appended to. Unlike with `code += part()`, what `part` appends itself is not lost. */
export class CodeBuffer {
  #code = '';

  append(code: string): void {
    this.#code += code;
  }

  /** Calls a function and returns what it appended instead of keeping it. */
  capture(emit: () => void): string {
    const before = this.#code;
    this.#code = '';
    emit();
    const captured = this.#code;
    this.#code = before;
    return captured;
  }

  toString(): string {
    return this.#code;
  }
}

/**
 * The variable with the remaining steps while generated code runs; a call that spends steps uses the context. With the context alone, loops
 * over scalars took up to a third longer.
 */
const STEPS = 'steps';

/** Returns an expression that spends steps and evaluates to how many remain. */
export function takeSteps(g: Generation, steps: string | number): string {
  g.counted = true;
  return `(${STEPS}-=${steps})`;
}

/** Returns the name of the context that all functions of the module share. */
export function contextConstant(g: Generation): string {
  return constant(g.scope, `${runtimeName(g.scope, 'createRunContext')}(${dataCode(g.env.limits)})`);
}

/** Emits a call that spends steps, and returns the variable with its result. */
export function steppingCall(g: Generation, code: string): string {
  const name = fresh(g, 'v');
  const context = contextConstant(g);
  g.counted = true;
  emit(g, `${context}.left=${STEPS};const ${name}=${code};${STEPS}=${context}.left;`);
  return name;
}

/** Returns the code that must precede a function. */
export function declareSteps(g: Generation): string {
  return g.counted ? `let ${allSteps(g)}\n` : '';
}

/** Emits the code that gives an evaluation its full budget, if it spends steps. */
export function allSteps(g: Generation): string {
  return g.counted ? `${STEPS}=${g.env.limits.maxSteps};` : '';
}

/** An operand that its function reads completely. */
interface ChargedOperand {
  readonly node: Expr;
  readonly js: string;
  readonly type: Type;
}

/** Emits the charge for reading a whole operand inside a loop. Literals are charged by the loop itself. */
export function chargeOperand(g: Generation, { node, js, type }: ChargedOperand): void {
  if (node.kind === 'literal' || !isSized(type) || !g.typed.loops.repeated.has(node.id)) return;
  const steps = type.kind === 'string' ? `${js}.length>>4` : `${runtimeName(g.scope, 'stepsOf')}(${js})`;
  emit(g, `${takeSteps(g, steps)};`);
}

/**
 * Loops nested more deeply go into a function of their own: V8 needs exponential time to optimize nested loops, seconds at depth 40, and
 * crashes at depth 100.
 */
const LOOPS_PER_FUNCTION = 4;

function isTooDeep(g: Generation): boolean {
  return g.depth > 0 && g.depth % LOOPS_PER_FUNCTION === 0;
}

/** Emits a decision that contains a loop. */
export function loopingDecision(g: Generation, decision: Decision, exits: Exits): void {
  const separate = isTooDeep(g);
  g.depth += 1;
  if (separate) separateDecision(g, decision, exits);
  else decision(exits);
  g.depth -= 1;
}

function separateDecision(g: Generation, decision: Decision, exits: Exits): void {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=(()=>{`);
  decision({ whenTrue: 'return true;', whenFalse: 'return false;', fail: nonValue => `return ${nonValue};` });
  emit(
    g,
    `})();\nif(${name}===true){${exits.whenTrue}}else if(${name}===false){${exits.whenFalse}}else{${exits.fail(name)}}\n`,
  );
}

/** Emits a value whose computation contains a loop. */
export function loopingValue(g: Generation, type: Type, emitValue: (fail: Fail) => string, fail: Fail): string {
  const separate = isTooDeep(g);
  g.depth += 1;
  const value = separate ? separateValue(g, type, emitValue, fail) : emitValue(fail);
  g.depth -= 1;
  return value;
}

function separateValue(g: Generation, type: Type, emitValue: (fail: Fail) => string, fail: Fail): string {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=(()=>{`);
  const value = emitValue(nonValue => `return ${nonValue};`);
  emit(g, `return ${value};})();if(${failedTest(g, type, name)}){${fail(name)}}\n`);
  return name;
}

/** A JavaScript variable that holds a value of the expression. */
export interface Local {
  readonly js: string;
  readonly type: Type;
  /** True if it may hold an error or unknown, which counts only where the variable is read. */
  readonly guarded: boolean;
  /** True if it holds unread host data. */
  readonly raw?: boolean;
}

/** A step from a value to a part of it, by a constant name or index. */
export interface Step {
  readonly kind: 'field' | 'key' | 'index';
  readonly name: string | number;
  readonly exprId: number;
  /** Static type of the result. */
  readonly type: Type;
}

/** A location that paths lead to. Equal paths share it, whichever expressions they are in. */
export interface PathTrieNode {
  /** Locations one step further. */
  readonly parts: Map<string | number, PathTrieNode>;
  /** How often it is read as the end of a path; reads in loops count twice. */
  reads: number;
  /** How many different paths lead through it. */
  passes: number;
  /** The variable that holds the unread value. */
  container: string | undefined;
  /** The variable that holds the value read, or an error or unknown. */
  local: Local | undefined;
}

/** A variable and constant steps into it: `req.Headers["Host"][0]`. */
export interface Path {
  readonly root: { readonly kind: 'variable' | 'local'; readonly name: string; readonly scope: number };
  readonly rootId: number;
  /** Static type of the value. */
  readonly type: Type;
  readonly steps: readonly Step[];
  /** The locations before the first step, after it, and so on. Equal paths share the last one. */
  readonly trieNodes: readonly PathTrieNode[];
}

/** Returns true if the static type does not determine the kind of inner values. */
function holdsOpen(type: Type): boolean {
  switch (type.kind) {
    case 'list':
      return isOpen(type.element) || holdsOpen(type.element);
    case 'map':
      return isOpen(type.key) || isOpen(type.value) || holdsOpen(type.value);
    case 'optional':
      return isOpen(type.value) || holdsOpen(type.value);
    default:
      return false;
  }
}

/** Returns true if the tagged representation of the type differs, at any depth. */
function holdsBareNumbers(type: Type): boolean {
  switch (type.kind) {
    case 'double':
    case 'uint':
      return true;
    case 'list':
      return holdsBareNumbers(type.element);
    case 'map':
      return holdsBareNumbers(type.key) || holdsBareNumbers(type.value);
    default:
      return false;
  }
}

/** Returns a test that is true for every error and unknown and for no value of the type. `js` holds one of these. */
export function failedTest(g: Generation, type: Type, js: string): string {
  switch (type.kind) {
    case 'string':
    case 'bool':
      return `typeof ${js}!=="${type.kind === 'bool' ? 'boolean' : 'string'}"`;
    case 'int':
    case 'uint':
    case 'double':
      return `typeof ${js}==="object"`;
    default:
      return `${js} instanceof ${runtimeName(g.scope, 'NonValue')}`;
  }
}

/** Returns a test that is true only for values that are of the type and in its representation. Other values must be read exactly. */
export function fitsTest(g: Generation, type: Type, js: string): string {
  switch (type.kind) {
    case 'string':
    case 'bool':
      return `typeof ${js}===${type.kind === 'bool' ? '"boolean"' : '"string"'}`;
    case 'int':
      return `Number.isSafeInteger(${js})`;
    case 'uint':
      return `Number.isSafeInteger(${js})&&${js}>=0`;
    case 'double':
      return `typeof ${js}==="number"`;
    case 'list':
      return `Array.isArray(${js})`;
    case 'null':
      return `${js}===null`;
    case 'timestamp':
    case 'duration':
      return `${js} instanceof ${runtimeName(g.scope, type.kind === 'timestamp' ? 'Timestamp' : 'Duration')}`;
    case 'map':
    case 'object':
      return `${runtimeName(g.scope, 'isRecord')}(${js})`;
    case 'bytes':
      return `${js} instanceof Uint8Array`;
    case 'wrapper':
      return `${js}===null||${fitsTaggedTest(g, type.of, js)}`;
    case 'dyn':
      return `typeof ${js}==="string"||typeof ${js}==="number"||typeof ${js}==="boolean"`;
    default:
      return 'false';
  }
}

/** Like {@link fitsTest}, for a tagged value, where a number alone does not distinguish an int from a double or uint. */
function fitsTaggedTest(g: Generation, type: Type, js: string): string {
  if (type.kind === 'uint') return 'false';
  if (type.kind === 'double') return `typeof ${js}==="number"&&!Number.isInteger(${js})`;
  // Elements of a known type must be converted.
  if (type.kind === 'list' && !isOpen(type.element)) return 'false';
  if (type.kind === 'map' && !(isOpen(type.key) && isOpen(type.value))) return 'false';
  return fitsTest(g, type, js);
}

const READERS: Partial<Readonly<Record<Type['kind'], string>>> = {
  bool: 'readBool',
  double: 'readDouble',
  duration: 'readDuration',
  dyn: 'fromHost',
  int: 'readInt',
  list: 'readList',
  map: 'readMap',
  null: 'readNull',
  object: 'readObject',
  string: 'readString',
  timestamp: 'readTimestamp',
  uint: 'readUint',
};

/** Returns the name of the function that reads a value as one of the type. */
export function readerCode(g: Generation, type: Type): string {
  const name = READERS[type.kind];
  if (name !== undefined) return runtimeName(g.scope, name);
  return constant(g.scope, `${runtimeName(g.scope, 'hostReader')}(${dataCode(type)})`);
}

/** The source and target types of a conversion, and the expression for errors. */
interface Adaptation {
  readonly from: Type;
  readonly to: Type;
  readonly exprId: number;
}

/** Emits a conversion between the representations of two types; dynamic values are tested. */
export function adapt(g: Generation, js: string, change: Adaptation, fail: Fail): string {
  const { from, to } = change;
  if (isOpen(to)) return isOpen(from) ? narrowed(g, js, change, fail) : tagged(g, js, from);
  // Types can differ only in unchecked expressions, and for null where the checker accepts it.
  if (!isOpen(from) && from.kind !== to.kind) return converted(g, tagged(g, js, from), change, fail);
  if (!isOpen(from)) return holdsBareNumbers(from) && !holdsBareNumbers(to) ? tagged(g, js, from) : js;
  return converted(g, js, change, fail);
}

/**
 * Like {@link adapt}, for an operand: functions rely on the types of inner values that their parameters declare. Their results may hold
 * inner values in either form.
 */
export function adaptOperand(g: Generation, js: string, change: Adaptation, fail: Fail): string {
  const { from, to } = change;
  const isOpened = from.kind === to.kind && holdsOpen(from) && !holdsOpen(to);
  return isOpened ? converted(g, js, change, fail) : adapt(g, js, change, fail);
}

/** Converts dyn to a nullable scalar: both are tagged, but not every value fits. */
function narrowed(g: Generation, js: string, change: Adaptation, fail: Fail): string {
  return change.to.kind === 'wrapper' && change.from.kind !== 'wrapper' ? converted(g, js, change, fail) : js;
}

function converted(g: Generation, js: string, { to, exprId }: Adaptation, fail: Fail): string {
  const name = fresh(g, 'v');
  const convert = constant(g.scope, `${runtimeName(g.scope, 'toTyped')}(${dataCode(to)})`);
  const located = `${runtimeName(g.scope, 'locate')}(${convert}(${name}),${exprId})`;
  const test = `if(${failedTest(g, to, name)}){${fail(name)}}`;
  emit(g, `let ${name}=${js};if(!(${fitsTaggedTest(g, to, name)})){${name}=${located};${test}}\n`);
  return name;
}

/** Returns an expression for the tagged form of a value. */
export function tagged(g: Generation, js: string, type: Type): string {
  if (!holdsBareNumbers(type)) return js;
  if (type.kind === 'double') return `${runtimeName(g.scope, 'boxDouble')}(${js})`;
  if (type.kind === 'uint') return `new ${runtimeName(g.scope, 'CelUint')}(${js})`;
  const convert = constant(g.scope, `${runtimeName(g.scope, 'toTagged')}(${dataCode(type)})`);
  return `${convert}(${js})`;
}

/** The functions that generated code may call. */
export const RUNTIME: Readonly<Record<string, unknown>> = { ...support, ...regexSupport };

/** Returns the entry point that exports a function of the runtime. */
export function entryOf(name: string): string {
  return name in regexSupport ? '@tollgate/cel/runtime/regex' : '@tollgate/cel/runtime';
}

/** Returns a string as a JavaScript literal. User strings reach generated source only through this function. */
export function stringCode(text: string): string {
  if (PLAIN_STRING.test(text)) return `"${text}"`;
  // U+2028 and U+2029 are valid in string literals since ECMAScript 2019.
  return JSON.stringify(text);
}

/** Returns an int or uint as a JavaScript expression that is valid in any position. */
export function integerCode(value: Integer): string {
  if (typeof value === 'bigint') return value < 0n ? `(${value}n)` : `${value}n`;
  return value < 0 ? `(${value})` : `${value + 0}`;
}

/** Returns a double as a JavaScript expression that is valid in any position. */
export function doubleCode(value: number): string {
  if (Object.is(value, -0)) return '(-0)';
  return value < 0 ? `(${value})` : `${value}`;
}

/** Strings that need no escaping: most of them, and testing is faster than escaping. */
const PLAIN_STRING = /^[\w ./:*+-]*$/;

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns a property access: `.name` if possible, `["name"]` otherwise; `optional` adds `?.`. */
export function propertyCode(name: string, optional: boolean): string {
  if (PLAIN_NAME.test(name)) return optional ? `?.${name}` : `.${name}`;
  return optional ? `?.[${stringCode(name)}]` : `[${stringCode(name)}]`;
}

/** Returns plain data (types, limits, paths) as a JavaScript expression. */
export function dataCode(data: unknown): string {
  if (typeof data === 'string') return stringCode(data);
  if (Array.isArray(data)) return `[${data.map(dataCode).join(',')}]`;
  if (typeof data === 'bigint') return integerCode(data);
  if (typeof data !== 'object' || data === null) return String(data);
  const fields = Object.entries(data).filter(([, value]) => value !== undefined);
  // A computed key always creates an own property, even for `__proto__`.
  return `{${fields.map(([key, value]) => `[${stringCode(key)}]:${dataCode(value)}`).join(',')}}`;
}

/** Emits a decision by a call that returns a bool, an error or an unknown, and adds the location to an error. */
export function testedCall(g: Generation, code: string, exprId: number, exits: Exits): void {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=${code};`);
  tested(g, name, exprId, exits);
}

/** Like {@link testedCall}, for a call that spends steps. */
export function testedSteppingCall(g: Generation, code: string, exprId: number, exits: Exits): void {
  tested(g, steppingCall(g, code), exprId, exits);
}

function tested(g: Generation, name: string, exprId: number, exits: Exits): void {
  const located = `${runtimeName(g.scope, 'locate')}(${name},${exprId})`;
  emit(g, `if(typeof ${name}!=="boolean"){${exits.fail(located)}}\n`);
  branch(g, name, exits);
}

/** Emits a node whose whole value is needed: a value with unknown parts is unknown. */
export function wholeValue(g: Generation, node: Expr, fail: Fail): string {
  const value = g.value(g, node, fail);
  if (!givesHostData(node) || !mayBePartial(staticType(g, node))) return value;
  const search = `${runtimeName(g.scope, 'nonValueIn')}(${contextConstant(g)},${value})`;
  const part = steppingCall(g, `typeof ${value}==="object"?${search}:undefined`);
  const located = `${runtimeName(g.scope, 'locate')}(${part},${node.id})`;
  emit(g, `if(${part}!==undefined){${fail(located)}}\n`);
  return value;
}

/** Like {@link wholeValue}, for an operand: parameter types that cannot contain unknown parts are not searched for them. */
export function wholeValueFor(g: Generation, param: Type, node: Expr, fail: Fail): string {
  return mayBePartial(param) ? wholeValue(g, node, fail) : g.value(g, node, fail);
}
