import type { Environment } from '@tollgate/cel';
import {
  createTemplate,
  type ExpressionSkeleton,
  instantiateTemplate,
  skeletonOf,
  type TreeTemplate,
} from '@tollgate/cel/tooling';
import { hasStandIns } from '../embedded/placeholders.ts';
import { type CheckedExpression, checkCondition, checkExpression, type ExpressionContext } from './check-expression.ts';

/**
 * Results of checking expressions, by environment: policies share many, or differ only in literals. The
 * owner shares it between analyses and drops it together with the environments.
 */
export interface ExpressionCache {
  /** Maximum number of results per environment; exceeding it empties the cache. */
  readonly maxEntries: number;
  readonly conditions: Map<Environment, Results>;
  /** Results of expressions of any type: the same source as a condition must be a bool. */
  readonly others: Map<Environment, Results>;
  /** Hashes and sources of what was checked once; undefined if results are cached immediately. */
  readonly once: Set<string | number> | undefined;
}

/** The results in one environment. */
interface Results {
  /** Templates of expressions without findings, by the hash of their shape. */
  readonly byShape: Map<number, TreeTemplate>;
  /** All other results, by source. */
  readonly byText: Map<string, CheckedExpression>;
}

/** Creates a cache for {@link AnalysisOptions.expressions}. */
export function createExpressionCache(maxEntries = 5000): ExpressionCache {
  return { maxEntries, conditions: new Map(), others: new Map(), once: undefined };
}

/**
 * Like {@link createExpressionCache}, but keeps a result only when an expression of the same shape recurs: for many
 * policies with little in common, whose trees would only fill memory.
 */
export function createRepeatCache(maxEntries = 5000): ExpressionCache {
  return { ...createExpressionCache(maxEntries), once: new Set() };
}

/** Like {@link checkCondition}, with a cache. */
export function checkCached(
  source: string,
  context: ExpressionContext,
  cache: ExpressionCache | undefined,
): CheckedExpression {
  if (!cache) return checkCondition(source, context);
  const question = { source, shape: shapeOf(source), results: resultsOf(cache.conditions, context.environment) };
  return find(question) ?? keep(checkCondition(source, context), question, context, cache);
}

/** Like {@link checkExpression}, with a cache. */
export function checkAnyCached(
  source: string,
  context: ExpressionContext,
  cache: ExpressionCache | undefined,
): CheckedExpression {
  if (!cache) return checkExpression(source, context);
  const question = { source, shape: shapeOf(source), results: resultsOf(cache.others, context.environment) };
  return find(question) ?? keep(checkExpression(source, context), question, context, cache);
}

/** Strings with placeholders are unknown, so that they do not only differ in their values from others. */
function shapeOf(source: string): ExpressionSkeleton | undefined {
  return hasStandIns(source) ? undefined : skeletonOf(source);
}

interface Question {
  readonly source: string;
  readonly shape: ExpressionSkeleton | undefined;
  readonly results: Results;
}

function find({ source, shape, results }: Question): CheckedExpression | undefined {
  const template = shape && results.byShape.get(shape.hash);
  const typed = template && instantiateTemplate(template, source, shape);
  return typed ? { typed, diagnostics: NO_DIAGNOSTICS } : results.byText.get(source);
}

const NO_DIAGNOSTICS: CheckedExpression['diagnostics'] = [];

function keep(
  checked: CheckedExpression,
  { source, shape, results: { byShape, byText } }: Question,
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

/** Returns true the first time it sees a key. */
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
