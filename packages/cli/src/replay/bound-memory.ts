import { holdYoungSpace, startYoungSpaceAt } from '../young-space.ts';

/**
 * Keeps V8 from growing the space of young objects, of which a replay makes nothing else: to 48 MB three times over, where a few do as well. A
 * replay of 250 MB held 196 MB so, where it held 278 MB, and took no longer.
 */
export function boundMemory(): void {
  holdYoungSpace();
}

/**
 * Lets the space of young objects of threads that start from here be of a size from which it need not grow: in a smaller one, objects of a batch
 * that is still being replayed are taken for old ones. An access log of 400 MB took half as much work again without it.
 */
export function boundMemoryOfThreads(): void {
  startYoungSpaceAt(4);
}
