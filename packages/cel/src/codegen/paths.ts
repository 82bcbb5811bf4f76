// Generated code that reads paths of variables, each once for all expressions of a function.

import { type CallExpr, type Expr, localKey, type SelectExpr } from '../ast/ast.ts';
import { DYN, isOpen, nonNull, type Type } from '../ast/types.ts';
import { isDigit } from '../syntax/characters.ts';
import {
  adapt,
  branch,
  type Decision,
  type Exits,
  emit,
  type Fail,
  failedTest,
  fitsTest,
  fresh,
  type Generation,
  type Local,
  type Path,
  type PathTrieNode,
  propertyCode,
  readerCode,
  runtimeName,
  type Step,
  staticType,
  stringCode,
  tagged,
  testedCall,
  uniqueConstant,
} from './scope.ts';

/** Returns the path that a node is; undefined for all other nodes. */
export function pathOf(g: Generation, node: Expr): Path | undefined {
  if (node.kind !== 'ident' && node.kind !== 'select' && node.kind !== 'call') return undefined;
  if (node.kind === 'call' && node.function !== '_[_]') return undefined;
  const known = g.pathsOfNodes[node.id];
  if (known !== undefined) return known ?? undefined;
  const path = findPath(g, node);
  g.pathsOfNodes[node.id] = path ?? null;
  return path;
}

function findPath(g: Generation, node: Expr): Path | undefined {
  const steps: Step[] = [];
  let at = node;
  for (;;) {
    const reference = g.typed.references[at.id];
    if (reference?.kind === 'variable' || reference?.kind === 'local') {
      const scope = reference.kind === 'local' ? reference.scope : 0;
      steps.reverse();
      const root = { kind: reference.kind, name: reference.name, scope };
      return { root, rootId: at.id, type: staticType(g, node), steps, trieNodes: trieNodesOf(g, root, steps) };
    }
    const step = stepOf(g, at);
    if (step === undefined) return undefined;
    steps.push(step[1]);
    at = step[0];
  }
}

function trieNodesOf(g: Generation, root: Path['root'], steps: readonly Step[]): readonly PathTrieNode[] {
  let place =
    root.kind === 'variable'
      ? trieNodeAt(g.pathTrie, root.name)
      : trieNodeAt(g.localPathTrie, localKey(root.scope, root.name));
  const trieNodes = [place];
  for (const { name } of steps) {
    // An index is a number, so it cannot collide with a name.
    place = trieNodeAt(place.parts, name);
    trieNodes.push(place);
  }
  return trieNodes;
}

function trieNodeAt<Key>(trieNodes: Map<Key, PathTrieNode>, key: Key): PathTrieNode {
  let place = trieNodes.get(key);
  if (place === undefined) {
    place = { parts: new Map(), reads: 0, passes: 0, container: undefined, local: undefined };
    trieNodes.set(key, place);
  }
  return place;
}

/** Returns the node that a node steps into, and the step. */
function stepOf(g: Generation, node: Expr): readonly [Expr, Step] | undefined {
  const type = staticType(g, node);
  if (node.kind === 'select') {
    const from = staticType(g, node.operand).kind;
    if (node.testOnly || (from !== 'object' && from !== 'map')) return undefined;
    const kind = from === 'object' ? 'field' : 'key';
    return [node.operand, { kind, name: node.field, exprId: node.id, type }];
  }
  if (node.kind !== 'call' || node.function !== '_[_]') return undefined;
  const [operand, index] = node.args;
  if (operand === undefined || index?.kind !== 'literal') return undefined;
  const from = staticType(g, operand).kind;
  const { literal } = index;
  if (from === 'map' && literal.type === 'string') {
    return [operand, { kind: 'key', name: literal.value, exprId: node.id, type }];
  }
  if (from === 'list' && literal.type === 'int' && typeof literal.value === 'number' && literal.value >= 0) {
    return [operand, { kind: 'index', name: literal.value, exprId: node.id, type }];
  }
  return undefined;
}

/** Receives a path and whether it is read in each iteration of a loop. */
type PathVisitor = (path: Path, looped: boolean) => void;

/** Calls `visit` for every outermost path of an expression. */
function eachPath(g: Generation, node: Expr, visit: PathVisitor, looped = false): void {
  const path = pathOf(g, node);
  if (path !== undefined) visit(path, looped);
  else eachPathInside(g, node, visit, looped);
}

