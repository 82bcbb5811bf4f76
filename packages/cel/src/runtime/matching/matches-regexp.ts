import { compileMatcher } from '../../regex/compile-matcher.ts';
import { EvaluationError } from '../../values/value.ts';
import type { RunContext } from '../context/implementation.ts';
import { chargePattern } from './charge-pattern.ts';

/**
 * Implements `matches` without the RE2 engine, for a pattern that is computed at run time: patterns that V8 cannot run in linear time are
 * `eval/no-pattern-engine`.
 */
export function matchesRegExp(context: RunContext, text: string, pattern: string): boolean | EvaluationError {
  const failure = chargePattern(context, pattern, text);
  if (failure !== undefined) return failure;
  const compiled = context.regexps.get(pattern, source => compileMatcher(source, context.limits));
  return compiled instanceof EvaluationError ? compiled : compiled.test(text);
}
