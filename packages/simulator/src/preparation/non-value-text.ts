import { EvaluationError, type NonValue, Unknown } from '@tollgate/cel';

/** The same for what says the same. */
export function nonValueText(result: NonValue): string {
  if (result instanceof EvaluationError) return `${result.code}\n${result.exprId}\n${result.message}`;
  return `${result.constructor.name}\n${result instanceof Unknown ? result.attributes.join('\n') : ''}`;
}
