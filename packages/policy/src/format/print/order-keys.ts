import { isCollection, type Slot, type SyntaxNode } from '../syntax/syntax-tree.ts';

/** An entry in its new position. */
interface OrderedSlot {
  readonly slot: Slot;
  readonly hasBlankBefore: boolean;
}

/** Returns the entries with the given keys first, in the order of the keys. */
export function orderKeys(slots: readonly Slot[], keys: readonly string[]): readonly OrderedSlot[] {
  const rank = ({ key }: Slot): number => {
    const index = key ? keys.indexOf(key.value) : -1;
    return index < 0 ? keys.length : index;
  };
  const isOrdered = slots.every((slot, index) => index === 0 || rank(slots[index - 1]!) <= rank(slot));
  const ordered = isOrdered ? slots : slots.toSorted((a, b) => rank(a) - rank(b));
  const kept = isOrdered || isSafe(slots, ordered) ? ordered : slots;
  if (kept[0] === slots[0]) return kept.map(slot => ({ slot, hasBlankBefore: slot.hasBlankBefore }));
  // Another entry may come first now, and the old first one may be separated by an empty line.
  const isSpaced = slots.slice(1).some(slot => slot.hasBlankBefore);
  const blanks = new Map([
    [slots[0], isSpaced],
    [kept[0], slots[0]?.hasBlankBefore === true],
  ]);
  return kept.map(slot => ({ slot, hasBlankBefore: blanks.get(slot) ?? slot.hasBlankBefore }));
}

/** An alias refers to the nearest anchor before it, so their order must not change. */
function isSafe(before: readonly Slot[], after: readonly Slot[]): boolean {
  const references = before.filter(hasReference);
  return after.filter(hasReference).every((slot, index) => slot === references[index]);
}

function hasReference({ key, value }: Slot): boolean {
  return [key, value].some(hasAnchorOrAlias);
}

function hasAnchorOrAlias(node: SyntaxNode | undefined): boolean {
  if (!node || node.kind === 'alias') return node !== undefined;
  return node.anchor !== undefined || (isCollection(node) && node.slots.some(hasReference));
}
