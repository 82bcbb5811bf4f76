import type { Operation } from '../definition/operation.ts';
import { EDGE_OPERATIONS } from './operations/edges.ts';
import { OTHER_OPERATIONS } from './operations/others.ts';

/** Every operation of the API, by id. */
export const OPERATIONS = { ...EDGE_OPERATIONS, ...OTHER_OPERATIONS } as const;

/** The id of an operation. */
export type OperationId = keyof typeof OPERATIONS;

/** The id of every operation. */
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

/** Returns the operation with this id. */
export function operationOf(id: OperationId): Operation {
  return OPERATIONS[id];
}

/** The operations of part A, section 4.1. All others are from part B. */
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

/** Returns the part and section of the contract that define an operation. */
export function sourceOf(id: OperationId): string {
  return IN_PART_A.has(id) ? 'A 4' : 'B 1.2';
}

/** The operations that part A, section 9, marks as unstable. */
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
