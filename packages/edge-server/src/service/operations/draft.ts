import type { Path, RecordKindName } from '@tollgate/edge-api';
import { refuseAny } from '../../api/api-error.ts';
import type { Members } from '../../api/members.ts';
import type { Claim, RecordWriter } from '../../store/port/store.ts';
import { claimsOf } from '../records/claims.ts';
import { missingReferences, takenClaims } from '../records/conflicts.ts';
import type { ServiceContext } from '../records/context.ts';
import { parentKey, SHAPE_OF_RECORD } from '../records/record-kinds.ts';
import { changeSecrets, type FoundReference, referencesIn, secretAt } from '../records/shape-walk.ts';
import { rulesOf } from '../rules/rules.ts';

/** A record that is about to be written. */
export interface Draft {
  readonly id: string;
  readonly kind: RecordKindName;
  readonly parentId: string | null;
  /** The current body with secrets decrypted where that is possible; undefined for a new record. */
  readonly before: Members | undefined;
  /** The current body as it is stored. */
  readonly stored?: Members;
  /** The new body with secrets decrypted. */
  readonly after: Members;
  /** The part of the new body given in the request, whose references are checked. */
  readonly given: Members;
  /** The path of the module in the body as sent; undefined if the request gives fields of the record. */
  readonly moduleAt?: Path | undefined;
}

/** Checks references, then the rules between records. @throws ApiError */
export async function checkDraft(context: ServiceContext, writer: RecordWriter, draft: Draft): Promise<void> {
  refuseAny(await missingReferences(writer, draftReferences(draft)));
  const { id, kind, parentId, before, after } = draft;
  const faults = [...(await takenClaims(writer, newClaims(draft), id))];
  const proposal = { id, parentId, before, after, reader: writer, settings: context.rules };
  for (const rule of rulesOf(kind)) faults.push(...(await rule(proposal)));
  refuseAny(faults);
}

/** Returns the references in the request. */
export function draftReferences({ kind, given, moduleAt }: Draft): readonly FoundReference[] {
  const found = referencesIn(SHAPE_OF_RECORD.get(kind)!, given);
  if (!moduleAt) return found;
  return found.map(one => ({ ...one, path: [...moduleAt, ...one.path.slice(1)] }));
}

/** A draft in stored form. References and claims are undefined if unchanged. */
interface StoredForm {
  readonly body: string;
  readonly refs?: readonly string[];
  readonly claims?: readonly Claim[];
}

/** Returns a draft in stored form, with secrets encrypted. */
export function storedForm({ box }: Pick<ServiceContext, 'box'>, draft: Draft): StoredForm {
  const { id, kind, before, after, stored } = draft;
  const shape = SHAPE_OF_RECORD.get(kind)!;
  const sealed = changeSecrets(shape, after, (secret, place) => {
    // Also one that cannot be decrypted: its key may be found again.
    const kept = stored && before && secretAt(before, place) === secret ? secretAt(stored, place) : undefined;
    return typeof kept === 'string' && box.isSealed(kept) ? kept : box.seal(secret, `${id}${place}`);
  });
  const refs = refsOf(kind, after);
  const sameRefs = before !== undefined && refs.join() === refsOf(kind, before).join();
  return {
    body: JSON.stringify(sealed),
    ...(!sameRefs && { refs }),
    ...(!sameClaims(draft) && { claims: claimsOf(kind, after, draft.parentId) }),
  };
}

/** Returns the ids that a record refers to, except its parent, with which it is deleted. */
function refsOf(kind: RecordKindName, body: Members): readonly string[] {
  const parent = parentKey(kind);
  const references = referencesIn(SHAPE_OF_RECORD.get(kind)!, body);
  return references.filter(({ path }) => path[0] !== parent).map(({ id }) => id);
}

function newClaims(draft: Draft): readonly Claim[] {
  return sameClaims(draft) ? [] : claimsOf(draft.kind, draft.after, draft.parentId);
}

function sameClaims({ kind, parentId, before, after }: Draft): boolean {
  if (!before) return false;
  const text = (body: Members) => JSON.stringify(claimsOf(kind, body, parentId));
  return text(before) === text(after);
}
