import type { Integer } from '../../ast/ast.ts';

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
