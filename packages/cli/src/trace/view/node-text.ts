import { EvaluationError, type NonValue, Unknown, type Value } from '@tollgate/cel';
import type { Style } from '@tollgate/diagnostics';
import type { SubExpression } from './sub-expression.ts';
import { valueText } from './value-text.ts';

/** The value of a subexpression in a few words. */
interface NodeText {
  readonly text: string;
  readonly style: Style;
}

/** Maximum number of values of a loop to show. */
const SHOWN = 3;

/**
 * Returns the value of a subexpression that was evaluated.
 *
 * @param most maximum length of each value, in UTF-16 code units
 */
export function nodeText({ results, count, isOrigin }: SubExpression, most: number): NodeText {
  const last = results.at(-1);
  if (results.length === 1) return resultText(last!, isOrigin, most);
  const shown = results.slice(0, SHOWN).map(result => resultText(result, isOrigin, most).text);
  const text = `${shown.join(', ')}${count > SHOWN ? `, … (${count} times)` : ''}`;
  return { text, style: styleOf(results.every(result => result === last) ? last! : '') };
}

/** Returns a result; for errors and unknowns, the reason only where they originate. */
export function resultText(result: Value | NonValue, isOrigin: boolean, most: number): NodeText {
  const style = styleOf(result);
  if (result instanceof EvaluationError) return { text: isOrigin ? `error: ${result.message}` : 'failed', style };
  if (!(result instanceof Unknown)) return { text: valueText(result, most), style };
  return { text: isOrigin ? `unknown: ${result.attributes.join(', ')}` : 'unknown', style };
}

function styleOf(result: Value | NonValue): Style {
  if (result instanceof EvaluationError) return 'error';
  if (result instanceof Unknown) return 'warning';
  return result === true ? 'hint' : 'strong';
}
