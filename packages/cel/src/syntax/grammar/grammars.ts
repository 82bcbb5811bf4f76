import { FastGrammar } from './fast-grammar.ts';
import { Grammar } from './grammar.ts';

// Making a parser takes milliseconds, so there is one of each kind, made when first needed. Parsing leaves nothing in them
// that the next parse reads, and runs to its end without giving up control.

/** Stops at the first error. */
export const FAST_GRAMMAR = once(() => new FastGrammar());

/** Goes on after errors. */
export const RECOVERING_GRAMMAR = once(() => new Grammar({ recovery: true }));

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
