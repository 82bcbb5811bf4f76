// Prints trees: with the fewest parentheses, or laid out within a line width with their comments.

import type { Range } from '@tollgate/diagnostics';
import { type Ast, type CallExpr, type Expr, type ListExpr, type LiteralExpr, literalString } from '../ast/ast.ts';
import { DEFAULT_LIMITS } from '../ast/limits.ts';
import {
  commaSeparated,
  comment,
  flatString,
  group,
  indent,
  isBreakable,
  type Layout,
  LINE,
  renderLayout,
  SOFT_LINE,
  sequence,
} from './layout.ts';
import { tokenize } from './lexer.ts';
import { originalLiteral, printField, printLiteral } from './print-literal.ts';
import { Reporter } from './reporter.ts';
import {
  AND_PRECEDENCE,
  CONDITIONAL_PRECEDENCE,
  MEMBER_PRECEDENCE,
  OPERATORS,
  type OperatorInfo,
  UNARY_PRECEDENCE,
} from './tokens.ts';

/** Options of {@link formatExpression}. */
export interface ExpressionFormat {
  /** Maximum line length in UTF-16 units where the expression can be broken. By default, the result is one line. */
  readonly width?: number;
}

/** A formatted expression. */
interface FormattedExpression {
  readonly text: string;
  /** True if line breaks matter because they end comments or are inside strings; otherwise each may be replaced by a space. */
  readonly keepsLines: boolean;
}

/**
 * Formats an expression: on one line if it fits, otherwise broken at `&&` and `||`, `?` and `:`, and inside lists, with parentheses where
 * the tree requires them and around `&&` inside `||`. The result parses to the same tree. Numbers keep their spelling; strings get single
 * quotes unless double quotes save escapes. Comments are kept; an expression is returned unchanged if there is no place for one of them.
 * The tree must be of an expression without errors, parsed with or without macros.
 */
export function formatExpression(
  ast: Ast,
  { width = Number.POSITIVE_INFINITY }: ExpressionFormat = {},
): FormattedExpression {
  const comments = new CommentAssignment(ast);
  const hasComments = comments.remaining > 0;
  const layout = withOuterComments(ast, comments);
  if (comments.remaining > 0) return { text: ast.source.trim(), keepsLines: true };
  const flat = flatString(layout);
  const keepsLines = hasComments || flat.includes('\n');
  const isOneLine = !keepsLines && flat.length <= width;
  return { text: isOneLine ? flat : renderLayout(layout, width), keepsLines };
}

function withOuterComments(ast: Ast, comments: CommentAssignment): Layout {
  const holder = { start: 0, end: ast.source.length };
  const { before, after } = comments.around([ast.root.range], holder)[0]!;
  const style = { literal: originalLiteral.bind(undefined, ast), isExplicit: true, comments };
  return sequence(before, group(layOutExpression(ast, style)), after);
}

/**
 * Returns source that parses to the same tree, apart from ids and ranges: on one line, with the fewest parentheses, macros as they were
 * called, and error nodes as they were written. Nodes without source, such as comprehensions without a macro call, are printed in a form
 * that does not parse.
 */
export function unparse(ast: Ast): string {
  const layout = layOutExpression(ast, {
    literal: ({ literal }) => printLiteral(literal),
    isExplicit: false,
    comments: undefined,
  });
  return flatString(layout);
}

/** Style options that the tree does not determine. */
interface ExpressionStyle {
  readonly literal: (expr: LiteralExpr) => string;
  /** Whether to keep redundant parentheses around `&&` inside `||`. */
  readonly isExplicit: boolean;
  /** Undefined to drop comments. */
  readonly comments: CommentAssignment | undefined;
}

/** Returns the layout of an expression, with only the parentheses that the tree and the style require. */
function layOutExpression(ast: Ast, style: ExpressionStyle): Layout {
  return new ExpressionPrinter(ast, style).print(ast.root, CONDITIONAL_PRECEDENCE);
}

/** The operators that {@link placedOperator} places. */
export type PlacedOperator = 'in' | '&&' | '||';

