import type { Environment } from '@tollgate/cel';
import { type CheckedExpression, checkCondition, checkExpression, type ExpressionContext } from './check-expression.ts';

/**
 * Results of checking expressions, by environment and text: policies share many, and between two versions of one nearly all are
 * the same. Whoever owns it shares it between analyses and drops it with the environments.
 */
export interface ExpressionCache {
  /** How many results are kept; the first that is one too many empties the cache. */
  readonly maxEntries: number;
  readonly results: Map<Environment, Map<string, CheckedExpression>>;
  /** What was checked once, where only what comes up again is kept. */
  readonly once: Set<string> | undefined;
}

/** An empty cache for {@link AnalysisOptions.expressions}. */
export function createExpressionCache(maxEntries = 10_000): ExpressionCache {
  return { maxEntries, results: new Map(), once: undefined };
}

/**
 * As {@link createExpressionCache}, but a result is kept only when its text comes up again: for many policies that have little in
 * common. Their trees would be moved about in memory, and fill it, for nothing.
 */
export function createRepeatCache(maxEntries = 10_000): ExpressionCache {
  return { maxEntries, results: new Map(), once: new Set() };
}

/** As {@link checkCondition}, but what is in the cache is not checked again. */
export function checkCached(
  source: string,
  context: ExpressionContext,
  cache: ExpressionCache | undefined,
): CheckedExpression {
  return cached(`condition ${source}`, context.environment, cache, () => checkCondition(source, context));
}

/** As {@link checkExpression}, but what is in the cache is not checked again. */
export function checkAnyCached(
  source: string,
  context: ExpressionContext,
  cache: ExpressionCache | undefined,
): CheckedExpression {
  // The same text may be a condition elsewhere, which must be a bool.
  return cached(`any ${source}`, context.environment, cache, () => checkExpression(source, context));
}

function cached(
  key: string,
  environment: Environment,
  cache: ExpressionCache | undefined,
  check: () => CheckedExpression,
): CheckedExpression {
  if (!cache) return check();
  const known = resultsOf(cache, environment);
  const found = known.get(key);
  if (found) return found;
  const checked = check();
  if (cache.once && isNew(key, cache.once, cache.maxEntries)) return checked;
  if (known.size >= cache.maxEntries) known.clear();
  known.set(key, checked);
  return checked;
}

/** Remembers the text where it is. */
function isNew(key: string, once: Set<string>, maxEntries: number): boolean {
  if (once.has(key)) return false;
  if (once.size >= maxEntries) once.clear();
  once.add(key);
  return true;
}

function resultsOf({ results }: ExpressionCache, environment: Environment): Map<string, CheckedExpression> {
  const known = results.get(environment) ?? new Map<string, CheckedExpression>();
  if (known.size === 0) results.set(environment, known);
  return known;
}
