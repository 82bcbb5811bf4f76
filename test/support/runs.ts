import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** True under `npm run test:deep`. */
    readonly isDeep: boolean;
    /** True where the contract is tested on PostgreSQL instead of SQLite. */
    readonly isOnPostgres: boolean;
  }
}

/** How often a random test tries: `quick` under `npm test`, `deep` under `npm run test:deep`, or what the environment variable says. */
export function runs(quick: number, deep: number, variable = 'FUZZ_RUNS'): number {
  return given(variable) ?? (inject('isDeep') ? deep : quick);
}

/**
 * The seed that a random test draws from: what its environment variable says, or `TOLLGATE_SEED` for all tests; otherwise the same each
 * time under `npm test`, and a new one under `npm run test:deep`.
 */
export function seed(usual: number, variable: string): number {
  return given(variable) ?? given('TOLLGATE_SEED') ?? (inject('isDeep') ? newSeed(variable) : usual);
}

/** Draws a seed, and prints how to repeat it. */
function newSeed(variable: string): number {
  const drawn = Math.floor(Math.random() * 2 ** 31);
  console.log(`${variable}=${drawn}`);
  return drawn;
}

/** How often a property is tried on smaller inputs once it has failed. */
const SHRINKS = 50;

/**
 * Returns the predicate of a property on an engine that takes a second for each input: once it has failed, it is tried on few smaller ones, and on none if
 * the engine is gone. All others count as good, so that a failure is reported within minutes.
 */
export function withFewShrinks<Args extends readonly unknown[]>(
  predicate: (...args: Args) => Promise<void>,
  shrinks = SHRINKS,
): (...args: Args) => Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  return async (...args) => {
    if (left-- <= 0) return;
    try {
      await predicate(...args);
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'engine/unreachable';
      // The first failure begins the count. What is not to be tried at all is no failure.
      if (!fc.PreconditionFailure.isFailure(error)) {
        // Smaller ones may take long.
        if (left === Number.POSITIVE_INFINITY) console.log(`failed: ${String(error)}\n${JSON.stringify(args)}`);
        left = isGone ? 0 : Math.min(left, shrinks);
      }
      throw error;
    }
  };
}

function given(variable: string): number | undefined {
  const number = Number(process.env[variable]);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
