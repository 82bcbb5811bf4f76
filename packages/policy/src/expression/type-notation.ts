import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  objectType,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  wrapperOf,
} from '@tollgate/cel';
import { InternalError } from '@tollgate/diagnostics';

const SIMPLE: ReadonlyMap<string, Type> = new Map([
  ['bool', BOOL],
  ['bytes', BYTES],
  ['double', DOUBLE],
  ['duration', DURATION],
  ['dyn', DYN],
  ['int', INT],
  ['null', NULL],
  ['string', STRING],
  ['timestamp', TIMESTAMP],
  ['uint', UINT],
]);

const GENERIC: ReadonlyMap<string, (...params: readonly Type[]) => Type> = new Map([
  ['list', (element = DYN) => listOf(element)],
  ['map', (key = DYN, value = DYN) => mapOf(key, value)],
  ['optional_type', (value = DYN) => optionalOf(value)],
  ['wrapper', (of = DYN) => wrapperOf(of)],
]);

/** The names of types that are not object types. */
export const TYPE_NAMES: readonly string[] = [...SIMPLE.keys(), ...GENERIC.keys()];

/** Returns the type names in a notation, in order; undefined if {@link parseType} rejects it. */
export function namesInType(notation: string): readonly string[] | undefined {
  try {
    parseType(notation);
    return notation.match(/[\w.]+/g) ?? [];
  } catch (error) {
    if (error instanceof InternalError) return undefined;
    throw error;
  }
}

/** Parses a type in the notation of `formatType`; unknown names are object types. Throws {@link InternalError} if malformed. */
export function parseType(notation: string): Type {
  const tokens = notation.match(/[\w.]+|[(),]/g) ?? [];
  const { type, next } = parseAt(tokens, 0, notation);
  if (next !== tokens.length) throw malformed(notation);
  return type;
}

function parseAt(tokens: readonly string[], at: number, notation: string): { type: Type; next: number } {
  const name = tokens[at];
  if (name === undefined || !/^[\w.]+$/.test(name)) throw malformed(notation);
  const generic = GENERIC.get(name);
  if (!generic || tokens[at + 1] !== '(') return { type: SIMPLE.get(name) ?? objectType(name), next: at + 1 };
  const params: Type[] = [];
  let next = at + 1;
  while (tokens[next] === '(' || tokens[next] === ',') {
    const param = parseAt(tokens, next + 1, notation);
    params.push(param.type);
    next = param.next;
  }
  if (tokens[next] !== ')') throw malformed(notation);
  return { type: generic(...params), next: next + 1 };
}

function malformed(notation: string): InternalError {
  return new InternalError(`the catalog has a malformed type: ${notation}`);
}
