import type { Expr } from '@tollgate/cel';
/** What is written after each node, to tell more of it: its kind, or its type and what it refers to. */
export interface Adorner {
  readonly expr: (expr: Expr) => string;
  /** After an entry of a map or a field of a message. */
  readonly entry: string;
}
/** The kinds of nodes under the names that the reference implementation gives them. */
export declare const KIND_ADORNER: Adorner;
/** The tree in the debug form of the reference implementation, which the suites hold. */
export declare function toDebugString(expr: Expr, adorner: Adorner): string;
//# sourceMappingURL=debug-string.d.ts.map
