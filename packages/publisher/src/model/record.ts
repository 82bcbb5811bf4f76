/** What can have a policy. */
export const RECORD_KINDS = ['https-route', 'tls-edge', 'tcp-edge'] as const;

/** One of {@link RECORD_KINDS}. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** A record of the API that contains modules. All its modules share one entity tag. */
export interface RecordRef {
  readonly kind: RecordKind;
  readonly id: string;
  /** The edge of a route. */
  readonly edgeId?: string;
}

/** The modules that can be published. */
export const MODULES = ['policy', 'webhook_verification', 'ip_restriction'] as const;

/** One of {@link MODULES}. */
export type ModuleName = (typeof MODULES)[number];

/** A module in messages. */
export const MODULE_NOUNS: Readonly<Record<ModuleName, string>> = {
  policy: 'policy',
  webhook_verification: 'webhook verification',
  ip_restriction: 'IP restriction',
};

/** Returns a key that no other record has. */
export function recordKey({ kind, id, edgeId = '' }: RecordRef): string {
  return `${kind} ${edgeId} ${id}`;
}
