import type { DiagnosticArgs, Range } from '@tollgate/diagnostics';
import type { CallExpr } from '../../ast/ast.ts';
import type { Type } from '../../types/type.ts';

/** How the checker verifies a string literal in calls of an overload, so that a mistake is found before the expression runs. */
export type ConstantCheck =
  /** The argument at this index is a regular expression. */
  | { readonly kind: 'pattern'; readonly arg: number }
  /** The first argument is converted; `convert` returns undefined or an `EvaluationError` if it fails. */
  | { readonly kind: 'conversion'; readonly convert: (text: string) => unknown; readonly expected: string }
  /** The target is a format. */
  | { readonly kind: 'format'; readonly faultsOf: (call: CallExpr, format: ConstantFormat) => readonly FormatFault[] };

/** A constant format string, with the types of the nodes of the expression by id. */
export interface ConstantFormat {
  readonly text: string;
  readonly range: Range;
  /** Converts an offset in `text` to a range of the source. */
  readonly rangeAt: (offset: number) => Range;
  readonly types: readonly (Type | undefined)[];
}

/** A reason why formatting fails in every run. */
export interface FormatFault {
  readonly message: string;
  readonly range: Range;
  readonly args: DiagnosticArgs;
}
