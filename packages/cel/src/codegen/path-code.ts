import type { Expr } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { type Fail, fresh, type Generation, type Local, localKey } from './generation.ts';
import { constant, errorConstant, runtimeName } from './module-scope.ts';
import { eachPath, type Path, type Step } from './paths.ts';
import { adapt, failedTest, fitsTest, readerCode } from './representation-code.ts';
import { dataCode, propertyCode, stringCode } from './source-text.ts';

/** The parameter of every generated function. */
export const ACTIVATION = 'a';

/**
 * Loads what expressions read more than once, or within loops, at the head of a function. Loading early is sound: it has no effect, and a
 * NonValue counts only where the path is read. `roots` pairs each expression's tree with what makes `g` look at it.
 */
export function hoistPaths(g: Generation, eachRoot: (visit: (root: Expr) => void) => void): void {
  const counts = new Map<string, { readonly path: Path; count: number }>();
  eachRoot(root =>
    eachPath(g, root, (path, looped) => {
      if (path.root.kind !== 'variable') return;
      const known = counts.get(path.key);
      if (known === undefined) counts.set(path.key, { path, count: looped ? 2 : 1 });
      else known.count += 1;
    }),
  );
  hoistContainers(
    g,
    [...counts.values()].map(entry => entry.path),
  );
  for (const { path, count } of counts.values()) {
    if (count < 2) continue;
    const loaded = plainly(g, path);
    settle(g, loaded);
    g.paths.set(path.key, { js: loaded.js, type: loaded.type, guarded: true });
  }
}

/** The containers that several paths go through are loaded once, untested: each path tests what it finds. */
function hoistContainers(g: Generation, paths: readonly Path[]): void {
  const counts = new Map<string, number>();
  const prefixes = paths.flatMap(path => containersOf(path).map(length => prefixKey(path, length)));
  for (const key of prefixes) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const path of paths) {
    for (const length of containersOf(path)) {
      const key = prefixKey(path, length);
      if (g.containers.has(key) || (counts.get(key) ?? 0) < 2) continue;
      const expression = plainLoad(g, path, length);
      const name = fresh(g, 'c');
      g.code += `const ${name}=${expression};`;
      g.containers.set(key, name);
    }
  }
}

/** Numbers of leading steps after which a path stands on an object or map that is loaded plainly. */
function containersOf(path: Path): readonly number[] {
  const lengths: number[] = [];
  for (let length = 0; length < path.steps.length; length++) {
    if (path.steps[length]?.kind === 'index') break;
    lengths.push(length);
    if (!isPlainlyLoaded(path.steps[length] as Step)) break;
  }
  return isSafeName(path.root.name) ? lengths : [];
}

function prefixKey(path: Path, length: number): string {
  return [path.root.name, ...path.steps.slice(0, length).map(step => step.name)].join('\n');
}

/** Emits the reading of a path and gives its value. */
export function pathValue(g: Generation, path: Path, node: Expr, fail: Fail): string {
  const type = path.steps.at(-1)?.type ?? path.rootType;
  const hoisted = path.root.kind === 'variable' ? g.paths.get(path.key) : undefined;
  if (hoisted !== undefined) return hoistedValue(g, path, hoisted, fail);
  const local = path.root.kind === 'local' ? g.locals.get(localKey(path.root.scope, path.root.name)) : undefined;
  if (local !== undefined && path.steps.length === 0 && !local.raw) {
    const value = guardedValue(g, local, fail);
    return adapt(g, value, { from: local.type, to: type, exprId: node.id }, fail);
  }
  const loaded = plainly(g, path);
  settle(g, loaded, fail);
  return loaded.js;
}

/** What is wrong with a path is told again where it is read: the error is that of this place, not of the first. */
function hoistedValue(g: Generation, path: Path, { js, type }: Local, fail: Fail): string {
  g.code += `if(${failedTest(g, type, js)}){${fail(exactLoad(g, path, readerCode(g, type)))}}\n`;
  return js;
}

function guardedValue(g: Generation, local: Local, fail: Fail): string {
  if (local.guarded) g.code += `if(${failedTest(g, local.type, local.js)}){${fail(local.js)}}\n`;
  return local.js;
}

/** A path loaded plainly into a variable, and what gives the exact outcome if that holds no value of the type. */
export interface PlainLoad {
  readonly js: string;
  readonly type: Type;
  readonly exact: string;
}

/** Emits the plain loading of a path that is not held in a variable already; undefined when it is. */
export function loadPlainly(g: Generation, path: Path): PlainLoad | undefined {
  if (path.root.kind === 'variable') {
    if (g.paths.has(path.key)) return undefined;
  } else if (path.steps.length === 0 && !g.locals.get(localKey(path.root.scope, path.root.name))?.raw) {
    return undefined;
  }
  return plainly(g, path);
}