/**
 * Returns the source of an operator for a range of an expression: in parentheses, unless what is around the range shows that it binds less
 * tightly. A needless pair is harmless, a missing one changes the meaning.
 */
export function placedOperator(
  newText: string,
  operator: PlacedOperator,
  { source, range }: { readonly source: string; readonly range: Range },
): string {
  const before = source.slice(0, range.start).trimEnd();
  const after = source.slice(range.end).trimStart();
  const neighbour = operator === '||' ? /\|\|$/ : /(?:\|\||&&)$/;
  const isFreeBefore = before === '' || /[([{,?:]$/.test(before) || neighbour.test(before);
  const next = operator === '||' ? /^\|\|/ : /^(?:\|\||&&)/;
  const isFreeAfter = after === '' || /^[)\]},?:]/.test(after) || next.test(after);
  return isFreeBefore && isFreeAfter ? newText : `(${newText})`;
}

const BINARY: ReadonlyMap<string, OperatorInfo> = new Map(OPERATORS.map(info => [info.function, info]));
const OR_PRECEDENCE = CONDITIONAL_PRECEDENCE + 1;

class ExpressionPrinter {
  readonly #ast: Ast;
  readonly #style: ExpressionStyle;

  constructor(ast: Ast, style: ExpressionStyle) {
    this.#ast = ast;
    this.#style = style;
  }

  /** Returns the layout of a node, in parentheses if its precedence is below `least`. */
  print(expr: Expr, least: number): Layout {
    const written = this.#ast.macroCalls.get(expr.id);
    if (written !== undefined) return this.#namedCall(written);
    const content = this.#content(expr);
    return precedenceOf(expr) < least ? enclosed('(', content, ')') : content;
  }

