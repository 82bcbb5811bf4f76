import { isRecord } from '../input/json.ts';

/** Gives what stands at a path in a record; undefined when nothing does. */
export type PathReader = (record: Readonly<Record<string, unknown>>) => unknown;

/** Makes the reader of a dot path. A name with dots in it counts as one where the record has it: `http.method`. */
export function readerOfPath(path: string): PathReader {
  if (!path.includes('.')) return record => memberOf(record, path);
  return record => valueAt(record, path);
}

function valueAt(value: unknown, path: string): unknown {
  const whole = memberOf(value, path);
  if (whole !== undefined) return whole;
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const inner = memberOf(value, path.slice(0, dot));
    const found = inner === undefined ? undefined : valueAt(inner, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
