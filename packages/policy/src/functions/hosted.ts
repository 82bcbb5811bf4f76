import type { FunctionFact } from '@tollgate/catalog';
import { EvaluationError, type Implementation, NonValue, toHost, type Value } from '@tollgate/cel';

/** What the result must be in JavaScript, by the beginning of its type. */
const IS_OF: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  bool: value => typeof value === 'boolean',
  int: value => Number.isSafeInteger(value),
  double: value => typeof value === 'number',
  list: Array.isArray,
  map: value => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Runs a function of the user's. It may throw and give anything: both are evaluation errors. */
export function hosted({ name, result, implementation }: FunctionFact): Implementation {
  const call = implementation as (...args: unknown[]) => unknown;
  const isOfResult = IS_OF[result.replace(/\(.*/s, '')] ?? (() => true);
  const wrongResult = new EvaluationError('eval/host-type', `\`${name}()\` gave a value that is not of type ${result}`);
  return {
    total: false,
    call: (...args: Value[]) => {
      const plain = args.map(toHost);
      const unknown = plain.find(arg => arg instanceof NonValue);
      if (unknown instanceof NonValue) return unknown;
      try {
        const value = call(...plain);
        return isOfResult(value) ? (value as Value) : wrongResult;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return new EvaluationError('eval/extension-failed', `\`${name}()\` failed: ${message}`);
      }
    },
  };
}
