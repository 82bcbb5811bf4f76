import type { Profile } from '@tollgate/catalog';

/** Bounds on documents, so that a hostile one costs no more than a message. */
export interface DocumentLimits {
  /** UTF-16 units. */
  readonly maxDocumentSize: number;
  /** Lists and maps inside each other. */
  readonly maxDocumentDepth: number;
  /** Values, those behind aliases counted as often as they are referred to. */
  readonly maxDocumentNodes: number;
  /** Signs and texts that YAML is made of. */
  readonly maxDocumentTokens: number;
}

/** The bounds of a profile. */
export function documentLimits(profile: Profile): DocumentLimits {
  return {
    maxDocumentSize: limitOf(profile, 'maxDocumentSize', 1_000_000),
    maxDocumentDepth: limitOf(profile, 'maxDocumentDepth', 64),
    maxDocumentNodes: limitOf(profile, 'maxDocumentNodes', 100_000),
    maxDocumentTokens: limitOf(profile, 'maxDocumentTokens', 400_000),
  };
}

/** How many diagnostics about one text are given at most. */
export function maxDiagnostics(profile: Profile): number {
  return limitOf(profile, 'maxDiagnostics', 200);
}

/** A limit by its name. */
export function limitOf(profile: Profile, name: string, otherwise: number): number {
  return profile.limits.find(one => one.name === name)?.value ?? otherwise;
}
