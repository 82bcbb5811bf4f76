import type { Expr } from '../../ast/ast.ts';
import type { Type } from '../../types/type.ts';
import { emit, type Fail, fresh, type Generation, localKey } from '../scope/generation.ts';
import { runtimeName, uniqueConstant } from '../scope/module-scope.ts';
import type { Local, Path, Step } from '../scope/path-trie.ts';
import { adapt, failedTest, fitsTest, readerCode } from '../scope/representation-code.ts';
import { propertyCode, stringCode } from '../scope/source-text.ts';

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
export function hoistedFailure(g: Generation, path: Path, { js, type }: Local, fail: Fail): string {
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
export interface PlainLoad {
  readonly js: string;
  readonly type: Type;
  readonly exact: string;
}

/** Emits a plain load of a path; returns undefined if a variable holds it already. */
export function loadPlainly(g: Generation, path: Path): PlainLoad | undefined {
  if (path.root.kind === 'variable') {
    if (path.trieNodes.at(-1)?.local !== undefined) return undefined;
  } else if (path.steps.length === 0 && !g.locals.get(localKey(path.root.scope, path.root.name))?.raw) {
    return undefined;
  }
  return emitPlainLoad(g, path);
}

/** Emits a plain load of a path into a variable. */
export function emitPlainLoad(g: Generation, path: Path): PlainLoad {
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
export function emitTypeTest(g: Generation, { js, type, exact }: PlainLoad, fail?: Fail): void {
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
export function plainLoad(g: Generation, path: Path, length: number): string {
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
export function propertyLoad(g: Generation, from: string, name: string): string {
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
export function isPlainlyLoaded(step: Step): boolean {
  return step.kind !== 'index' && isSafeName(String(step.name));
}

/**
 * Returns true if a load of this name can find only an own property of host data. Excludes names on the prototypes of JavaScript values,
 * fields of CEL value classes, and indices of lists and strings.
 */
export function isSafeName(name: string): boolean {
  return !(UNSAFE_NAMES.has(name) || isDigit(name.charCodeAt(0)));
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
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
