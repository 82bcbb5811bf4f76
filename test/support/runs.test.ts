import { ExternalError } from '@tollgate/diagnostics';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withFewShrinks } from './runs.ts';

/** Returns how often a property was tried that always fails. */
async function triedOf(error: Error): Promise<number> {
  let tried = 0;
  const predicate = withFewShrinks(async (_: string) => {
    tried++;
    throw error;
  }, 20);
  const text = fc.string({ minLength: 100, maxLength: 100 });
  await expect(fc.assert(fc.asyncProperty(text, predicate), { seed: 1 })).rejects.toMatchObject({ cause: error });
  return tried;
}

it('tries a property that failed on few smaller inputs, and says why it failed', async () => {
  expect(await triedOf(new Error('the figures differ'))).toBe(21);
});

it('tries no smaller inputs once the engine is gone', async () => {
  expect(await triedOf(new ExternalError('engine/unreachable', 'cannot reach Trino'))).toBe(1);
});

it('leaves inputs that are not to be tried to the property', async () => {
  let tried = 0;
  const predicate = withFewShrinks(async (value: number) => {
    fc.pre(value % 2 === 0);
    tried++;
  }, 0);
  await fc.assert(fc.asyncProperty(fc.nat(), predicate), { numRuns: 30, seed: 1 });
  expect(tried).toBe(30);
});
