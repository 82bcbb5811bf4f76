import { isOpen } from '../../types/structure.ts';
import type { Type } from '../../types/type.ts';
import { emit, type Fail, fresh, type Generation } from './generation.ts';
import { constant, runtimeName } from './module-scope.ts';
import { dataCode } from './source-text.ts';

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
