import type { EndpointKind } from '@tollgate/catalog';

/** A policy for one task, with its tests: what `tollgate init` and `tollgate new policy` write. */
export interface PolicyTemplate {
  /** Used on the command line and as the name of its file. */
  readonly name: string;
  /** Completes the sentence "I want …". */
  readonly summary: string;
  readonly endpoint: EndpointKind;
  readonly policy: string;
  /** The test file without its first key, the path of the policy. */
  readonly tests: string;
}

/** The profile of all templates. */
export const TEMPLATE_PROFILE = 'modern';

/** The endpoint kind that policies of this profile have without settings. */
export const DEFAULT_ENDPOINT: EndpointKind = 'http-endpoint';
