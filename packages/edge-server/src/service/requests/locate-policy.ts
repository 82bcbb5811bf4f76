import { type OperationId, operationOf, type Path } from '@tollgate/edge-api';
import { isMembers, type Members, membersAt, stringAt } from '../../api/members.ts';
import type { Traffic } from '../../policy/policy-in-request.ts';

const TRAFFIC: Readonly<Record<string, Traffic>> = {
  https_edge_route: 'http',
  tls_edge: 'tls',
  tcp_edge: 'tcp',
  endpoint: 'http',
};

/** The policy in a body. */
interface LocatedPolicy {
  readonly path: Path;
  readonly value: unknown;
  readonly traffic: Traffic;
}

/** Returns the policy in a parsed body; undefined if it contains none. */
export function locatePolicy(id: OperationId, body: unknown): LocatedPolicy | undefined {
  if (!isMembers(body)) return undefined;
  const traffic = TRAFFIC[operationOf(id).record];
  const place = traffic && placeOf(id, body);
  return place && { ...place, traffic: trafficOf(body, traffic) };
}

/** A module may be wrapped, as one client does. */
function placeOf(id: OperationId, body: Members): Omit<LocatedPolicy, 'traffic'> | undefined {
  const { kind, field, record } = operationOf(id);
  if (kind === 'create' || kind === 'update') {
    if (record === 'endpoint') return textIn(body, ['traffic_policy']);
    const [object, module] = [membersAt(body, 'policy'), membersAt(body, 'traffic_policy')];
    if (object) return { path: ['policy'], value: object };
    return module && textIn(module, ['value'], ['traffic_policy']);
  }
  if (kind !== 'replace-module' || (field !== 'policy' && field !== 'traffic_policy')) return undefined;
  const module = membersAt(body, 'module');
  const path = module ? ['module'] : [];
  if (field === 'policy') return { path, value: module ?? body };
  return textIn(module ?? body, ['value'], path);
}

function textIn(
  body: Members,
  [key]: readonly [string],
  before: Path = [],
): Omit<LocatedPolicy, 'traffic'> | undefined {
  const value = stringAt(body, key);
  return value === undefined || value === '' ? undefined : { path: [...before, key], value };
}

/** Returns the kind of traffic that an endpoint's URL implies. */
function trafficOf(body: Members, known: Traffic): Traffic {
  const url = stringAt(body, 'url') ?? '';
  return url.startsWith('tls:') ? 'tls' : url.startsWith('tcp:') ? 'tcp' : known;
}
