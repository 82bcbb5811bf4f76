// Documents of text, lines and groups that fit a line width (after Wadler and Prettier).

import { InternalError } from '@tollgate/diagnostics';

/** A document that may be broken into lines, as in Wadler's "A prettier printer". */
export type Layout = string | Part;

type Part =
  /** A line break if the surrounding group is broken, otherwise `flat`. */
  | { readonly kind: 'line'; readonly flat: '' | ' ' }
  | { readonly kind: 'sequence'; readonly parts: readonly Layout[]; readonly facts: Facts }
  /** On one line if it fits. */
  | { readonly kind: 'group'; readonly content: Layout; readonly facts: Facts }
  | { readonly kind: 'indent'; readonly content: Layout; readonly facts: Facts }
  /** Extends to the end of its line and so breaks the surrounding groups. */
  | { readonly kind: 'comment'; readonly text: string };

interface Facts {
  readonly isBreakable: boolean;
  readonly isForced: boolean;
}

/** A space, or a line break. */
export const LINE: Layout = { kind: 'line', flat: ' ' };

/** Nothing, or a line break. */
export const SOFT_LINE: Layout = { kind: 'line', flat: '' };

export function comment(text: string): Layout {
  return { kind: 'comment', text };
}

export function sequence(...parts: readonly Layout[]): Layout {
  // Most expressions have no break and are one string.
  if (parts.every(part => typeof part === 'string')) return parts.join('');
  return { kind: 'sequence', parts, facts: { isBreakable: parts.some(isBreakable), isForced: parts.some(isForced) } };
}

export function group(content: Layout): Layout {
  return typeof content === 'string' ? content : { kind: 'group', content, facts: factsOf(content) };
}

export function indent(content: Layout): Layout {
  return typeof content === 'string' ? content : { kind: 'indent', content, facts: factsOf(content) };
}

/** Returns the layouts separated by a comma and a line. */
export function commaSeparated(items: readonly Layout[]): Layout {
  return sequence(...items.flatMap((item, index) => (index === 0 ? [item] : [',', LINE, item])));
}

/** Returns true if the layout can take more than one line. */
export function isBreakable(layout: Layout): boolean {
  return factsOf(layout).isBreakable;
}

/** Returns true if the layout cannot be on one line. */
function isForced(layout: Layout): boolean {
  return factsOf(layout).isForced;
}

/** Returns the layout on one line. */
export function flatString(layout: Layout): string {
  if (typeof layout === 'string') return layout;
  if (layout.kind === 'line') return layout.flat;
  if (layout.kind === 'comment') return layout.text;
  return layout.kind === 'sequence' ? layout.parts.map(flatString).join('') : flatString(layout.content);
}

function factsOf(layout: Layout): Facts {
  if (typeof layout === 'string') return STRING;
  if (layout.kind === 'line') return BREAK;
  return layout.kind === 'comment' ? COMMENT : layout.facts;
}

const STRING: Facts = { isBreakable: false, isForced: false };
const BREAK: Facts = { isBreakable: true, isForced: false };
const COMMENT: Facts = { isBreakable: true, isForced: true };

const INDENTATION = 2;

/** A layout with its indentation and mode. */
interface Placed {
  readonly layout: Layout;
  readonly indentation: number;
  readonly isFlat: boolean;
}

/** Renders a layout; groups are broken if a line would exceed `width` UTF-16 units. Linear for lines of bounded width. */
export function renderLayout(layout: Layout, width: number): string {
  const todo: Placed[] = [{ layout, indentation: 0, isFlat: false }];
  let text = '';
  let column = 0;
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const { layout: current, indentation, isFlat } = next;
    if (typeof current === 'string') {
      text += current;
      column = columnAfter(column, current);
    } else if (current.kind === 'comment') {
      text += current.text;
    } else if (current.kind === 'line') {
      text += isFlat ? current.flat : `\n${' '.repeat(indentation)}`;
      column = isFlat ? column + current.flat.length : indentation;
    } else if (current.kind === 'group') {
      const flat = { layout: current.content, indentation, isFlat: true };
      const fitting = isFlat || (!isForced(current) && fits(flat, todo, width - column));
      todo.push({ ...flat, isFlat: fitting });
    } else todo.push(...opened(next));
  }
  return text;
}

/** Returns the content of an indentation or a sequence, last part first. */
function opened({ layout, indentation, isFlat }: Placed): Placed[] {
  if (typeof layout === 'string') throw new InternalError('a string has no parts');
  if (layout.kind === 'indent') return [{ layout: layout.content, indentation: indentation + INDENTATION, isFlat }];
  if (layout.kind === 'group') return [{ layout: layout.content, indentation, isFlat }];
  if (layout.kind !== 'sequence') throw new InternalError(`a ${layout.kind} has no parts`);
  return layout.parts.map(part => ({ layout: part, indentation, isFlat })).reverse();
}

/** Returns true if everything up to the next possible line break fits. */
function fits(first: Placed, rest: readonly Placed[], room: number): boolean {
  const todo: Placed[] = [first];
  let left = room;
  for (let behind = rest.length; left >= 0; ) {
    const next = todo.pop() ?? rest[--behind];
    if (next === undefined) return true;
    const { layout, isFlat } = next;
    if (typeof layout === 'string') {
      const lineEnd = layout.indexOf('\n');
      if (lineEnd >= 0) return left >= lineEnd;
      left -= layout.length;
    } else if (layout.kind === 'comment') return true;
    else if (layout.kind === 'line') {
      if (!isFlat) return true;
      left -= layout.flat.length;
    } else todo.push(...opened(next));
  }
  return false;
}

/** Strings may span lines. */
function columnAfter(column: number, text: string): number {
  const lineStart = text.lastIndexOf('\n') + 1;
  return lineStart === 0 ? column + text.length : text.length - lineStart;
}
