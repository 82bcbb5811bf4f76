import type { RecordKindName } from '@tollgate/edge-api';
import { cidrsBounded } from './access-rules.ts';
import { addressesReserved, domainsReserved, mutualTlsNeedsTermination } from './edge-rules.ts';
import { filesAreBelowFolder, sourcesOnce, targetKindKept, webhookIsPublic } from './event-rules.ts';
import { oneSignOnModule, oneSignOnRoute, routesBounded, signOnNeedsPath } from './route-rules.ts';
import type { Rule } from './rule.ts';

const RULES: Partial<Record<RecordKindName, readonly Rule[]>> = {
  https_edge: [domainsReserved],
  https_edge_route: [routesBounded, oneSignOnModule, oneSignOnRoute, signOnNeedsPath],
  tls_edge: [domainsReserved, mutualTlsNeedsTermination],
  tcp_edge: [addressesReserved],
  ip_policy_rule: [cidrsBounded],
  event_subscription: [sourcesOnce],
  event_destination: [targetKindKept, webhookIsPublic, filesAreBelowFolder],
};

/** Returns the rules of a record kind, in the order in which they are checked. */
export function rulesOf(kind: RecordKindName): readonly Rule[] {
  return RULES[kind] ?? [];
}
