import { STRING_KEY, type VariableFact } from '@tollgate/catalog';

/** Returns true if reading a variable never fails. */
export function isAlwaysPresent({ absent, setBy }: VariableFact): boolean {
  return setBy === undefined && (absent === undefined || absent.value !== undefined);
}

/** Returns the path of a string that also has fields, which is one of its own fields. */
export function withoutStringKey(path: string): string {
  return path.endsWith(AS_STRING) ? path.slice(0, -AS_STRING.length) : path;
}

const AS_STRING = `.${STRING_KEY}`;
