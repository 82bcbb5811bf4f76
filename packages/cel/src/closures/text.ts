import type { NonValue } from '../runtime/value.ts';
import type { Binary } from './arithmetic.ts';
import type { Code, Compiler } from './code.ts';

/** Code for searching a text for a constant one, or undefined for other overloads. */
export function compileText(binary: Binary, compiler: Compiler): Code | undefined {
  const part = compiler.constantOf(binary.right);
  if (typeof part !== 'string') return undefined;
  return SEARCHES.get(binary.overloadId)?.(binary.left, part);
}

const SEARCHES: ReadonlyMap<string, (text: Code, part: string) => Code> = new Map(
  Object.entries<(text: Code, part: string) => Code>({
    contains_string: (code, part) => (activation, locals) => {
      const text = code(activation, locals);
      return typeof text === 'string' ? text.includes(part) : (text as NonValue);
    },
    starts_with_string: (code, part) => (activation, locals) => {
      const text = code(activation, locals);
      return typeof text === 'string' ? text.startsWith(part) : (text as NonValue);
    },
    ends_with_string: (code, part) => (activation, locals) => {
      const text = code(activation, locals);
      return typeof text === 'string' ? text.endsWith(part) : (text as NonValue);
    },
  }),
);
