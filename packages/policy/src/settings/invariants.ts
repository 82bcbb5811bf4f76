import type { EndpointKind } from '@tollgate/catalog';

/** A file of invariants, as written. */
export interface Invariants {
  /** Relative to the file; followed by `#` and a path if the policy is a part of a file. */
  readonly policy: string;
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  /** Overrides what the policy says. */
  readonly enabled?: boolean;
  readonly invariants: readonly WrittenInvariant[];
}

/** What must hold for all traffic, as written: exactly one claim. */
export interface WrittenInvariant {
  readonly name: string;
  readonly never?: string;
  readonly always?: string;
  readonly when?: string;
  readonly implies?: string;
  /** A rule, by name, or by phase and number. */
  readonly unreachable?: string;
  /** A rule, as above. */
  readonly never_fails?: string;
}
