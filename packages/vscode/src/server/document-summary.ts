/** What the server says about an open document: the answer to `tollgate/document`. */
export interface DocumentSummary {
  readonly kind: 'policy' | 'tests' | 'invariants' | 'edge' | 'project' | 'carrier' | 'other';
  readonly targets: readonly { readonly profile: string; readonly endpoint: string }[];
  readonly project: string | null;
  readonly failures: readonly string[];
}