function eachPathInside(g: Generation, node: Expr, visit: PathVisitor, looped: boolean): void {
  switch (node.kind) {
    case 'select':
      eachPath(g, node.operand, visit, looped);
      break;
    case 'call':
      if (node.target !== undefined) eachPath(g, node.target, visit, looped);
      for (const arg of node.args) if (arg.kind !== 'literal') eachPath(g, arg, visit, looped);
      break;
    case 'list':
      for (const element of node.elements) if (element.kind !== 'literal') eachPath(g, element, visit, looped);
      break;
    case 'map':
      for (const { key, value } of node.entries) {
        eachPath(g, key, visit, looped);
        eachPath(g, value, visit, looped);
      }
      break;
    case 'struct':
      for (const { value } of node.fields) eachPath(g, value, visit, looped);
      break;
    case 'comprehension':
      eachPath(g, node.iterRange, visit, looped);
      eachPath(g, node.accuInit, visit, looped);
      for (const part of [node.loopCondition, node.loopStep, node.result]) eachPath(g, part, visit, true);
      break;
    default:
      break;
  }
}

/** The parameter of every generated function. */
export const ACTIVATION = 'a';

/** Emits code that reads a path, and returns the name of its value. */
export function pathValue(g: Generation, path: Path, node: Expr, fail: Fail): string {
  const hoisted = path.trieNodes.at(-1)?.local;
  if (hoisted !== undefined) return hoistedValue(g, path, hoisted, fail);
  const local = path.root.kind === 'local' ? g.locals.get(localKey(path.root.scope, path.root.name)) : undefined;
  if (local !== undefined && path.steps.length === 0 && !local.raw) {
    const value = guardedValue(g, local, fail);
    return adapt(g, value, { from: local.type, to: path.type, exprId: node.id }, fail);
  }
  const loaded = emitPlainLoad(g, path);
  emitTypeTest(g, loaded, fail);
  return loaded.js;
}

function hoistedValue(g: Generation, path: Path, local: Local, fail: Fail): string {
  emit(g, `${hoistedFailure(g, path, local, fail)}\n`);
  return local.js;
}

/** Determines the error of a hoisted path again where it is read, so that it has that location. */
function hoistedFailure(g: Generation, path: Path, { js, type }: Local, fail: Fail): string {
  const exact = `${ifUnknown(g, js)}${exactLoad(g, path, readerCode(g, type))}`;
  return `if(${failedTest(g, type, js)}){${fail(exact)}}`;
}

/** An unknown has no location, so it need not be determined again. */
function ifUnknown(g: Generation, js: string): string {
  return `${js} instanceof ${runtimeName(g.scope, 'Unknown')}?${js}:`;
}

function guardedValue(g: Generation, local: Local, fail: Fail): string {
  if (local.guarded) emit(g, `if(${failedTest(g, local.type, local.js)}){${fail(local.js)}}\n`);
  return local.js;
}

/** A path loaded into a variable, and an expression for the exact outcome if the variable holds no value of the type. */
interface PlainLoad {
  readonly js: string;
  readonly type: Type;
  readonly exact: string;
}

/** Emits a plain load of a path; returns undefined if a variable holds it already. */
function loadPlainly(g: Generation, path: Path): PlainLoad | undefined {
  if (path.root.kind === 'variable') {
    if (path.trieNodes.at(-1)?.local !== undefined) return undefined;
  } else if (path.steps.length === 0 && !g.locals.get(localKey(path.root.scope, path.root.name))?.raw) {
    return undefined;
  }
  return emitPlainLoad(g, path);
}

/** Emits a plain load of a path into a variable. */
function emitPlainLoad(g: Generation, path: Path): PlainLoad {
  const js = fresh(g, 'v');
  const { type } = path;
  const key = path.steps.findLastIndex(step => step.kind === 'key');
  const quick = key < 0 ? undefined : missingKeyTest(g, path, key);
  const value =
    quick === undefined ? plainLoad(g, path, path.steps.length) : stepsCode(g, quick.value, path.steps.slice(key + 1));
  const walked = exactLoad(g, path, readerCode(g, type));
  const unknown = ifUnknown(g, quick?.value ?? js);
  const exact = quick === undefined ? unknown + walked : `${quick.test}?${quick.error}:${unknown}${walked}`;
  emit(g, `let ${js}=${value};`);
  return { js, type, exact };
}

