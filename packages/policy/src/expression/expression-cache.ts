import {
  createTemplate,
  type Environment,
  type ExpressionShape,
  fillTemplate,
  shapeOf,
  type TreeTemplate,
} from '@tollgate/cel';
import { type CheckedExpression, checkCondition, checkExpression, type ExpressionContext } from './check-expression.ts';

/**
 * Results of checking expressions, by environment: policies share many, or have the like of them with other texts and numbers. Whoever
 * owns it shares it between analyses and drops it with the environments.
 */
export interface ExpressionCache {
  /** How many results are kept of one environment; the first that is one too many empties the cache. */
  readonly maxEntries: number;
  readonly conditions: Map<Environment, Results>;
  /** Of expressions that may be of any type: a condition of the same text must be a bool. */
  readonly others: Map<Environment, Results>;
  /** Hashes and texts of what was checked once, where only what comes up again is kept. */
  readonly once: Set<string | number> | undefined;
}

/** What is known in one environment. */
export interface Results {
  /** By the hash of a shape, what the trees of that shape are made of: each was checked without findings. */
  readonly byShape: Map<number, TreeTemplate>;
  /** All else. */
  readonly byText: Map<string, CheckedExpression>;
}

/** An empty cache for {@link AnalysisOptions.expressions}. */
export function createExpressionCache(maxEntries = 5000): ExpressionCache {
  return { maxEntries, conditions: new Map(), others: new Map(), once: undefined };
}

/**
 * As {@link createExpressionCache}, but a result is kept only when its like comes up again: for many policies that have little in
 * common. Their trees would be moved about in memory, and fill it, for nothing.
 */
export function createRepeatCache(maxEntries = 5000): ExpressionCache {
  return { ...createExpressionCache(maxEntries), once: new Set() };
}

/** As {@link checkCondition}, but what is in the cache is not checked again. */
export function checkCached(
  source: string,
  context: ExpressionContext,
  cache: ExpressionCache | undefined,
): CheckedExpression {
  if (!cache) return checkCondition(source, context);
  const asked = { source, shape: shapeOf(source), results: resultsOf(cache.conditions, context.environment) };
  return find(asked) ?? keep(checkCondition(source, context), asked, context, cache);
}

/** As {@link checkExpression}, but what is in the cache is not checked again. */
export function checkAnyCached(
  source: string,
  context: ExpressionContext,
  cache: ExpressionCache | undefined,
): CheckedExpression {
  if (!cache) return checkExpression(source, context);
  const asked = { source, shape: shapeOf(source), results: resultsOf(cache.others, context.environment) };
  return find(asked) ?? keep(checkExpression(source, context), asked, context, cache);
}

interface Asked {
  readonly source: string;
  readonly shape: ExpressionShape | undefined;
  readonly results: Results;
}

function find({ source, shape, results }: Asked): CheckedExpression | undefined {
  const template = shape && results.byShape.get(shape.hash);
  const typed = template && fillTemplate(template, source, shape);
  return typed ? { typed, diagnostics: NONE } : results.byText.get(source);
}

const NONE: CheckedExpression['diagnostics'] = [];

function keep(
  checked: CheckedExpression,
  { source, shape, results: { byShape, byText } }: Asked,
  { environment }: ExpressionContext,
  { once, maxEntries }: ExpressionCache,
): CheckedExpression {
  const { typed, diagnostics } = checked;
  const isLike = typed !== undefined && diagnostics.length === 0 && shape !== undefined && !byShape.has(shape.hash);
  if (once && isNew(isLike ? shape.hash : source, once, maxEntries)) return checked;
  if (byShape.size + byText.size >= maxEntries) {
    byShape.clear();
    byText.clear();
  }
  const template = isLike ? createTemplate(typed, shape, environment) : undefined;
  if (template && shape) byShape.set(shape.hash, template);
  else byText.set(source, checked);
  return checked;
}

/** Remembers the key where it is. */
function isNew(key: string | number, once: Set<string | number>, maxEntries: number): boolean {
  if (once.has(key)) return false;
  if (once.size >= maxEntries) once.clear();
  once.add(key);
  return true;
}

function resultsOf(all: Map<Environment, Results>, environment: Environment): Results {
  const known = all.get(environment);
  if (known) return known;
  const results = { byShape: new Map(), byText: new Map() };
  all.set(environment, results);
  return results;
}
