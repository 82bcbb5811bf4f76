// Targets, their addresses, and the live records at these addresses.

import {
  type Canonical,
  canonicalModule,
  MODULES,
  type ModuleName,
  type RecordKind,
  type RecordRef,
} from './module.ts';

/** A record as the API returned it: in a list, or alone. */
export interface LiveRecord {
  readonly ref: RecordRef;
  /** The hostports of the edge, or of the edge of a route. */
  readonly hostports: readonly string[];
  /** What a route matches. */
  readonly route: { readonly match: string; readonly matchType: string } | undefined;
  readonly modules: Readonly<Record<ModuleName, Canonical>>;
  /** Whatever its users keep there; empty if nothing. */
  readonly metadata: string;
}

/** All edges and routes of some kinds. */
export interface LiveEdges {
  readonly kinds: readonly RecordKind[];
  readonly records: readonly LiveRecord[];
}

/** A live record, or why there is not exactly one. */
export type Located = { readonly record: LiveRecord } | { readonly fault: string };

/** Returns a function that finds the record of an address. */
export function createLocator({ records }: Pick<LiveEdges, 'records'>): (address: TargetAddress) => Located {
  const byEdge = new Map<string, LiveRecord[]>();
  for (const record of records) {
    const { ref, hostports } = record;
    const names = [ref.edgeId ?? ref.id, ...hostports.map(one => one.toLowerCase())];
    for (const name of new Set(names)) {
      const key = `${ref.kind} ${name}`;
      const same = byEdge.get(key);
      if (same) same.push(record);
      else byEdge.set(key, [record]);
    }
  }
  return address =>
    locate(
      address,
      byEdge.get(`${address.kind} ${address.edge}`) ??
        byEdge.get(`${address.kind} ${address.edge.toLowerCase()}`) ??
        [],
    );
}

function locate(address: TargetAddress, ofEdge: readonly LiveRecord[]): Located {
  const { edge, route } = address;
  const edges = [...new Set(ofEdge.map(({ ref }) => ref.edgeId ?? ref.id))];
  if (edges.length > 1)
    return { fault: `${edges.length} edges have the hostport \`${edge}\`: ${edges.join(', ')}; use an id` };
  const found = route === undefined ? ofEdge : ofEdge.filter(record => isRoute(record, route));
  if (found.length === 1) return { record: found[0]! };
  if (found.length > 1)
    return { fault: `${found.length} routes of \`${edge}\` match \`${route?.match}\`; set \`matchType\` or \`id\`` };
  return { fault: `there is no ${describeAddress(address)}; check the id or hostport` };
}

function isRoute({ ref, route }: LiveRecord, wanted: NonNullable<TargetAddress['route']>): boolean {
  if (wanted.id !== undefined) return ref.id === wanted.id;
  return route?.match === wanted.match && (wanted.matchType ?? route?.matchType) === route?.matchType;
}

/** Returns the modules of an API record. */
export function modulesOf(record: Readonly<Record<string, unknown>>): LiveRecord['modules'] {
  // A record shows a policy in the form that can represent it.
  const whole = { ...record, policy: record.policy ?? record.traffic_policy };
  const entries = MODULES.map(module => [module, canonicalModule(module, whole[module as keyof typeof whole])]);
  return Object.fromEntries(entries) as LiveRecord['modules'];
}

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
