import type { FunctionFact } from '@tollgate/catalog';
import { type Implementation, NonValue, toHost, type Value } from '@tollgate/cel';

/** Wraps an extension's JavaScript function. The environment checks what it throws and returns. */
export function hosted({ implementation }: FunctionFact): Implementation {
  const call = implementation as (...args: unknown[]) => unknown;
  return {
    total: false,
    call: (...args: Value[]) => {
      const plain = args.map(toHost);
      const unknown = plain.find(arg => arg instanceof NonValue);
      return unknown instanceof NonValue ? unknown : (call(...plain) as Value);
    },
  };
}
