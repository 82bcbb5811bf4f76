import type { Range } from '@tollgate/diagnostics';
import type { Ast } from '../../ast/ast.ts';
import { DEFAULT_LIMITS } from '../../limits.ts';
import { tokenize } from '../lexing/lexer.ts';
import { Reporter } from '../lexing/reporter.ts';
import { comment, type Layout, LINE, sequence } from './layout.ts';

interface Comment {
  readonly start: number;
  readonly text: string;
  /** True if something other than white space precedes it on its line. */
  readonly isTrailing: boolean;
}

/** The comments that belong to an item of a sequence. */
interface ItemComments {
  /** Lines before the item. */
  readonly before: Layout;
  /** What follows the item and its separator. */
  readonly after: Layout;
}

const NOTHING: ItemComments = { before: '', after: '' };

/** Assigns each comment of an expression once, to the sequence of items that it is in. */
export class CommentAssignment {
  readonly #left: Comment[];

  constructor(ast: Ast) {
    this.#left = commentsOf(ast.source);
  }

  /** The number of comments that are not assigned yet. */
  get remaining(): number {
    return this.#left.length;
  }

  /** Returns the comments for each item in order: those between items and before the closing bracket. */
  around(items: readonly Range[], holder: Range): readonly ItemComments[] {
    if (this.#left.length === 0 || items.length === 0) return items.map(() => NOTHING);
    const gaps = [...items, undefined].map((item, index) =>
      this.#take({ start: items[index - 1]?.end ?? holder.start, end: item?.start ?? holder.end }, index > 0),
    );
    return items.map((_, index) => {
      const isLast = index === items.length - 1;
      const { trailing } = gaps[index + 1]!;
      const foot = isLast ? gaps[index + 1]!.lines.flatMap(line => [LINE, comment(line)]) : [];
      return {
        before: sequence(...gaps[index]!.lines.flatMap(line => [comment(line), LINE])),
        after: sequence(...trailing.flatMap(text => [' ', comment(text)]), ...foot),
      };
    });
  }

  /** Returns the comments in a gap; the first one may belong to the line of the previous item. */
  #take({ start, end }: Range, isBehindItem: boolean): { trailing: readonly string[]; lines: readonly string[] } {
    const from = this.#left.findIndex(one => one.start >= start && one.start < end);
    if (from < 0) return { trailing: [], lines: [] };
    const behind = this.#left.findIndex(one => one.start >= end);
    const taken = this.#left.splice(from, (behind < 0 ? this.#left.length : behind) - from);
    const trailing = isBehindItem && taken[0]!.isTrailing ? 1 : 0;
    const texts = taken.map(one => one.text);
    return { trailing: texts.slice(0, trailing), lines: texts.slice(trailing) };
  }
}

/** Between the tokens of a valid expression there are only white space and comments. */
function commentsOf(source: string): Comment[] {
  if (!source.includes('//')) return [];
  const comments: Comment[] = [];
  let from = 0;
  for (const token of [...tokenize(source, new Reporter(DEFAULT_LIMITS)), undefined]) {
    const gap = source.slice(from, token?.startOffset);
    for (const { index, 0: text } of gap.matchAll(/\/\/[^\n]*/g)) {
      const start = from + index;
      const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start);
      comments.push({ start, text: text.trimEnd(), isTrailing: line.trim() !== '' });
    }
    from = token?.end ?? source.length;
  }
  return comments;
}
