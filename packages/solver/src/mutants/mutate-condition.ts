// Small mistakes in a condition, as edits of its source: those that people make and tests may miss.

import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, parseCidr, printLiteral } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';

/** An edit of the source of an expression that makes a mistake. */
export interface SourceMutation {
  /** What kind of mistake it is: `condition dropped`. */
  readonly operator: string;
  /** In the expression. */
  readonly range: Range;
  readonly newText: string;
  /** The part that is left out, if that is all. */
  readonly left?: Range;
}

/** Returns the mistakes in an expression, in the order of its source. Some may have no type. */
export function conditionMutations({ ast }: TypedAst, source: string): readonly SourceMutation[] {
  const found: SourceMutation[] = [];
  const textOf = ({ start, end }: Range) => source.slice(start, end);
  const add: Add = (operator, range, newText, left) => {
    if (range.start < range.end && textOf(range) !== newText)
      found.push({ operator, range, newText, ...(left && { left }) });
  };
  const visit = (expr: Expr, inList: boolean): void => {
    if (expr.kind === 'call') mutateCall(expr, textOf, add);
    if (expr.kind === 'literal') mutateLiteral(expr, { text: textOf(expr.range), inList, add });
    if (expr.kind === 'list') mutateList(expr, textOf, add);
    for (const child of childrenOf(expr)) visit(child, expr.kind === 'list');
  };
  visit(ast.root, false);
  // Macros are expanded in the tree, but not in the source.
  const strings = stringsIn(ast.root);
  for (const [written, name, other] of MACROS) {
    for (const { index } of source.matchAll(written)) {
      const start = index + 1;
      if (strings.some(range => range.start <= start && start < range.end)) continue;
      add('some or all', { start, end: start + name.length }, other);
    }
  }
  const whole = ast.root.range;
  add('negated', whole, `!(${textOf(whole)})`);
  const distinct = new Map(found.map(one => [applied(source, one), one]));
  return [...distinct.values()].toSorted((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** Returns the source with a mistake. */
export function applied(source: string, { range: { start, end }, newText }: SourceMutation): string {
  return source.slice(0, start) + newText + source.slice(end);
}

type Add = (operator: string, range: Range, newText: string, left?: Range) => void;
type TextOf = (range: Range) => string;

/** Returns a string literal in the quotes of another one, if it needs no escapes. */
function quoted(written: string, value: string): string {
  const mark = written[0];
  return mark === "'" && /^[^'\\\n\r]*$/.test(value) ? `'${value}'` : printLiteral({ type: 'string', value });
}

const MACROS = [
  [/[.]exists[(]/g, 'exists', 'all'],
  [/[.]all[(]/g, 'all', 'exists'],
] as const;

function stringsIn(expr: Expr): readonly Range[] {
  const own = expr.kind === 'literal' && expr.literal.type === 'string' ? [expr.range] : [];
  return [...own, ...childrenOf(expr).flatMap(stringsIn)];
}

const COMPARISONS: Readonly<Record<string, readonly [sign: string, changed: readonly string[]]>> = {
  '_<_': ['<', ['<=']],
  '_<=_': ['<=', ['<']],
  '_>_': ['>', ['>=']],
  '_>=_': ['>=', ['>']],
  '_==_': ['==', ['!=']],
  '_!=_': ['!=', ['==']],
};

const TESTS: Readonly<Record<string, string>> = { startsWith: 'contains', endsWith: 'contains' };

function mutateCall(call: Extract<Expr, { kind: 'call' }>, textOf: TextOf, add: Add): void {
  const { function: name, functionRange, target, args, range } = call;
  const written = textOf(functionRange);
  if (name === '_&&_' || name === '_||_') {
    const sign = name === '_&&_' ? '&&' : '||';
    // A macro makes such nodes without writing them.
    if (written !== sign) return;
    add('operator', functionRange, sign === '&&' ? '||' : '&&');
    const what = sign === '&&' ? 'condition dropped' : 'alternative dropped';
    args.forEach((dropped, at) => {
      const rest = args.filter((__, index) => index !== at).map(one => textOf(one.range));
      add(what, range, rest.length === 1 ? rest[0]! : rest.join(` ${sign} `), dropped.range);
    });
    return;
  }
  if (name === '!_' && written === '!') {
    add('negation removed', range, `(${textOf(args[0]!.range)})`);
    return;
  }
  const comparison = COMPARISONS[name];
  if (comparison !== undefined && written === comparison[0]) {
    for (const sign of comparison[1]) add('comparison', functionRange, sign);
    const [left, right] = args as [Expr, Expr];
    const isText = right.kind === 'literal' && right.literal.type === 'string' && right.literal.value.startsWith('/');
    if (name === '_==_' && isText)
      add('== to startsWith', range, `${textOf(left.range)}.startsWith(${textOf(right.range)})`);
  }
  const test = TESTS[name];
  if (test !== undefined && target !== undefined && written === name) add(`${name} to ${test}`, functionRange, test);
  const [first, second] = args;
  if (/^(?:startsWith|endsWith)$/.test(name) && first?.kind === 'literal' && first.literal.type === 'string') {
    const { value } = first.literal;
    const shorter = name === 'startsWith' ? value.slice(0, -1) : value.slice(1);
    if (shorter !== '') add('literal shortened', first.range, quoted(textOf(first.range), shorter));
  }
  if (name === 'matches' && first?.kind === 'literal' && first.literal.type === 'string')
    for (const { pattern, dropped } of patternMutations(first.literal.value)) {
      const at = dropped === undefined ? -1 : textOf(first.range).indexOf(dropped);
      const left =
        at < 0 ? undefined : { start: first.range.start + at, end: first.range.start + at + dropped!.length };
      add('pattern', first.range, quoted(textOf(first.range), pattern), left);
    }
  const key = name === '_[_]' || name === '_[?_]' ? second : name === '@in' || /Header$/.test(name) ? first : undefined;
  if (key?.kind === 'literal' && key.literal.type === 'string' && /^[A-Z][\w-]*$/.test(key.literal.value))
    add('header name', key.range, quoted(textOf(key.range), `X-${key.literal.value}`));
}

function mutateLiteral(
  { literal, range }: Extract<Expr, { kind: 'literal' }>,
  { text, inList, add }: { readonly text: string; readonly inList: boolean; readonly add: Add },
): void {
  if (literal.type === 'int' && /^\d+$/.test(text) && !inList) {
    add('bound', range, String(BigInt(literal.value) + 1n));
    if (BigInt(literal.value) > 0n) add('bound', range, String(BigInt(literal.value) - 1n));
  }
  if (literal.type === 'string' && /^['"]/.test(text)) {
    const shorter = shorterPrefix(literal.value);
    if (shorter !== undefined) add('CIDR prefix', range, quoted(text, shorter));
  }
}

function mutateList({ elements, range }: Extract<Expr, { kind: 'list' }>, textOf: TextOf, add: Add): void {
  if (elements.length < 2 || textOf(range)[0] !== '[') return;
  elements.forEach((dropped, at) => {
    const rest = elements.filter((__, index) => index !== at).map(one => textOf(one.range));
    add('list element', range, `[${rest.join(', ')}]`, dropped.range);
  });
}

/** Returns a range of addresses that is twice as large; undefined for other strings. */
export function shorterPrefix(text: string): string | undefined {
  const cidr = text.includes('/') ? parseCidr(text) : undefined;
  if (cidr === undefined || cidr.prefixLength === 0) return undefined;
  return text.replace(/\/\d+$/, `/${cidr.prefixLength - 1}`);
}

/** A pattern that matches a little more or less than another one. */
interface PatternMutation {
  readonly pattern: string;
  /** The alternative that is left out, if that is all. */
  readonly dropped?: string;
}

/** Returns patterns that match a little more or less. */
export function patternMutations(pattern: string): readonly PatternMutation[] {
  const found = [
    pattern.replace(/^((?:\(\?i\))?)(?:\^|\\A)/, '$1'),
    pattern.replace(/(?<!\\)(?:\$|\\z)$/, ''),
    pattern.startsWith('(?i)') ? pattern.slice(4) : `(?i)${pattern}`,
    pattern.replace(/\[[.]\]|\\[.]/, '.'),
    withoutClass(pattern),
    pattern.replace(/\{(\d+),/, (_, least: string) => `{${Math.max(0, Number(least) - 1)},`),
    pattern.replace(/(?<=[\])\w])\+/, '*'),
  ].map(one => ({ pattern: one }));
  const all = [...found, ...alternatives(pattern)];
  const distinct = new Map(all.map(one => [one.pattern, one]));
  return [...distinct.values()].filter(one => one.pattern !== pattern && one.pattern !== '');
}

/**
 * Returns true if two patterns certainly find the same in every string without line breaks, as URLs are: they differ in anchors next to `.*`, or in
 * case where nothing has one. What begins with `.*` is found at the start or not at all, and what ends with it goes on to the end.
 */
export function findsAlike(pattern: string, other: string): boolean {
  const [own, others] = [pattern, other].map(partsOf);
  if (own!.core !== others!.core || own!.core.includes('|')) return false;
  const { core } = own!;
  if (own!.ignoresCase !== others!.ignoresCase && /[^\x20-\x40[-`{-~]/.test(core)) return false;
  if (own!.start !== others!.start && !/^(?:\((?:\?:)?)*[.][*]/.test(core)) return false;
  return own!.end === others!.end || /(?<!\\)[.][*]\)*$/.test(core);
}

function partsOf(pattern: string) {
  const [, flag = '', start = '', core = '', end = ''] = /^(\(\?i\))?(\^|\\A)?(.*?)((?<!\\)\$|\\z)?$/s.exec(pattern)!;
  return { ignoresCase: flag !== '', start: start !== '', core, end: end !== '' };
}

/** Lets the first class of characters match any. */
function withoutClass(pattern: string): string {
  const start = pattern.indexOf('[');
  const end = pattern.indexOf(']', start + 2);
  return start < 0 || end < start + 3 || pattern[start - 1] === '\\'
    ? pattern
    : `${pattern.slice(0, start)}.${pattern.slice(end + 1)}`;
}

/** Drops each alternative of the first group of plain ones. */
function alternatives(pattern: string): readonly PatternMutation[] {
  for (let start = pattern.indexOf('('); start >= 0; start = pattern.indexOf('(', start + 1)) {
    const end = pattern.indexOf(')', start);
    const inner = pattern.slice(start + 1, end).replace(/^[?]:/, '');
    if (end < 0 || !inner.includes('|') || /[()[\]\\]/.test(inner)) continue;
    const [before, after] = [pattern.slice(0, end - inner.length), pattern.slice(end)];
    const words = inner.split('|');
    return words.map((dropped, at) => ({
      pattern: before + words.filter((_, index) => index !== at).join('|') + after,
      ...(dropped !== '' && { dropped }),
    }));
  }
  return [];
}
