import type { SourceLines } from '../syntax/source-lines.ts';
import {
  type Comment,
  isCollection,
  type Slot,
  type SyntaxCollection,
  type SyntaxDocument,
} from '../syntax/syntax-tree.ts';

/** The comments of an entry or item. */
export interface SlotComments {
  /** On the lines before it. */
  readonly lead: readonly Comment[];
  /** Between its key, or dash, and its value. */
  readonly head: readonly Comment[];
  /** After it on the same line. */
  readonly trail: readonly Comment[];
}

/** All comments of a document by what they belong to. */
export interface AttachedComments {
  /** Before `---`. */
  readonly prologue: readonly Comment[];
  /** On the line of `---`. */
  readonly marker: readonly Comment[];
  /** Before the first key. */
  readonly head: readonly Comment[];
  readonly slots: ReadonlyMap<Slot, SlotComments>;
  /** After the last entry or item of a collection; for the root, at the end of the document. */
  readonly feet: ReadonlyMap<SyntaxCollection, readonly Comment[]>;
}

/** Attaches each comment to an entry or item by its line, or, if it is alone on the line, by its indentation. */
export function attachComments(lines: SourceLines, document: SyntaxDocument): AttachedComments {
  const { root, marker = -1, comments } = document;
  const placer = new Placer(lines);
  const before = comments.filter(({ start }) => !isCollection(root) || start < root.start);
  const isOnMarker = ({ start }: Comment) =>
    marker >= 0 && start > marker && !lines.text.slice(marker, start).includes('\n');
  for (const comment of comments.slice(before.length)) placer.place(root as SyntaxCollection, comment);
  return {
    prologue: before.filter(({ start }) => start < marker),
    marker: before.filter(isOnMarker),
    head: before.filter(comment => comment.start > marker && !isOnMarker(comment)),
    slots: placer.slots,
    feet: placer.feet,
  };
}

type Collected = Record<keyof SlotComments, Comment[]>;

class Placer {
  readonly slots = new Map<Slot, Collected>();
  readonly feet = new Map<SyntaxCollection, Comment[]>();
  readonly #lines: SourceLines;

  constructor(lines: SourceLines) {
    this.#lines = lines;
  }

  place(collection: SyntaxCollection, comment: Comment): void {
    const { slots } = collection;
    const index = lastBefore(slots, comment.start);
    const slot = slots[index];
    const next = slots[index + 1];
    if (collection.isFlow && comment.start >= collection.end) this.#addFoot(collection, comment);
    else if (!slot) this.#addBefore(next, collection, comment);
    else if (comment.start < slot.end) this.#placeInside(slot, comment);
    else if (!comment.isOwnLine) this.#add(lastInside(slot), 'trail', comment);
    else if (collection.isFlow) this.#addBefore(next, collection, comment);
    else this.#placeBetween(collection, index, comment);
  }

  #placeInside(slot: Slot, comment: Comment): void {
    if (!slot.value || comment.start < slot.value.start) this.#add(slot, 'head', comment);
    else if (isCollection(slot.value) && slot.value.slots.length > 0) this.place(slot.value, comment);
    // In the header of a block scalar, or between brackets.
    else this.#add(slot, 'trail', comment);
  }

  /** A comment on its own line belongs to what follows, unless it is indented like what precedes it. */
  #placeBetween(collection: SyntaxCollection, index: number, comment: Comment): void {
    const next = collection.slots[index + 1];
    const column = this.#lines.columnOf(comment.start);
    if (next && column <= this.#lines.columnOf(next.start)) this.#add(next, 'lead', comment);
    else {
      const holder = this.#holderAt(column, collection, collection.slots[index]!);
      if (holder === collection) this.#addBefore(next, collection, comment);
      else this.#addFoot(holder, comment);
    }
  }

  /** Returns the innermost collection that ends with the slot in `outer` and is not indented by more than `column`. */
  #holderAt(column: number, outer: SyntaxCollection, last: Slot): SyntaxCollection {
    let holder = outer;
    let holderColumn = this.#lines.columnOf(outer.start);
    for (let slot: Slot | undefined = last; slot; slot = holder.slots.at(-1)) {
      const { value }: Slot = slot;
      if (!isCollection(value) || value.isFlow) return holder;
      // A list may start in the column of its map.
      const valueColumn = Math.max(this.#lines.columnOf(value.start), holderColumn + 1);
      if (valueColumn > column) return holder;
      holder = value;
      holderColumn = valueColumn;
    }
    return holder;
  }

  #addBefore(next: Slot | undefined, collection: SyntaxCollection, comment: Comment): void {
    if (next) this.#add(next, 'lead', comment);
    else this.#addFoot(collection, comment);
  }

  #add(slot: Slot, kind: keyof SlotComments, comment: Comment): void {
    const known = this.slots.get(slot) ?? { lead: [], head: [], trail: [] };
    known[kind].push(comment);
    this.slots.set(slot, known);
  }

  #addFoot(collection: SyntaxCollection, comment: Comment): void {
    const known = this.feet.get(collection) ?? [];
    known.push(comment);
    this.feet.set(collection, known);
  }
}

/** Returns the index of the last slot that begins at or before the offset, or -1. The slots are in document order. */
function lastBefore(slots: readonly Slot[], offset: number): number {
  let low = 0;
  for (let high = slots.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (slots[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** For an entry or item without comments. */
export const NO_COMMENTS: SlotComments = { lead: [], head: [], trail: [] };

/** Returns the innermost entry or item that ends where the slot ends. */
function lastInside(slot: Slot): Slot {
  const { value } = slot;
  if (!isCollection(value) || value.isFlow) return slot;
  const last = value.slots.at(-1);
  return last ? lastInside(last) : slot;
}
