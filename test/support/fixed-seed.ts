import fc from 'fast-check';
import { runs, seed } from './runs.ts';

/**
 * Properties draw from the seed of all random tests, so that a change, and not chance, decides whether `npm test` passes. Those
 * that do not say otherwise try few cases there.
 */
fc.configureGlobal({ seed: seed(20_261_122, 'TOLLGATE_SEED'), numRuns: runs(40, 200) });
