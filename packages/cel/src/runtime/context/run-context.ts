import type { Limits } from '../../limits.ts';
import { BoundedCache } from './bounded-cache.ts';
import type { RunContext } from './implementation.ts';

/** Costly to create and small to keep. */
const CACHED_PATTERNS = 256;
const CACHED_TIME_ZONES = 64;

/** Returns the context for all runs of a program. */
export function createRunContext(limits: Limits): RunContext {
  return {
    limits,
    left: limits.maxSteps,
    patterns: new BoundedCache(CACHED_PATTERNS),
    regexps: new BoundedCache(CACHED_PATTERNS),
    timeZones: new BoundedCache(CACHED_TIME_ZONES),
  };
}
