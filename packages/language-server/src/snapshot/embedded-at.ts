import { offsetInPolicy } from '@tollgate/policy';
import type { AnalysedPolicy, EmbeddedSnapshot, Snapshot } from './snapshot.ts';

/** A position in a policy that a string of a document contains. */
export interface EmbeddedPosition {
  readonly inner: EmbeddedSnapshot;
  /** In the policy's own document. */
  readonly offset: number;
}

/** Returns the policy in a string at an offset of the document; undefined if the offset is the document's own. */
export function embeddedAt(snapshot: Snapshot, offset: number): EmbeddedPosition | undefined {
  for (const inner of inStrings(snapshot)) {
    const at = offsetInPolicy(inner.embedded, offset);
    if (at !== undefined) return { inner, offset: at };
  }
  return undefined;
}

/** Returns the policies in strings and code fences of a document. */
export function inStrings({ embedded }: Snapshot): readonly EmbeddedSnapshot[] {
  return embedded.filter(one => one.embedded.layers.length > 0);
}

/** Returns the policy at an address in a document, also in a string of it; without an address, the first one. */
export function policyNamed(snapshot: Snapshot, address: string | undefined): AnalysedPolicy | undefined {
  const found = [...snapshot.policies, ...inStrings(snapshot).flatMap(one => one.snapshot.policies)];
  return address === undefined ? found[0] : found.find(one => one.address === address);
}
