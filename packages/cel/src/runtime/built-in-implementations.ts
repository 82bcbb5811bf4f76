import type { Implementation } from './context/implementation.ts';
import { EXTENSION_IMPLEMENTATIONS } from './extension-implementations.ts';
import { STANDARD_IMPLEMENTATIONS } from './implementations.ts';

/** By overload id, the code of all that the standard and extension libraries declare. */
export const BUILT_IN_IMPLEMENTATIONS: ReadonlyMap<string, Implementation> = new Map(
  Object.entries({ ...STANDARD_IMPLEMENTATIONS, ...EXTENSION_IMPLEMENTATIONS }),
);
