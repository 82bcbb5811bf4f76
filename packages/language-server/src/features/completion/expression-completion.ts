import type { EndpointKind } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import type { ExpressionBefore } from '../../cel/expression-place.ts';

/** What completing an expression needs. */
export interface ExpressionCompletion extends ExpressionBefore {
  readonly endpoint: EndpointKind;
  /** The word at the cursor, in the document. */
  readonly word: Range;
}
