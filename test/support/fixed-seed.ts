import fc from 'fast-check';
import { seed } from './runs.ts';

/** Properties draw from the seed of all random tests, so that a change, and not chance, decides whether `npm test` passes. */
fc.configureGlobal({ seed: seed(20_261_122, 'TOLLGATE_SEED') });