/** Emits the test of a loaded value. Without `fail`, the variable may hold an error or unknown afterwards. */
function emitTypeTest(g: Generation, { js, type, exact }: PlainLoad, fail?: Fail): void {
  const leave = fail === undefined ? '' : `if(${failedTest(g, type, js)}){${fail(js)}}`;
  emit(g, `if(!(${fitsTest(g, type, js)})){${js}=${exact};${leave}}\n`);
}

/** Returns an expression for the exact value, error or unknown of a path. */
function exactLoad(g: Generation, path: Path, reader: string): string {
  const root = rootCode(g, path);
  if (path.root.kind === 'local' && path.steps.length === 0) {
    return `${runtimeName(g.scope, 'locate')}(${reader}(${root}),${path.rootId})`;
  }
  return `${runtimeName(g.scope, 'resolve')}(${root},${stepsConstant(g, path)},${reader},${path.rootId})`;
}

/** A missing key of a plain object is common, so its error is determined without resolving the path again. */
function missingKeyTest(
  g: Generation,
  path: Path,
  key: number,
): { value: string; test: string; error: string } | undefined {
  const step = path.steps[key] as Step;
  if (!isPlainlyLoaded(step)) return undefined;
  const container = fresh(g, 'c');
  const value = fresh(g, 'c');
  emit(
    g,
    `const ${container}=${plainLoad(g, path, key)};const ${value}=${propertyLoad(g, container, String(step.name))};`,
  );
  const test = `${value}===undefined&&${runtimeName(g.scope, 'isRecord')}(${container})`;
  const made = `${runtimeName(g.scope, 'absentKey')}(${stringCode(String(step.name))},${step.exprId})`;
  return { value, test, error: uniqueConstant(g.scope, made) };
}

/** Returns an expression for the value after some steps; if the data is not as declared, it may be anything. */
function plainLoad(g: Generation, path: Path, length: number): string {
  for (let known = length; known >= 0; known--) {
    const container = path.trieNodes[known]?.container;
    if (container !== undefined) return stepsCode(g, container, path.steps.slice(known, length));
  }
  return stepsCode(g, rootValue(g, path), path.steps.slice(0, length));
}

function rootValue(g: Generation, path: Path): string {
  if (path.root.kind === 'local') return rootCode(g, path);
  const { name } = path.root;
  return propertyLoad(g, ACTIVATION, name);
}

function stepsCode(g: Generation, from: string, steps: readonly Step[]): string {
  let code = from;
  for (const step of steps) {
    if (step.kind === 'index') {
      const list = fresh(g, 'c');
      emit(g, `const ${list}=${code};`);
      code = `(Array.isArray(${list})?${list}[${step.name}]:undefined)`;
    } else code = propertyLoad(g, code, String(step.name));
  }
  return code;
}

/**
 * Returns an expression for an own property of the value of `from`; it is undefined if there is none. Unless data is plain, emits the load
 * of `from`.
 */
function propertyLoad(g: Generation, from: string, name: string): string {
  if (!isSafeName(name)) return `${runtimeName(g.scope, 'ownValue')}(${from},${stringCode(name)})`;
  if (from === ACTIVATION) {
    const load = from + propertyCode(name, false);
    return g.env.plainData ? load : `(Object.hasOwn(${from},${stringCode(name)})?${load}:undefined)`;
  }
  if (g.env.plainData) return from + propertyCode(name, true);
  const container = IDENTIFIER.test(from) ? from : fresh(g, 'c');
  if (container !== from) emit(g, `const ${container}=${from};`);
  const isOwn = `${container}!==undefined&&${container}!==null&&Object.hasOwn(${container},${stringCode(name)})`;
  return `(${isOwn}?${container}${propertyCode(name, false)}:undefined)`;
}

const IDENTIFIER = /^\w+$/;

function rootCode(g: Generation, path: Path): string {
  if (path.root.kind === 'variable') return ACTIVATION;
  return g.locals.get(localKey(path.root.scope, path.root.name))?.js ?? 'undefined';
}

/** Returns the path as data for `resolve`. */
function stepsConstant(g: Generation, path: Path): string {
  let code = path.root.kind === 'variable' ? `["variable",${stringCode(path.root.name)},${path.rootId}]` : '';
  for (const { kind, name, exprId } of path.steps) {
    const named = typeof name === 'string' ? stringCode(name) : name;
    code += `${code === '' ? '' : ','}["${kind}",${named},${exprId}]`;
  }
  return uniqueConstant(g.scope, `[${code}]`);
}

