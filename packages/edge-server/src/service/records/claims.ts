import type { RecordKindName } from '@tollgate/edge-api';
import { type Members, textAt, textsAt } from '../../api/members.ts';
import type { Claim } from '../../store/port/store.ts';

/** What a record of a kind claims for itself alone. */
const CLAIMS: Partial<Record<RecordKindName, (body: Members, parentId: string | null) => readonly Claim[]>> = {
  https_edge: hostports,
  tls_edge: hostports,
  tcp_edge: hostports,
  https_edge_route: (body, edgeId) => [
    { scope: `match ${edgeId}`, value: `${textAt(body, 'match_type')} ${textAt(body, 'match')}` },
  ],
  ip_policy_rule: (body, policyId) => [
    { scope: `cidr ${policyId}`, value: (textAt(body, 'cidr') ?? '').toLowerCase() },
  ],
  reserved_domain: body => [{ scope: 'domain', value: textAt(body, 'domain') ?? '' }],
  reserved_addr: body => [{ scope: 'address', value: textAt(body, 'addr') ?? '' }],
};

/** The claims of a record with this body. */
export function claimsOf(kind: RecordKindName, body: Members, parentId: string | null): readonly Claim[] {
  return CLAIMS[kind]?.(body, parentId) ?? [];
}

/** Edges of all kinds share the hostports. */
function hostports(body: Members): readonly Claim[] {
  return textsAt(body, 'hostports').map(hostport => ({ scope: 'hostport', value: hostport.toLowerCase() }));
}
