import type { ProfileSwitches } from '@tollgate/catalog';
import { isAmbiguous, oneLineString } from '../../document/scalars/scalar-style.ts';
import type { PolicyRoles } from '../roles/policy-roles.ts';
import {
  type Comment,
  isCollection,
  type Slot,
  type SyntaxCollection,
  type SyntaxDocument,
  type SyntaxNode,
} from '../syntax/syntax-tree.ts';
import { type AttachedComments, NO_COMMENTS, type SlotComments } from './attach-comments.ts';
import { formatOnOneLine } from './interpolated-string.ts';
import type { KnownLayouts } from './known-layouts.ts';
import { orderKeys } from './order-keys.ts';
import { type PrintColumns, type PrintedValue, printKey, printScalar, propertiesOf } from './print-scalar.ts';

/** The context of printing a document. */
export interface YamlPrinting {
  readonly comments: AttachedComments;
  readonly roles: PolicyRoles;
  readonly width: number;
  readonly interpolationEscape: ProfileSwitches['interpolationEscape'];
  readonly layouts: KnownLayouts;
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
    const start = key ? `${pad}${printKey(key)}:` : `${pad}-`;
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

/** Short lists of scalars stay in brackets; the parts of a policy, and anything with comments, are in block style. */
function isPrintedInline(node: SyntaxCollection, printing: YamlPrinting, column = 0): boolean {
  const { comments, roles, width } = printing;
  if (node.slots.length === 0) return true;
  const isShort = node.kind === 'list' && node.isFlow && roles.of(node) === 'other';
  if (!isShort || comments.feet.has(node) || !node.slots.every(isWord)) return false;
  if (node.slots.some(slot => comments.slots.has(slot))) return false;
  const text = flowText(node, printing);
  return column + text.length <= width && !text.includes('\n');
}

function isWord({ value }: Slot): boolean {
  return value?.kind === 'scalar' && propertiesOf(value) === '' && !/\n/.test(value.source + value.value);
}

function flowText({ kind, slots }: SyntaxCollection, { roles, interpolationEscape }: YamlPrinting): string {
  if (kind === 'map') return '{}';
  const items = slots.map(({ value }) => {
    if (value?.kind !== 'scalar') return '';
    const isText = value.style !== 'plain' || !isAmbiguous(value.value);
    if (!isText) return value.source;
    return oneLineString(formatOnOneLine(value.value, roles.of(value), interpolationEscape), { isInBrackets: true });
  });
  return `[${items.join(', ')}]`;
}

function placeAfter(start: string, indentation: number, printing: YamlPrinting): PrintColumns {
  const { width, interpolationEscape, layouts } = printing;
  return { indentation, column: start.length, width, interpolationEscape, layouts };
}

function withComments(line: string, comments: readonly Comment[]): string {
  return [line, ...comments.map(({ text }) => text)].join(' ');
}

function join(start: string, rest: string): string {
  return [start, rest].filter(part => part !== '').join(' ');
}