/** Returns true if the step can be a plain property load. */
function isPlainlyLoaded(step: Step): boolean {
  return step.kind !== 'index' && isSafeName(String(step.name));
}

/**
 * Returns true if a load of this name can find only an own property of host data. Excludes names on the prototypes of JavaScript values,
 * fields of CEL value classes, and indices of lists and strings.
 */
function isSafeName(name: string): boolean {
  return !(UNSAFE_NAMES.has(name) || isDigit(name.charCodeAt(0)));
}

const UNSAFE_NAMES: ReadonlySet<string> = new Set([
  ...[Object, Array, String, Number, Boolean, Function, Map, Date, Uint8Array, Symbol, BigInt].flatMap(made => [
    ...Object.getOwnPropertyNames(made.prototype),
  ]),
  ...['byteLength', 'byteOffset', 'buffer', 'BYTES_PER_ELEMENT'],
  ...[
    'value',
    'uintKeys',
    'seconds',
    'nanos',
    'name',
    'bytes',
    'ip',
    'prefixLength',
    'attributes',
    'code',
    'message',
    'exprId',
  ],
]);

/** Calls a function with the root of each expression, after switching `g` to it. */
type EachRoot = (visit: (root: Expr) => void) => void;

/**
 * Loads paths that are read more than once, or in loops, at the start of a function. Loading early is sound: it has no effect, and an error
 * or unknown counts only where the path is read.
 */
export function hoistPaths(g: Generation, eachRoot: EachRoot): void {
  const distinct: Path[] = [];
  eachRoot(root =>
    eachPath(g, root, (path, looped) => {
      const end = path.trieNodes.at(-1) as PathTrieNode;
      if (path.root.kind !== 'variable') return;
      if (end.reads === 0) distinct.push(path);
      end.reads += looped ? 2 : 1;
    }),
  );
  if (distinct.length > 1) hoistContainers(g, distinct);
  for (const path of distinct) {
    const end = path.trieNodes.at(-1) as PathTrieNode;
    if (end.reads < 2) continue;
    const loaded = emitPlainLoad(g, path);
    emitTypeTest(g, loaded);
    end.local = { js: loaded.js, type: loaded.type, guarded: true };
  }
}

/** Loads containers that several paths share once, without tests: each path tests its own result. */
function hoistContainers(g: Generation, paths: readonly Path[]): void {
  for (const path of paths) {
    for (let length = 0; length < containersOf(path); length++) (path.trieNodes[length] as PathTrieNode).passes += 1;
  }
  for (const path of paths) {
    for (let length = 0; length < containersOf(path); length++) {
      const place = path.trieNodes[length] as PathTrieNode;
      if (place.passes < 2 || place.container !== undefined) continue;
      const name = fresh(g, 'c');
      emit(g, `const ${name}=${plainLoad(g, path, length)};`);
      place.container = name;
    }
  }
}

/** Returns how many trie nodes of a path, from the root on, are objects or maps that can be loaded plainly. */
function containersOf({ root, steps }: Path): number {
  if (!isSafeName(root.name)) return 0;
  let count = 0;
  for (; count < steps.length && steps[count]?.kind !== 'index'; count++) {
    if (!isPlainlyLoaded(steps[count] as Step)) return count + 1;
  }
  return count;
}

/** A test that only values of the node's static type can pass, such as `=== "POST"`. */
type IdentityTest = (js: string) => string;

/**
 * Emits a decision by such a test. A value that passes needs no type test; only one that fails is checked for its type and for errors in
 * the host data.
 */
export function identityCondition(g: Generation, node: Expr, test: IdentityTest, exits: Exits): void {
  const path = pathOf(g, node);
  const hoisted = path?.trieNodes.at(-1)?.local;
  const loaded = path && loadPlainly(g, path);
  if (path !== undefined && hoisted !== undefined) {
    hoistedCondition(g, { test: test(hoisted.js), failure: hoistedFailure(g, path, hoisted, exits.fail) }, exits);
  } else if (loaded === undefined) branch(g, test(g.value(g, node, exits.fail)), exits);
  else loadedCondition(g, loaded, test, exits);
}

function hoistedCondition(g: Generation, { test, failure }: { test: string; failure: string }, exits: Exits): void {
  const done = fresh(g, 'L');
  const whenTrue = exits.whenTrue || `break ${done};`;
  emit(g, `${done}:{if(${test}){${whenTrue}}${failure}${exits.whenFalse}}\n`);
}

