import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** True under `npm run test:deep`. */
    readonly isDeep: boolean;
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
  return given(variable) ?? given('TOLLGATE_SEED') ?? (inject('isDeep') ? Math.floor(Math.random() * 2 ** 31) : usual);
}

function given(variable: string): number | undefined {
  const number = Number(process.env[variable]);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