  #content(expr: Expr): Layout {
    switch (expr.kind) {
      case 'literal':
        return this.#style.literal(expr);
      case 'ident':
        return expr.name;
      case 'select': {
        const text = sequence(this.print(expr.operand, MEMBER_PRECEDENCE), `.${printField(expr.field)}`);
        return expr.testOnly ? sequence('has(', text, ')') : text;
      }
      case 'call':
        return this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'error':
        return this.#ast.source.slice(expr.range.start, expr.range.end);
      default:
        return this.#structured(expr);
    }
  }

  #structured(expr: Extract<Expr, { kind: 'map' | 'struct' | 'comprehension' }>): Layout {
    if (expr.kind === 'comprehension') {
      const { iterVar, iterVar2, accuVar, iterRange, accuInit, loopCondition, loopStep, result } = expr;
      const names = [iterVar, ...(iterVar2 === undefined ? [] : [iterVar2]), accuVar];
      const parts = [iterRange, accuInit, loopCondition, loopStep, result].map(part => this.#free(part));
      return sequence('@fold(', commaSeparated([...names, ...parts]), ')');
    }
    const items =
      expr.kind === 'map'
        ? expr.entries.map(({ key, value, optional }) => this.#entry(this.print(key, 0), value, optional))
        : expr.fields.map(({ field, value, optional }) => this.#entry(printField(field), value, optional));
    const ranges = (expr.kind === 'map' ? expr.entries : expr.fields).map(({ range }) => range);
    return enclosed(`${expr.kind === 'struct' ? expr.typeName : ''}{`, this.#row(items, ranges, expr.range), '}');
  }

  #entry(key: Layout, value: Expr, optional: boolean): Layout {
    return sequence(optional ? '?' : '', key, ': ', this.#free(value));
  }

  #list({ elements, optionalIndices, range }: ListExpr): Layout {
    const items = elements.map((element, index) =>
      sequence(optionalIndices.includes(index) ? '?' : '', this.#free(element)),
    );
    const ranges = elements.map(element => element.range);
    // One element per line would turn a list of two hundred countries into two hundred lines.
    const isFilled = elements.every(({ kind }) => kind === 'literal');
    return enclosed('[', this.#row(items, ranges, range, isFilled), ']');
  }

  /** Returns the layout of an expression that needs no parentheses. */
  #free(expr: Expr): Layout {
    return group(this.print(expr, CONDITIONAL_PRECEDENCE));
  }

  /** Returns comma-separated items with their comments. */
  #row(items: readonly Layout[], ranges: readonly Range[], holder: Range, isFilled = false): Layout {
    const comments = this.#style.comments?.around(ranges, holder);
    const parts = items.map((item, index) => {
      const { before = '', after = '' } = comments?.[index] ?? {};
      const text = sequence(before, item, index < items.length - 1 ? ',' : '', after);
      if (index === 0) return text;
      return isFilled ? group(sequence(LINE, text)) : sequence(LINE, text);
    });
    return sequence(...parts);
  }

  #call(expr: CallExpr): Layout {
    const binary = BINARY.get(expr.function);
    if (isOperator(expr, 2) && binary !== undefined) return this.#binary(expr, binary);
    if (isOperator(expr, 1) && UNARY.has(expr.function)) return this.#unary(expr);
    if (isOperator(expr, 3) && expr.function === '_?_:_') return this.#conditional(expr);
    if (isOperator(expr, 2) && MEMBER.has(expr.function)) return this.#member(expr);
    return this.#namedCall(expr);
  }

  #namedCall({ target, function: name, functionRange, args, range }: CallExpr): Layout {
    const prefix = target === undefined ? '' : sequence(this.print(target, MEMBER_PRECEDENCE), '.');
    const ranges = args.map(arg => arg.range);
    const holder = { start: functionRange.end, end: range.end };
    const items = args.map(arg => this.#free(arg));
    const row = this.#row(items, ranges, holder);
    // A list or map as last argument opens on the line of the call.
    const last = args.at(-1)?.kind;
    const isHugging = (last === 'list' || last === 'map') && !items.slice(0, -1).some(isBreakable);
    const isPlain = isHugging || !items.some(isBreakable);
    const hugged = isPlain && !hasComments(row, items);
    return sequence(prefix, hugged ? sequence(`${name}(`, spaced(items), ')') : enclosed(`${name}(`, row, ')'));
  }

  #binary(expr: CallExpr, info: OperatorInfo): Layout {
    if (info.balanced) return this.#chain(expr, info);
    const [left, right] = expr.args as [Expr, Expr];
    return sequence(this.print(left, info.precedence), ` ${info.text} `, this.print(right, info.precedence + 1));
  }

  /** Breaks at every operator or at none, as the surrounding group decides. */
  #chain(expr: CallExpr, { text, precedence }: OperatorInfo): Layout {
    const isChain = (one: Expr): one is CallExpr => isSameOperation(one, expr) && !this.#ast.macroCalls.has(one.id);
    const terms = balancedTerms(expr, isChain);
    const ranges = terms.map(term => term.range);
    const comments = this.#style.comments?.around(ranges, expr.range);
    const least = this.#style.isExplicit ? AND_PRECEDENCE + 1 : precedence + 1;
    return sequence(
      ...terms.map((term, index) => {
        const { before = '', after = '' } = comments?.[index] ?? {};
        const operator = index < terms.length - 1 ? ` ${text}` : '';
        return sequence(index > 0 ? LINE : '', before, group(this.print(term, least)), operator, after);
      }),
    );
  }

  #unary(expr: CallExpr): Layout {
    const operand = this.print(expr.args[0] as Expr, MEMBER_PRECEDENCE);
    if (expr.function === '!_') return sequence('!', operand);
    // A minus sign before a number would become part of it.
    return NUMBER_FIRST.test(flatString(operand)) ? sequence('-(', operand, ')') : sequence('-', operand);
  }

  #conditional(expr: CallExpr): Layout {
    const [condition, then, otherwise] = expr.args as [Expr, Expr, Expr];
    const branches = sequence(
      LINE,
      sequence('? ', group(this.print(then, OR_PRECEDENCE))),
      LINE,
      sequence(': ', group(this.print(otherwise, CONDITIONAL_PRECEDENCE))),
    );
    return sequence(group(this.print(condition, OR_PRECEDENCE)), indent(branches));
  }

  #member(expr: CallExpr): Layout {
    const [operand, key] = expr.args as [Expr, Expr];
    const target = this.print(operand, MEMBER_PRECEDENCE);
    if (expr.function === '_?._') return sequence(target, `.?${printField(literalString(key) ?? '')}`);
    return sequence(target, expr.function === '_[?_]' ? '[?' : '[', this.#free(key), ']');
  }
}