function loadedCondition(g: Generation, { js, type, exact }: PlainLoad, test: IdentityTest, exits: Exits): void {
  const done = fresh(g, 'L');
  const whenTrue = exits.whenTrue || `break ${done};`;
  const whenFalse = exits.whenFalse || `break ${done};`;
  const failed = `if(${failedTest(g, type, js)}){${exits.fail(js)}}`;
  const second = `${js}=${exact};${failed}if(${test(js)}){${whenTrue}}`;
  emit(g, `${done}:{if(${test(js)}){${whenTrue}}if(!(${fitsTest(g, type, js)})){${second}}${whenFalse}}\n`);
}

/** `has(operand.field)`: a present field that is not of its declared type is an error. */
export function presenceDecision(g: Generation, node: SelectExpr): Decision {
  const from = nonNull(staticType(g, node.operand));
  const type = memberType(g, from, node.field);
  const kind = from.kind === 'object' ? 'hasField' : 'hasMember';
  const exact: Decision = exits => {
    const operand = g.value(g, node.operand, exits.fail);
    const has = `${runtimeName(g.scope, kind)}(${operand},${stringCode(node.field)},${readerCode(g, type)})`;
    testedCall(g, has, node.id, exits);
  };
  const present = (js: string) => fitsTest(g, type, js);
  return exits => emitFastPresence(g, { container: node.operand, name: node.field, present, exact }, exits);
}

function memberType(g: Generation, from: Type, field: string): Type {
  if (from.kind === 'map') return from.value;
  return (from.kind === 'object' && g.env.objects.get(from.name)?.fields.get(field)?.type) || DYN;
}

/** `key in map`: a key is present whatever its value, unless that is an `UnknownPresence`. */
export function keyDecision(g: Generation, call: CallExpr): Decision {
  const [key, map] = call.args as readonly [Expr, Expr];
  const exact: Decision = exits => exactKey(g, call, exits);
  const from = staticType(g, map);
  if (key.kind !== 'literal' || key.literal.type !== 'string' || from.kind !== 'map') return exact;
  const present = (js: string) => fitsTest(g, from.value, js);
  const { value } = key.literal;
  return exits => emitFastPresence(g, { container: map, name: value, present, exact }, exits);
}

function exactKey(g: Generation, call: CallExpr, exits: Exits): void {
  const [key, map] = call.args as readonly [Expr, Expr];
  const keyCode = tagged(g, g.value(g, key, exits.fail), staticType(g, key));
  const value = g.value(g, map, exits.fail);
  const to = { kind: 'map', key: DYN, value: DYN } as const;
  const mapCode = adapt(g, value, { from: staticType(g, map), to, exprId: call.id }, exits.fail);
  testedCall(g, `${runtimeName(g.scope, 'inMap')}(${keyCode},${mapCode})`, call.id, exits);
}

interface Question {
  readonly container: Expr;
  readonly name: string;
  /** Returns a test of the loaded value that proves presence. */
  readonly present: (js: string) => string;
  /** Emits the exact decision. */
  readonly exact: Decision;
}

/** Emits plain loads that decide the common case of plain objects, before the exact decision. */
function emitFastPresence(g: Generation, { container, name, present, exact }: Question, exits: Exits): void {
  const path = pathOf(g, container);
  // Only the exact decision knows whether a dynamic container is a map; an array of the host may have properties, too.
  const isDynamic = isOpen(staticType(g, container));
  if (path === undefined || isDynamic || !isSafeName(name) || path.steps.some(step => step.kind === 'index')) {
    exact(exits);
    return;
  }
  const done = fresh(g, 'L');
  const holder = fresh(g, 'c');
  const found = fresh(g, 'c');
  const leaving: Exits = {
    whenTrue: exits.whenTrue || `break ${done};`,
    whenFalse: exits.whenFalse || `break ${done};`,
    fail: exits.fail,
  };
  const closed = `${runtimeName(g.scope, 'isRecord')}(${holder})`;
  emit(g, `${done}:{const ${holder}=${plainLoad(g, path, path.steps.length)};`);
  emit(g, `const ${found}=${propertyLoad(g, holder, name)};`);
  emit(g, `if(${present(found)}){${leaving.whenTrue}}if(${found}!==undefined||!${closed}){`);
  exact(leaving);
  emit(g, `}${exits.whenFalse}}\n`);
}
