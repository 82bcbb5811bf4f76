import type { RecordKindName } from '@tollgate/edge-api';
import { type Members, stringAt, stringsAt } from '../../api/members.ts';
import type { Claim } from '../../store/port/store.ts';

/** The unique values that a record claims, by kind. */
const CLAIMS: Partial<Record<RecordKindName, (body: Members, parentId: string | null) => readonly Claim[]>> = {
  https_edge: hostports,
  tls_edge: hostports,
  tcp_edge: hostports,
  https_edge_route: (body, edgeId) => [
    { scope: `match ${edgeId}`, value: `${stringAt(body, 'match_type')} ${stringAt(body, 'match')}` },
  ],
  ip_policy_rule: (body, policyId) => [
    { scope: `cidr ${policyId}`, value: (stringAt(body, 'cidr') ?? '').toLowerCase() },
  ],
  reserved_domain: body => [{ scope: 'domain', value: stringAt(body, 'domain') ?? '' }],
  reserved_addr: body => [{ scope: 'address', value: stringAt(body, 'addr') ?? '' }],
};

/** Returns the claims of a record with this body. */
export function claimsOf(kind: RecordKindName, body: Members, parentId: string | null): readonly Claim[] {
  return CLAIMS[kind]?.(body, parentId) ?? [];
}

/** Hostports are unique across edges of all kinds. */
function hostports(body: Members): readonly Claim[] {
  return stringsAt(body, 'hostports').map(hostport => ({ scope: 'hostport', value: hostport.toLowerCase() }));
}