function plainly(g: Generation, path: Path): PlainLoad {
  const js = fresh(g, 'v');
  const type = path.steps.at(-1)?.type ?? path.rootType;
  const key = path.steps.findLastIndex(step => step.kind === 'key');
  const quick = key < 0 ? undefined : quickMiss(g, path, key);
  const value =
    quick === undefined ? plainLoad(g, path, path.steps.length) : stepsCode(g, quick.value, path.steps.slice(key + 1));
  const walked = exactLoad(g, path, readerCode(g, type));
  const exact = quick === undefined ? walked : `${quick.test}?${quick.error}:${walked}`;
  g.code += `let ${js}=${value};`;
  return { js, type, exact };
}

/** Emits the test of what was loaded. Without `fail` the variable may hold a NonValue then. */
export function settle(g: Generation, { js, type, exact }: PlainLoad, fail?: Fail): void {
  const leave = fail === undefined ? '' : `if(${failedTest(g, type, js)}){${fail(js)}}`;
  g.code += `if(!(${fitsTest(g, type, js)})){${js}=${exact};${leave}}\n`;
}

/** The value of the path as the host's data really are, or what is wrong with them. */
function exactLoad(g: Generation, path: Path, reader: string): string {
  const root = rootCode(g, path);
  if (path.root.kind === 'local' && path.steps.length === 0) {
    return `${runtimeName(g.scope, 'locate')}(${reader}(${root}),${path.rootId})`;
  }
  return `${runtimeName(g.scope, 'resolve')}(${root},${stepsConstant(g, path)},${reader},${path.rootId})`;
}

/** A key that is missing from a plain object is an ordinary thing: it is told without walking the path again. */
function quickMiss(g: Generation, path: Path, key: number): { value: string; test: string; error: string } | undefined {
  const step = path.steps[key] as Step;
  if (!isPlainlyLoaded(step)) return undefined;
  const container = fresh(g, 'c');
  const value = fresh(g, 'c');
  g.code += `const ${container}=${plainLoad(g, path, key)};const ${value}=${container}${propertyCode(String(step.name), true)};`;
  const test = `${value}===undefined&&${runtimeName(g.scope, 'isClosedRecord')}(${container})`;
  const message = `the map has no key ${stringCode(String(step.name))}`;
  return { value, test, error: errorConstant(g.scope, 'eval/no-such-key', message, step.exprId) };
}

/** An expression for the value after some steps when all is as expected; anything else otherwise. */
function plainLoad(g: Generation, path: Path, length: number): string {
  for (let known = length; known >= 0 && path.root.kind === 'variable'; known--) {
    const container = g.containers.get(prefixKey(path, known));
    if (container !== undefined) return stepsCode(g, container, path.steps.slice(known, length));
  }
  return stepsCode(g, rootValue(g, path), path.steps.slice(0, length));
}

function rootValue(g: Generation, path: Path): string {
  if (path.root.kind === 'local') return rootCode(g, path);
  const { name } = path.root;
  if (isSafeName(name)) return ACTIVATION + propertyCode(name, false);
  return `${runtimeName(g.scope, 'ownValue')}(${ACTIVATION},${stringCode(name)})`;
}

function stepsCode(g: Generation, from: string, steps: readonly Step[]): string {
  let code = from;
  for (const step of steps) {
    if (step.kind === 'index') {
      const list = fresh(g, 'c');
      g.code += `const ${list}=${code};`;
      code = `(Array.isArray(${list})?${list}[${step.name}]:undefined)`;
    } else if (isPlainlyLoaded(step)) code += propertyCode(String(step.name), true);
    else code = `${runtimeName(g.scope, 'ownValue')}(${code},${stringCode(String(step.name))})`;
  }
  return code;
}

function rootCode(g: Generation, path: Path): string {
  if (path.root.kind === 'variable') return ACTIVATION;
  return g.locals.get(localKey(path.root.scope, path.root.name))?.js ?? 'undefined';
}

/** The path as data for `resolve`. */
function stepsConstant(g: Generation, path: Path): string {
  const steps = path.steps.map(step => [step.kind, step.name, step.exprId]);
  if (path.root.kind === 'variable') steps.unshift(['variable', path.root.name, path.rootId]);
  return constant(g.scope, dataCode(steps));
}

function isPlainlyLoaded(step: Step): boolean {
  return step.kind !== 'index' && isSafeName(String(step.name));
}

/**
 * Whether a plain load finds nothing but an own property of a host object, even where another kind of value stands in its place: not a
 * name on the prototypes of what hosts pass, not a field of our own value classes, not a position in a list or text.
 */
function isSafeName(name: string): boolean {
  return !UNSAFE_NAMES.has(name) && !/^[0-9]/.test(name);
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
