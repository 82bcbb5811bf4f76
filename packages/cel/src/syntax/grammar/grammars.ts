import { Grammar } from './grammar.ts';

// Creating a parser takes milliseconds, so there is one of each kind, created on first use. A parse keeps no state for the next one and is
// synchronous.

/** For valid expressions. It has no error recovery, which takes time, and stops at the first error. */
export const FAST_GRAMMAR = once(() => new Grammar({ recovery: false }));

/** Continues after errors. */
export const RECOVERING_GRAMMAR = once(() => new Grammar({ recovery: true }));

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
