import { InternalError } from '@tollgate/diagnostics';
import { isForced, type Layout } from './layout.ts';

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
