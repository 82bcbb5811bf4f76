import { type OperationId, operationOf } from '../contract/operations.ts';
import { kindOfIdentifier } from '../definition/identifiers.ts';
import { WIRE } from '../definition/wire.ts';
import { quoted } from './expected.ts';
import { type Fault, faultAt, shown } from './fault.ts';

/** The result of validating a query: page and filters, or all faults. */
export type QueryValidation =
  | {
      readonly ok: true;
      readonly limit: number;
      readonly beforeId?: string;
      /** A CEL expression over `obj`, which has not been parsed yet. */
      readonly filter?: string;
      readonly filters: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly faults: readonly [Fault, ...Fault[]] };

const { paging } = WIRE;

/** Validates the query parameters of an operation and returns all faults. */
export function validateQuery(id: OperationId, query: URLSearchParams): QueryValidation {
  const operation = operationOf(id);
  const supported = [...(operation.paged ? paging.parameters : []), ...(operation.query ?? [])];
  const faults: Fault[] = [];
  const given = new Map<string, string>();
  for (const [name, value] of query) {
    const known = name === 'beforeId' ? paging.aliases.beforeId : name;
    if (!supported.includes(known))
      faults.push(faultAt([name], 231, { value: shown(name), expected: quoted(supported) || 'none' }));
    else if (given.has(known)) faults.push(faultAt([name], 232, { value: shown(name) }));
    else given.set(known, value);
  }
  faults.push(...limitFaults(given.get('limit')), ...beforeFaults(given.get('before_id')));
  const [first, ...rest] = faults;
  if (first !== undefined) return { ok: false, faults: [first, ...rest] };
  const beforeId = given.get('before_id');
  const filter = given.get('filter');
  const filters = Object.fromEntries([...given].filter(([name]) => operation.query?.includes(name)));
  return {
    ok: true,
    limit: Number(given.get('limit') || paging.defaultLimit),
    ...(beforeId ? { beforeId } : {}),
    ...(filter ? { filter } : {}),
    filters,
  };
}

/** Empty parameters count as not given, because some clients send them. */
function limitFaults(limit: string | undefined): readonly Fault[] {
  if (limit === undefined || limit === '') return [];
  if (!/^[+-]?\d+$/.test(limit)) return [faultAt(['limit'], 244, { value: shown(limit) })];
  const inRange = Number(limit) >= paging.minLimit && Number(limit) <= paging.maxLimit;
  return inRange ? [] : [faultAt(['limit'], 233, { value: shown(limit), limit: paging.maxLimit })];
}

function beforeFaults(id: string | undefined): readonly Fault[] {
  if (id === undefined || id === '' || kindOfIdentifier(id) !== undefined) return [];
  return [faultAt(['before_id'], 227, { value: shown(id), expected: 'a record' })];
}
