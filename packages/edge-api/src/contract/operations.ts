import type { Operation } from '../definition/operation.ts';
import { EDGE_OPERATIONS } from './operations/edges.ts';
import { OTHER_OPERATIONS } from './operations/others.ts';

/** Every operation of the API by its id. */
export const OPERATIONS = { ...EDGE_OPERATIONS, ...OTHER_OPERATIONS } as const;

/** The id of an operation. */
export type OperationId = keyof typeof OPERATIONS;

/** Every operation's id. */
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

/** An operation by its id, in its general form. */
export function operationOf(id: OperationId): Operation {
  return OPERATIONS[id];
}

/** The operations that part A lists in its section 4.1; all others are of part B. */
export const PART_A_OPERATIONS = [
  'EdgesHttpsCreate',
  'EdgesHttpsGet',
  'EdgesHttpsList',
  'EdgesHttpsUpdate',
  'EdgeRouteWebhookVerificationModuleReplace',
  'EdgeRouteWebhookVerificationModuleGet',
  'EdgeRouteWebhookVerificationModuleDelete',
  'EdgeRoutePolicyModuleReplace',
  'EdgeRoutePolicyModuleGet',
  'EdgeRoutePolicyModuleDelete',
  'TlsEdgePolicyModuleReplace',
  'TlsEdgePolicyModuleGet',
  'TlsEdgePolicyModuleDelete',
  'TcpEdgePolicyModuleReplace',
  'TcpEdgePolicyModuleGet',
  'TcpEdgePolicyModuleDelete',
  'TlsEdgeIpRestrictionModuleReplace',
  'TlsEdgeIpRestrictionModuleGet',
  'FailoverBackendsCreate',
  'FailoverBackendsDelete',
  'EventSourcesCreate',
  'EventSourcesDelete',
] as const satisfies readonly OperationId[];

const IN_PART_A: ReadonlySet<OperationId> = new Set(PART_A_OPERATIONS);

/** Where the contract names an operation: part and section. */
export function sourceOf(id: OperationId): string {
  return IN_PART_A.has(id) ? 'A 4' : 'B 1.2';
}

/** The operations that part A marks as unstable, its section 9. */
export const UNSTABLE_OPERATIONS = [
  'EdgeRoutePolicyModuleReplace',
  'EdgeRoutePolicyModuleGet',
  'EdgeRoutePolicyModuleDelete',
  'TlsEdgePolicyModuleReplace',
  'TlsEdgePolicyModuleGet',
  'TlsEdgePolicyModuleDelete',
  'TcpEdgePolicyModuleReplace',
  'TcpEdgePolicyModuleGet',
  'TcpEdgePolicyModuleDelete',
] as const satisfies readonly OperationId[];