/** Returns bracketed content, indented on lines of its own if it does not fit. */
function enclosed(open: string, content: Layout, close: string): Layout {
  if (!isBreakable(content)) return sequence(open, content, close);
  return group(sequence(open, indent(sequence(SOFT_LINE, content)), SOFT_LINE, close));
}

function spaced(items: readonly Layout[]): Layout {
  return sequence(...items.flatMap((item, index) => (index === 0 ? [item] : [', ', item])));
}

/** Returns true if a sequence contains more than its items and separators. */
function hasComments(row: Layout, items: readonly Layout[]): boolean {
  return flatString(row).length > flatString(spaced(items)).length;
}

const UNARY: ReadonlySet<string> = new Set(['!_', '-_']);
const MEMBER: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);
/** An int or double, with or without sign; a uint has no sign. */
const NUMBER_FIRST = /^(?:-|\.[0-9]|(?![0-9]+u)[0-9])/;

function isOperator(expr: CallExpr, operands: number): boolean {
  return expr.target === undefined && expr.args.length === operands;
}

function isSameOperation(one: Expr, other: CallExpr): one is CallExpr {
  return one.kind === 'call' && one.function === other.function && isOperator(one, 2);
}

function precedenceOf(expr: Expr): number {
  if (expr.kind === 'error') return CONDITIONAL_PRECEDENCE;
  if (expr.kind !== 'call') return MEMBER_PRECEDENCE;
  if (isOperator(expr, 3) && expr.function === '_?_:_') return CONDITIONAL_PRECEDENCE;
  if (isOperator(expr, 1) && UNARY.has(expr.function)) return UNARY_PRECEDENCE;
  const binary = isOperator(expr, 2) ? BINARY.get(expr.function) : undefined;
  return binary?.precedence ?? MEMBER_PRECEDENCE;
}

/**
 * Returns the longest sequence of terms that parses to the tree when written without parentheses. Chains of `&&` and `||` become balanced
 * trees, so a tree of another shape needs parentheses around some of its parts, which are then terms.
 *
 * @param isChain returns true if an expression is the same operation and so may be part of the sequence
 */
function balancedTerms(root: CallExpr, isChain: (expr: Expr) => expr is CallExpr): readonly Expr[] {
  if (!root.args.some(isChain)) return root.args;
  const counts = new Map<Expr, readonly number[]>();
  const terms: Expr[] = [];
  collect(root, Math.max(...countsOf(root)));
  return terms;

  /** Returns the numbers of terms that the expression can be a sequence of. */
  function countsOf(expr: Expr): readonly number[] {
    if (!isChain(expr)) return [1];
    const known = counts.get(expr);
    if (known !== undefined) return known;
    const [left, right] = expr.args as [Expr, Expr];
    const lefts = countsOf(left);
    // The left half has as many terms as the right one, or one more.
    const rows = countsOf(right).flatMap(count =>
      [count, count + 1].filter(other => lefts.includes(other)).map(other => count + other),
    );
    const found = [1, ...new Set(rows)];
    counts.set(expr, found);
    return found;
  }

  function collect(expr: Expr, count: number): void {
    if (count === 1) {
      terms.push(expr);
      return;
    }
    const [left, right] = (expr as CallExpr).args as [Expr, Expr];
    collect(left, Math.ceil(count / 2));
    collect(right, Math.floor(count / 2));
  }
}

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

const NO_COMMENTS: ItemComments = { before: '', after: '' };

/** Assigns each comment of an expression once, to the sequence of items that it is in. */
class CommentAssignment {
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
    if (this.#left.length === 0 || items.length === 0) return items.map(() => NO_COMMENTS);
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
