import type { Profile } from '@tollgate/catalog';

/** Limits on documents, so that a hostile one costs no more than an error message. */
export interface DocumentLimits {
  /** In UTF-16 units. */
  readonly maxDocumentSize: number;
  /** Nested lists and maps. */
  readonly maxDocumentDepth: number;
  /** Values; aliased ones count each time they are referenced. */
  readonly maxDocumentNodes: number;
  /** YAML tokens. */
  readonly maxDocumentTokens: number;
}

/** Returns the document limits of a profile. */
export function documentLimits(profile: Profile): DocumentLimits {
  return {
    maxDocumentSize: limitOf(profile, 'maxDocumentSize', 1_000_000),
    maxDocumentDepth: limitOf(profile, 'maxDocumentDepth', 64),
    maxDocumentNodes: limitOf(profile, 'maxDocumentNodes', 100_000),
    maxDocumentTokens: limitOf(profile, 'maxDocumentTokens', 400_000),
  };
}

/** Returns the maximum number of diagnostics for one document. */
export function maxDiagnostics(profile: Profile): number {
  return limitOf(profile, 'maxDiagnostics', 200);
}

/** Returns a limit by its name. */
export function limitOf(profile: Profile, name: string, otherwise: number): number {
  return profile.limits.find(one => one.name === name)?.value ?? otherwise;
}
