import type { DocumentKind } from '../project/project.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** What a client can show about a document as a whole. */
export interface DocumentSummary {
  readonly kind: DocumentKind;
  /** What its policies are checked against, without duplicates. */
  readonly targets: readonly { readonly profile: string; readonly endpoint: string }[];
  /** The project file; null if there is none. */
  readonly project: string | null;
  /** Why settings could not be loaded, and which modules were not loaded because nobody trusts them. */
  readonly failures: readonly string[];
}

/** Returns what a document is, and what is in force for it. */
export function summarize({ kind, project, target, embedded, policies }: Snapshot): DocumentSummary {
  const found = [target, ...policies.map(one => one.target), ...embedded.map(one => one.snapshot.target)];
  const targets = found.flatMap(one => (one ? [{ profile: one.profile.name, endpoint: one.endpoint }] : []));
  const distinct = new Map(targets.map(one => [`${one.profile} ${one.endpoint}`, one]));
  return { kind, targets: [...distinct.values()], project: project.file ?? null, failures: project.failures };
}
