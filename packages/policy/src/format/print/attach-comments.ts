import type { TextLines } from '../syntax/source-lines.ts';
import {
  type Comment,
  isCollection,
  type Slot,
  type SyntaxCollection,
  type SyntaxDocument,
} from '../syntax/syntax-tree.ts';

/** The comments of an entry or an item. */
export interface SlotComments {
  /** On lines before it. */
  readonly lead: readonly Comment[];
  /** Between its key, or dash, and its value. */
  readonly head: readonly Comment[];
  /** Behind it on its line. */
  readonly trail: readonly Comment[];
}

/** Where each comment of a document belongs. */
export interface PlacedComments {
  /** Before `---`. */
  readonly prologue: readonly Comment[];
  /** On the line of `---`. */
  readonly marker: readonly Comment[];
  /** Before the first key. */
  readonly head: readonly Comment[];
  readonly slots: ReadonlyMap<Slot, SlotComments>;
  /** Behind the last entry or item of a collection; those of the root are at the foot of the document. */
  readonly feet: ReadonlyMap<SyntaxCollection, readonly Comment[]>;
}

/** Finds for each comment what it is about: by its line, and where it has one for itself, by its indentation. */
export function placeComments(lines: TextLines, document: SyntaxDocument): PlacedComments {
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
  readonly #lines: TextLines;

  constructor(lines: TextLines) {
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

  /** A comment on a line of its own is about what follows, unless it is indented as what it follows. */
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

  /** The innermost of the collections that end with the slot, which is in `outer`, and are not indented by more than `column`. */
  #holderAt(column: number, outer: SyntaxCollection, last: Slot): SyntaxCollection {
    let holder = outer;
    let holderColumn = this.#lines.columnOf(outer.start);
    for (let slot: Slot | undefined = last; slot; slot = holder.slots.at(-1)) {
      const { value }: Slot = slot;
      if (!isCollection(value) || value.isFlow) return holder;
      // A list may stand in the column of the map that it is in.
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

/** The last of the slots, which are in the order of the text, that begins before the offset; -1 when none does. */
function lastBefore(slots: readonly Slot[], offset: number): number {
  let low = 0;
  for (let high = slots.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (slots[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Of an entry or an item that nothing is said about. */
export const NO_COMMENTS: SlotComments = { lead: [], head: [], trail: [] };

/** The innermost of the entries and items that end where the slot ends. */
function lastInside(slot: Slot): Slot {
  const { value } = slot;
  if (!isCollection(value) || value.isFlow) return slot;
  const last = value.slots.at(-1);
  return last ? lastInside(last) : slot;
}
