import {
  type ErrorNumber,
  type Fault,
  faultAt,
  KEPT_WHILE_REFERRED_TO,
  kindOfIdentifier,
  type Reference,
} from '@tollgate/edge-api';
import { ApiError, notFound, refused } from '../../api/api-error.ts';
import type { Claim, RecordReader } from '../../store/port/store.ts';
import { type Conflict, StoreConflict } from '../../store/port/store-conflict.ts';
import type { FoundReference } from './shape-walk.ts';

/** Returns a fault for every reference to a record that does not exist. */
export async function missingReferences(
  reader: RecordReader,
  references: readonly FoundReference[],
): Promise<readonly Fault[]> {
  const kinds = await reader.kinds([...new Set(references.map(({ id }) => id))]);
  return references.filter(({ id }) => !kinds.has(id)).map(({ path, id, reference }) => missing(path, id, reference));
}

function missing(path: FoundReference['path'], id: string, reference: Reference): Fault {
  return faultAt(path, reference.missing as ErrorNumber, { value: id, expected: reference.kinds.join(', ') });
}

/** The error and field of a conflicting claim, by scope. */
const TAKEN: Readonly<Record<string, { readonly code: ErrorNumber; readonly field: string }>> = {
  hostport: { code: 7122, field: 'hostports' },
  match: { code: 7126, field: 'match' },
  cidr: { code: 1408, field: 'cidr' },
  domain: { code: 414, field: 'domain' },
};

/** Returns the fault for a claim that another record holds. */
function takenClaim({ scope, value }: Claim, index?: number): Fault {
  const { code, field } = TAKEN[scope.split(' ')[0]!]!;
  return faultAt(field === 'hostports' && index !== undefined ? [field, index] : [field], code, {
    value: scope.startsWith('match') ? value.slice(value.indexOf(' ') + 1) : value,
  });
}

/** Returns a fault for every claim that another record holds. */
export async function takenClaims(
  reader: RecordReader,
  claims: readonly Claim[],
  ownId: string,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const [index, claim] of claims.entries()) {
    const by = await reader.claimant(claim);
    if (by !== undefined && by !== ownId) faults.push(takenClaim(claim, index));
  }
  return faults;
}

/** Converts a conflict found by the store, where another process was faster, to an API error. */
function conflictError({ conflict }: StoreConflict, references: readonly FoundReference[] = []): ApiError {
  switch (conflict.kind) {
    case 'claim-taken':
      return new ApiError({ kind: 'faults', faults: [takenClaim(conflict.claim)] });
    case 'still-referenced':
      return stillReferenced(conflict);
    case 'no-such-record': {
      const [first] = references.filter(({ id }) => conflict.ids.includes(id));
      return first
        ? new ApiError({ kind: 'faults', faults: [missing(first.path, first.id, first.reference)] })
        : notFound();
    }
  }
}

function stillReferenced({ id, by }: Extract<Conflict, { readonly kind: 'still-referenced' }>): ApiError {
  const kind = kindOfIdentifier(id);
  const code = (kind && KEPT_WHILE_REFERRED_TO[kind]) ?? 446;
  return refused(code, {
    value: id,
    expected: by.length > 0 ? by.map(one => `'${one}'`).join(', ') : 'another record',
  });
}

/** Runs work on the store and converts conflicts to API errors. */
export async function convertingConflicts<T>(
  work: () => Promise<T>,
  references: readonly FoundReference[] = [],
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof StoreConflict ? conflictError(error, references) : error;
  }
}
