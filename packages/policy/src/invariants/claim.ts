import type { TypedAst } from '@tollgate/cel';
import type { Rule } from '../model/policy.ts';

/** An invariant without errors. */
export interface Invariant {
  readonly name: string;
  readonly claim: Claim;
}

/** What an invariant claims of all traffic. */
export type Claim =
  /** The condition is true for no request. */
  | { readonly kind: 'never'; readonly typed: TypedAst }
  /** The condition is true for each request; an evaluation error is not. */
  | { readonly kind: 'always'; readonly typed: TypedAst }
  /** Where the first condition is true, the second is true as well. */
  | { readonly kind: 'implies'; readonly when: TypedAst; readonly typed: TypedAst }
  | { readonly kind: 'unreachable'; readonly rule: Rule }
  | { readonly kind: 'never_fails'; readonly rule: Rule };
