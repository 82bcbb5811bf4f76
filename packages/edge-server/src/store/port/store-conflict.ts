import type { Claim } from './store.ts';

/** Why a record cannot be written. */
export type Conflict =
  | { readonly kind: 'claim-taken'; readonly claim: Claim; readonly by: string | undefined }
  | { readonly kind: 'no-such-record'; readonly ids: readonly string[] }
  | { readonly kind: 'still-referenced'; readonly id: string; readonly by: readonly string[] };

/** A conflict between records, which rolls back the transaction. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
  readonly conflict: Conflict;

  constructor(conflict: Conflict) {
    super(`conflict: ${conflict.kind}`);
    this.conflict = conflict;
  }
}
