import type { ProfileSwitches } from '@tollgate/catalog';
import { isAmbiguous, oneLineString, type Quotes } from '../document/scalar-text.ts';
import {
  formatOnOneLine,
  isFilledByTemplate,
  type KnownLayouts,
  type PrintColumns,
  type PrintedValue,
  printKey,
  printScalar,
  propertiesOf,
} from './print-scalar.ts';
import type { PolicyRoles } from './roles.ts';
import {
  type Comment,
  isCollection,
  type Slot,
  type SourceLines,
  type SyntaxCollection,
  type SyntaxDocument,
  type SyntaxNode,
} from './syntax-tree.ts';

/** The context of printing a document. */
export interface YamlPrinting {
  readonly comments: AttachedComments;
  readonly roles: PolicyRoles;
  readonly width: number;
  readonly interpolationEscape: ProfileSwitches['interpolationEscape'];
  readonly layouts: KnownLayouts;
  readonly quotes: Quotes | undefined;
}

const INDENTATION = 2;

/** Returns the lines of a document, with `---` if it was written or is required. */
export function printYaml({ directives, marker, root }: SyntaxDocument, printing: YamlPrinting): readonly string[] {
  const { comments } = printing;
  const lines = new Lines();
  lines.add(directives);
  lines.addComments(comments.prologue, '');
  if (marker !== undefined) lines.add([['---', ...comments.marker.map(({ text }) => text)].join(' ')]);
  lines.addComments(comments.head, '');
  if (isCollection(root) && !isPrintedInline(root, printing)) {
    const properties = propertiesOf(root);
    if (properties !== '') lines.add([properties]);
    printCollection(root, 0, printing, lines);
  } else if (root) {
    const { first, rest } = printValue(root, placeAfter('', INDENTATION, printing), printing);
    lines.add([first, ...rest]);
  }
  if (isCollection(root) && isPrintedInline(root, printing)) lines.addComments(comments.feet.get(root) ?? [], '');
  return lines.all;
}

/** Returns the indented lines of a map or list inside a larger document. */
export function printPart(node: SyntaxCollection, indentation: number, printing: YamlPrinting): readonly string[] {
  const lines = new Lines();
  printCollection(node, indentation, printing, lines);
  return lines.all;
}

/** A list of lines with at most one empty line between them, and none at the start. */
class Lines {
  readonly all: string[] = [];
  #isAtBeginning = true;

  /** Begins a collection, which no empty line precedes. */
  begin(): void {
    this.#isAtBeginning = true;
  }

  /** Adds a line below which a collection begins. */
  open(line: string): void {
    this.all.push(line);
    this.begin();
  }

  add(lines: readonly string[]): void {
    for (const line of lines) this.all.push(line);
    if (lines.length > 0) this.#isAtBeginning = false;
  }

