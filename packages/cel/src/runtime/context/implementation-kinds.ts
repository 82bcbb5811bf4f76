import type { Implementation, ImplementationFunction } from './implementation.ts';

/** An implementation that always returns a value. */
export function total(call: ImplementationFunction): Implementation {
  return { call, total: true };
}

/** An implementation that may return an error or an unknown. */
export function partial(call: ImplementationFunction): Implementation {
  return { call, total: false };
}

/** An implementation that may fail and takes the run context as its first argument. */
export function inContext(call: ImplementationFunction): Implementation {
  return { call, total: false, needsContext: true };
}
