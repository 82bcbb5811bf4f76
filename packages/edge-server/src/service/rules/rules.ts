import type { RecordKindName } from '@tollgate/edge-api';
import { addressesReserved, domainsReserved, mutualTlsNeedsTermination } from './edge-rules.ts';
import { filesAreBelowFolder, sourcesOnce, targetKindKept, webhookIsPublic } from './event-rules.ts';
import { oneSignOnModule, oneSignOnRoute, signOnNeedsPath } from './route-rules.ts';
import type { Rule } from './rule.ts';

const RULES: Partial<Record<RecordKindName, readonly Rule[]>> = {
  https_edge: [domainsReserved],
  https_edge_route: [oneSignOnModule, oneSignOnRoute, signOnNeedsPath],
  tls_edge: [domainsReserved, mutualTlsNeedsTermination],
  tcp_edge: [addressesReserved],
  event_subscription: [sourcesOnce],
  event_destination: [targetKindKept, webhookIsPublic, filesAreBelowFolder],
};

/** The rules of a kind of record, in the order in which they are checked. */
export function rulesOf(kind: RecordKindName): readonly Rule[] {
  return RULES[kind] ?? [];
}
