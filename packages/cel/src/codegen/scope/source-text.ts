import type { Integer } from '../../ast/ast.ts';

/** A string as a JavaScript literal. The only way by which text of the user reaches generated source. */
export function stringCode(text: string): string {
  if (PLAIN_TEXT.test(text)) return `"${text}"`;
  // U+2028 and U+2029 may stand in string literals since ECMAScript 2019.
  return JSON.stringify(text);
}

/** An int or uint as a JavaScript expression that stands in any position. */
export function integerCode(value: Integer): string {
  if (typeof value === 'bigint') return value < 0n ? `(${value}n)` : `${value}n`;
  return value < 0 ? `(${value})` : `${value + 0}`;
}

/** A double as a JavaScript expression that stands in any position. */
export function doubleCode(value: number): string {
  if (Object.is(value, -0)) return '(-0)';
  return value < 0 ? `(${value})` : `${value}`;
}

/** Nothing to escape: most texts, and quicker to tell than to escape. */
const PLAIN_TEXT = /^[\w ./:*+-]*$/;

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** How to read a property: `.name` where that is possible, `["name"]` otherwise; `optional` puts `?.` before it. */
export function propertyCode(name: string, optional: boolean): string {
  if (PLAIN_NAME.test(name)) return optional ? `?.${name}` : `.${name}`;
  return optional ? `?.[${stringCode(name)}]` : `[${stringCode(name)}]`;
}

/** Plain data (types, limits, paths) as a JavaScript expression. */
export function dataCode(data: unknown): string {
  if (typeof data === 'string') return stringCode(data);
  if (Array.isArray(data)) return `[${data.map(dataCode).join(',')}]`;
  if (typeof data === 'bigint') return integerCode(data);
  if (typeof data !== 'object' || data === null) return String(data);
  const fields = Object.entries(data).filter(([, value]) => value !== undefined);
  // A computed key is an own property whatever its name is, `__proto__` included.
  return `{${fields.map(([key, value]) => `[${stringCode(key)}]:${dataCode(value)}`).join(',')}}`;
}
