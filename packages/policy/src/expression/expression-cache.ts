import type { Environment } from '@tollgate/cel';
import { type CheckedExpression, checkCondition, type ExpressionContext } from './check-expression.ts';

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
  if (!cache) return checkCondition(source, context);
  const known = resultsOf(cache, context.environment);
  const found = known.get(source);
  if (found) return found;
  const checked = checkCondition(source, context);
  if (known.size >= cache.maxEntries) known.clear();
  known.set(source, checked);
  return checked;
}

function resultsOf({ results }: ExpressionCache, environment: Environment): Map<string, CheckedExpression> {
  const known = results.get(environment) ?? new Map<string, CheckedExpression>();
  if (known.size === 0) results.set(environment, known);
  return known;
}
