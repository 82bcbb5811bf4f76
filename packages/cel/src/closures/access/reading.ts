import type { Activation } from '../../environment/program.ts';
import { isRecord } from '../../runtime/host/access.ts';
import { hostReader } from '../../runtime/host/host.ts';
import type { Type } from '../../types/type.ts';
import { type HostObject, NonValue } from '../../values/value.ts';
import { type Code, type Locals, locator, type Outcome } from '../code/code.ts';

/** Returns a value of host data, or an element of a list or map, unread; undefined if there is none. */
export type Source = (activation: Activation, locals: Locals) => unknown;

/** Reads an unread value as one of a static type: unboxes numbers and checks host data. */
export type Reader = (value: unknown) => Outcome;

/** Returns a reader whose errors have the location of the expression. */
export function readerAt(type: Type, exprId: number): Reader {
  const read = hostReader(type);
  const locate = locator(exprId);
  return value => {
    const outcome = read(value);
    return outcome instanceof NonValue ? locate(outcome) : outcome;
  };
}

/** Reads a source as a value of a static type. The most common cases need no call. */
export function readCode(source: Source, type: Type, exprId: number): Code {
  return withFastPath(source, type, readingOf(readerAt(type, exprId)));
}

function readingOf(read: Reader): Miss {
  return (_activation, _locals, value) => read(value);
}

/** Runs if the fast path does not apply. */
type Miss = (activation: Activation, locals: Locals, value: unknown) => Outcome;

/** Returns the value of the source if a test of its JavaScript type suffices, and otherwise the result of `miss`. */
export function withFastPath(source: Source, type: Type, miss: Miss): Code {
  switch (type.kind) {
    case 'string':
      return (activation, locals) => {
        const value = source(activation, locals);
        return typeof value === 'string' ? value : miss(activation, locals, value);
      };
    case 'int':
      return (activation, locals) => {
        const value = source(activation, locals);
        if (typeof value === 'number') {
          const small = value | 0;
          if (small === value) return small;
          if (Number.isSafeInteger(value)) return value;
        }
        return miss(activation, locals, value);
      };
    case 'bool':
      return (activation, locals) => {
        const value = source(activation, locals);
        return typeof value === 'boolean' ? value : miss(activation, locals, value);
      };
    case 'double':
      return (activation, locals) => {
        const value = source(activation, locals);
        return typeof value === 'number' ? value : miss(activation, locals, value);
      };
    case 'list':
      return (activation, locals) => {
        const value = source(activation, locals);
        return Array.isArray(value) ? value : miss(activation, locals, value);
      };
    case 'map':
    case 'object':
      return (activation, locals) => {
        const value = source(activation, locals);
        return isRecord(value) ? (value as HostObject) : miss(activation, locals, value);
      };
    default:
      return (activation, locals) => miss(activation, locals, source(activation, locals));
  }
}