  /** Adds an empty line unless there is one: a block scalar may end with its own. */
  addBlank(): void {
    if (!this.#isAtBeginning && this.all.at(-1) !== '') this.all.push('');
  }

  addComments(comments: readonly Comment[], pad: string): void {
    for (const { text, hasBlankBefore } of comments) {
      if (hasBlankBefore) this.addBlank();
      this.add([pad + text]);
    }
  }

  /** Puts the start of an item on its first line, and comments above it in the column of its dash: reordering keys put them there. */
  startItem(from: number, start: string): void {
    const { all } = this;
    let first = from;
    for (; first < all.length - 1 && /^ *(?:#|$)/.test(all[first]!); first += 1)
      all[first] = all[first]!.slice(INDENTATION);
    all[first] = `${start} ${all[first]!.slice(start.length + 1)}`;
  }
}

/** Adds the indented lines of a block collection. */
function printCollection(node: SyntaxCollection, indentation: number, printing: YamlPrinting, lines: Lines): void {
  const pad = ' '.repeat(indentation);
  for (const { slot, hasBlankBefore } of orderKeys(node.slots, printing.roles.keysOf(node))) {
    const { key, value } = slot;
    const own = printing.comments.slots.get(slot) ?? NO_COMMENTS;
    const start = key ? `${pad}${printKey(key, printing.quotes)}:` : `${pad}-`;
    const block = isCollection(value) && !isPrintedInline(value, printing, start.length + 1) ? value : undefined;
    const inside = indentation + INDENTATION;
    const printed =
      value && !block ? printValue(value, placeAfter(`${start} `, inside, printing), printing) : undefined;
    const inline = block ? undefined : inlineSlot(start, printed, own);
    lines.addComments(own.lead, pad);
    if (inline) lines.addComments(inline.lead, pad);
    else if (!key) lines.addComments([...own.head, ...own.trail], pad);
    if (hasBlankBefore) lines.addBlank();
    if (inline) lines.add(inline.lines);
    else if (key) printEntry({ start, own, value: block!, inside }, printing, lines);
    else printItem({ start, value: block!, inside }, printing, lines);
  }
  lines.addComments(printing.comments.feet.get(node) ?? [], pad);
}

/** An entry or item with a collection on the lines below. */
interface BlockSlot {
  /** Indentation with the key and its colon, or the dash. */
  readonly start: string;
  readonly value: SyntaxCollection;
  /** Indentation of the collection. */
  readonly inside: number;
}

function printEntry(
  { start, own: { head, trail }, value, inside }: BlockSlot & { readonly own: SlotComments },
  printing: YamlPrinting,
  lines: Lines,
): void {
  const onKeyLine = [...head.filter(one => !one.isOwnLine), ...trail];
  lines.open(withComments(join(start, propertiesOf(value)), onKeyLine.slice(0, 1)));
  lines.addComments([...onKeyLine.slice(1), ...head.filter(one => one.isOwnLine)], ' '.repeat(inside));
  printCollection(value, inside, printing, lines);
}

function printItem({ start, value, inside }: BlockSlot, printing: YamlPrinting, lines: Lines): void {
  const properties = propertiesOf(value);
  const from = lines.all.length;
  if (properties === '') lines.begin();
  else lines.open(`${start} ${properties}`);
  printCollection(value, inside, printing, lines);
  if (properties === '') lines.startItem(from, start);
}

interface InlineSlot {
  /** Comments that can only go before it. */
  readonly lead: readonly Comment[];
  readonly lines: readonly string[];
}

/** Prints a value on the line of its key or dash. With more than one comment, the others go before it. */
function inlineSlot(start: string, printed: PrintedValue | undefined, { head, trail }: SlotComments): InlineSlot {
  const comments = [...head, ...trail];
  const isSingle = comments.length === 1 && (trail.length === 1 || !comments[0]!.isOwnLine);
  const line = withComments(join(start, printed?.first ?? ''), isSingle ? comments : trail.slice(-1));
  const lead = isSingle ? [] : [...head, ...trail.slice(0, -1)];
  return { lead, lines: [line, ...(printed?.rest ?? [])] };
}

function printValue(node: SyntaxNode, place: PrintColumns, printing: YamlPrinting): PrintedValue {
  if (node.kind === 'alias') return { first: `*${node.name}`, rest: [] };
  if (node.kind === 'scalar') return printScalar(node, printing.roles.of(node), place);
  return { first: join(propertiesOf(node), flowText(node, printing)), rest: [] };
}

/** Prettier breaks longer lists in brackets with its default options. */
const FLOW_WIDTH = 80;

/** Short lists of scalars stay in brackets; the parts of a policy, and anything with comments, are in block style. */
function isPrintedInline(node: SyntaxCollection, printing: YamlPrinting, column = 0): boolean {
  const { comments, roles, width } = printing;
  if (node.slots.length === 0 || isOpenToTemplates(node)) return true;
  const isShort = node.kind === 'list' && node.isFlow && roles.of(node) === 'other';
  if (!isShort || comments.feet.has(node) || !node.slots.every(isWord)) return false;
  if (node.slots.some(slot => comments.slots.has(slot))) return false;
  const text = flowText(node, printing);
  return column + text.length <= Math.min(width, FLOW_WIDTH) && !text.includes('\n');
}

/**
 * Returns true for what is in brackets and has a placeholder without quotes, outside of which a comma or a bracket in the value would mean
 * something else.
 */
function isOpenToTemplates(node: SyntaxNode): boolean {
  if (node.kind === 'alias') return false;
  if (node.kind === 'scalar') return node.style === 'plain' && isFilledByTemplate(node);
  return node.isFlow && node.slots.some(({ key, value }) => [key, value].some(one => one && isOpenToTemplates(one)));
}

/** Prints what is in brackets as it is, but on one line. */
function bracketText(node: SyntaxNode): string {
  if (node.kind === 'alias') return `*${node.name}`;
  const properties = propertiesOf(node);
  if (node.kind === 'scalar') return join(properties, node.source.replace(/\s*\n\s*/g, ' '));
  const slots = node.slots.map(({ key, value }) =>
    [key && `${bracketText(key)}:`, value && bracketText(value)].filter(one => one).join(' '),
  );
  return join(properties, node.kind === 'map' ? `{ ${slots.join(', ')} }` : `[${slots.join(', ')}]`);
}

function isWord({ value }: Slot): boolean {
  return value?.kind === 'scalar' && propertiesOf(value) === '' && !/\n/.test(value.source + value.value);
}

function flowText(node: SyntaxCollection, { roles, interpolationEscape, quotes }: YamlPrinting): string {
  const { kind, slots } = node;
  if (isOpenToTemplates(node)) return bracketText({ ...node, anchor: undefined, tag: undefined });
  if (kind === 'map') return '{}';
  const items = slots.map(({ value }) => {
    if (value?.kind !== 'scalar') return '';
    const isText = value.style !== 'plain' || !isAmbiguous(value.value);
    if (!isText || isFilledByTemplate(value)) return value.source;
    return oneLineString(formatOnOneLine(value.value, roles.of(value), interpolationEscape), {
      isInBrackets: true,
      quotes,
    });
  });
  return `[${items.join(', ')}]`;
}

function placeAfter(start: string, indentation: number, printing: YamlPrinting): PrintColumns {
  const { width, interpolationEscape, layouts, quotes } = printing;
  return { indentation, column: start.length, width, interpolationEscape, layouts, quotes };
}

function withComments(line: string, comments: readonly Comment[]): string {
  return [line, ...comments.map(({ text }) => text)].join(' ');
}

function join(start: string, rest: string): string {
  return [start, rest].filter(part => part !== '').join(' ');
}

/** The comments of an entry or item. */
interface SlotComments {
  /** On the lines before it. */
  readonly lead: readonly Comment[];
  /** Between its key, or dash, and its value. */
  readonly head: readonly Comment[];
  /** After it on the same line. */
  readonly trail: readonly Comment[];
}

/** All comments of a document by what they belong to. */
interface AttachedComments {
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
const NO_COMMENTS: SlotComments = { lead: [], head: [], trail: [] };

/** Returns the innermost entry or item that ends where the slot ends. */
function lastInside(slot: Slot): Slot {
  const { value } = slot;
  if (!isCollection(value) || value.isFlow) return slot;
  const last = value.slots.at(-1);
  return last ? lastInside(last) : slot;
}

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
