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
}

/** An empty cache for {@link AnalysisOptions.expressions}. */
export function createExpressionCache(maxEntries = 10_000): ExpressionCache {
  return { maxEntries, results: new Map() };
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
  if (known.size >= cache.maxEntries) known.clear();
  known.set(key, checked);
  return checked;
}

function resultsOf({ results }: ExpressionCache, environment: Environment): Map<string, CheckedExpression> {
  const known = results.get(environment) ?? new Map<string, CheckedExpression>();
  if (known.size === 0) results.set(environment, known);
  return known;
}
