import type { Canonical } from '../model/canonical.ts';
import type { ModuleName, RecordKind } from '../model/record.ts';

/** Where a target is, as the project file says. */
export interface TargetAddress {
  readonly kind: RecordKind;
  /** The id of the edge, or one of its hostports. */
  readonly edge: string;
  /** Undefined for edges. */
  readonly route: { readonly id?: string; readonly match?: string; readonly matchType?: string } | undefined;
}

/** A target: an address and the modules it is to have. Other modules at the address are left as they are. */
export interface Target {
  readonly name: string;
  readonly address: TargetAddress;
  readonly modules: readonly WantedModule[];
  /** Whether unknown live rules may be removed. */
  readonly allowErase: boolean;
}

/** A module that a target is to have. */
export interface WantedModule {
  readonly module: ModuleName;
  /** Null to remove the module. */
  readonly value: Canonical;
  /** The source file and its contents. Undefined for modules that the project file itself describes. */
  readonly source: { readonly path: string; readonly text: string } | undefined;
}

/** Returns an address in words. */
export function describeAddress({ kind, edge, route }: TargetAddress): string {
  if (kind === 'tls-edge') return `TLS edge ${edge}`;
  if (kind === 'tcp-edge') return `TCP edge ${edge}`;
  return `route ${route?.id ?? `${route?.match}${route?.matchType === 'exact_path' ? ' (exact)' : ''}`} of ${edge}`;
}
