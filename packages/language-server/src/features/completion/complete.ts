import { type ExpressionPosition, expressionBefore } from '../../cel/expression-place.ts';
import { shapeAt } from '../../cursor/document-shape.ts';
import { contextAt } from '../../cursor/position-context.ts';
import { shapedDocument } from '../../cursor/shaped-document.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { completeComment } from './complete-comment.ts';
import { completeExpression } from './complete-expression.ts';
import { completeKeys } from './complete-keys.ts';
import { completeValue } from './complete-value.ts';
import type { Suggestion } from './suggestion.ts';
import { nearestWord, wordRange } from './word-range.ts';

/** Returns what may stand at an offset of a document. The document may have errors anywhere. */
export function complete(snapshot: Snapshot, offset: number): readonly Suggestion[] {
  const document = shapedDocument(snapshot, offset);
  if (!document) return [];
  const { text } = snapshot.source;
  const comment = completeComment(snapshot, offset);
  if (comment) return comment;
  const context = contextAt(text, offset);
  const shape = shapeAt(context, document);
  if (!shape) return [];
  const inside = suggestionsInExpression(snapshot, offset, { context, shape, target: document.target });
  if (inside) return inside;
  const position = { snapshot, document, context, shape, offset, word: wordRange(text, context, offset) };
  const isKey = context.at === 'key' && (shape.type.kind === 'object' || shape.type.kind === 'map');
  return isKey ? completeKeys(position) : completeValue(position);
}

function suggestionsInExpression(
  snapshot: Snapshot,
  offset: number,
  where: ExpressionPosition,
): readonly Suggestion[] | undefined {
  const before = expressionBefore(snapshot, offset, where);
  const { target } = where;
  if (!before || !target) return undefined;
  const word = nearestWord(snapshot.source.text, offset);
  return completeExpression({ ...before, endpoint: target.endpoint, word });
}
