import type { Type } from '../../types/type.ts';
import { emit, type Fail, fresh, type Generation } from './generation.ts';
import { constant, runtimeName } from './module-scope.ts';
import { dataCode } from './source-text.ts';

/** Whether values of the type are held tagged: the static type does not say what they are. */
export function isOpen(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'param' || type.kind === 'wrapper' || type.kind === 'error';
}

/** Whether the static type leaves open what is inside a value. */
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

/** Whether a value of the type looks different when tagged, at any depth. */
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

/** A test that is true of every NonValue and of no value of the type. `js` holds one or the other. */
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

/** A test that is true only of values that are of the type and as the representation wants them. Others need a closer look. */
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

/** As {@link fitsTest}, of a tagged value: there a number alone does not tell an int from a double or uint. */
function fitsTaggedTest(g: Generation, type: Type, js: string): string {
  if (type.kind === 'uint') return 'false';
  if (type.kind === 'double') return `typeof ${js}==="number"&&!Number.isInteger(${js})`;
  // What is of a known type inside has to be looked at.
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

/** The function that reads what stands in a container as a value of the type. */
export function readerCode(g: Generation, type: Type): string {
  const name = READERS[type.kind];
  if (name !== undefined) return runtimeName(g.scope, name);
  return constant(g.scope, `${runtimeName(g.scope, 'hostReader')}(${dataCode(type)})`);
}

/** Where a value comes from and what is made of it. */
export interface Adaptation {
  readonly from: Type;
  readonly to: Type;
  readonly exprId: number;
}

/** Emits the change from the representation of one type to that of another; dynamic types are tested. */
export function adapt(g: Generation, js: string, change: Adaptation, fail: Fail): string {
  const { from, to } = change;
  if (isOpen(to)) return isOpen(from) ? narrowed(g, js, change, fail) : tagged(g, js, from);
  // Known types that differ come from expressions that were not checked, and from null in place of an object.
  if (!isOpen(from) && from.kind !== to.kind) return converted(g, tagged(g, js, from), change, fail);
  if (!isOpen(from)) return holdsBareNumbers(from) && !holdsBareNumbers(to) ? tagged(g, js, from) : js;
  return converted(g, js, change, fail);
}

/** As {@link adapt}, of an operand: a function relies on what its parameter says is inside. What a function gives holds either form. */
export function adaptOperand(g: Generation, js: string, change: Adaptation, fail: Fail): string {
  const { from, to } = change;
  const isOpened = from.kind === to.kind && holdsOpen(from) && !holdsOpen(to);
  return isOpened ? converted(g, js, change, fail) : adapt(g, js, change, fail);
}

/** From dyn to a nullable scalar: both are tagged, but not every value fits. */
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

/** An expression for the tagged form of a value of the type. */
export function tagged(g: Generation, js: string, type: Type): string {
  if (!holdsBareNumbers(type)) return js;
  if (type.kind === 'double') return `${runtimeName(g.scope, 'boxDouble')}(${js})`;
  if (type.kind === 'uint') return `new ${runtimeName(g.scope, 'CelUint')}(${js})`;
  const convert = constant(g.scope, `${runtimeName(g.scope, 'toTagged')}(${dataCode(type)})`);
  return `${convert}(${js})`;
}
