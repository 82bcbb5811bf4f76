import type { Profile } from '@tollgate/catalog';
import { type CallExpr, type Environment, type Expr, formatType, parse, type TypedAst } from '@tollgate/cel';
import { childrenOf, type PlacedOperator, placedOperator } from '@tollgate/cel/tooling';
import type { Diagnostic, Fix } from '@tollgate/diagnostics';
import { canonicalHeaderName } from './header-name.ts';

/** The expression that was probably meant. */
interface Meant {
  readonly source: string;
  readonly applicability: Fix['applicability'];
  /** Undefined if the source needs no parentheses inside another expression. */
  readonly operator?: PlacedOperator;
}

type HeaderNames = Profile['headerNames'];

/** Adds a suggestion to a type mismatch, such as `in` for a list of header values, if one is known. */
export function explainMismatch(
  diagnostic: Diagnostic,
  typed: TypedAst,
  { headerNames }: Pick<Profile, 'headerNames'>,
): Diagnostic {
  if (diagnostic.code !== 'type/no-matching-overload') return diagnostic;
  const call = callAt(typed.ast.root, diagnostic);
  const quoted = call && quotedOperand(call, typed);
  if (quoted) return withQuotes(diagnostic, quoted);
  const meant = call && meantBy(call, typed, headerNames);
  return meant ? withReplacement(diagnostic, meant, { source: typed.ast.source, range: call.range }) : diagnostic;
}

/** Adds a suggestion to `has(m['a'])`: the macro takes a field, and the test for a key is `'a' in m`. */
export function explainHas(
  diagnostic: Diagnostic,
  source: string,
  { environment, profile: { headerNames } }: { readonly environment: Environment; readonly profile: Profile },
): Diagnostic {
  const { start, end } = diagnostic.range;
  const macro = /\bhas\(\s*$/.exec(source.slice(0, start));
  const close = /^\s*\)/.exec(source.slice(end));
  if (diagnostic.code !== 'syntax/invalid-macro-argument' || !macro || !close) return diagnostic;
  const argument = source.slice(start, end);
  const { ast, diagnostics } = parse(argument, environment);
  if (diagnostics.length > 0) return diagnostic;
  // The values of a header are never an empty list.
  const [list] = isIndex(ast.root) && numberOf(ast.root.args[1]) === '0' ? ast.root.args : [];
  const entry = entryOf(list ?? ast.root, argument, headerNames);
  if (!entry) return diagnostic;
  return withReplacement(
    diagnostic,
    { source: entry.question, applicability: list ? 'suggestion' : 'safe', operator: 'in' },
    { source, range: { start: macro.index, end: end + close[0].length } },
  );
}

function withReplacement(
  diagnostic: Diagnostic,
  { source: newText, applicability, operator }: Meant,
  place: { readonly source: string; readonly range: Diagnostic['range'] },
): Diagnostic {
  const placed = operator ? placedOperator(newText, operator, place) : newText;
  const edits = [{ range: place.range, newText: placed }];
  const fix: Fix = { title: `change to \`${newText}\``, applicability, edits };
  return { ...diagnostic, message: `${diagnostic.message}; write \`${newText}\``, fixes: [fix] };
}

const COMPARISONS: ReadonlySet<string> = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_']);

/** A literal with quotes that it must not have, or without quotes that it needs. */
interface QuotedOperand {
  readonly node: Expr;
  readonly newText: string;
  readonly remedy: string;
}

function quotedOperand({ function: name, args }: CallExpr, typed: TypedAst): QuotedOperand | undefined {
  if (!COMPARISONS.has(name)) return undefined;
  for (const [node, other] of [args, args.toReversed()]) {
    if (node?.kind !== 'literal' || !other) continue;
    const { literal } = node;
    const type = typeOf(other, typed);
    const source = typed.ast.source.slice(node.range.start, node.range.end);
    if (literal.type === 'string' && fitsWithoutQuotes(literal.value, type))
      return { node, newText: literal.value, remedy: `remove the quotes: \`${literal.value}\`` };
    if (type === 'string' && ['int', 'double', 'bool'].includes(literal.type))
      return { node, newText: `'${source}'`, remedy: `put quotes around it: \`'${source}'\`` };
  }
  return undefined;
}

function fitsWithoutQuotes(value: string, type: string): boolean {
  if (type === 'bool') return value === 'true' || value === 'false';
  return type === 'double' ? /^-?\d+\.?\d*$/.test(value) : type === 'int' && /^-?\d{1,18}$/.test(value);
}

function withQuotes(diagnostic: Diagnostic, { node, newText, remedy }: QuotedOperand): Diagnostic {
  const edits = [{ range: node.range, newText }];
  const fix: Fix = { title: remedy.split(':')[0]!, applicability: 'suggestion', edits };
  return { ...diagnostic, message: `${diagnostic.message}; ${remedy}`, fixes: [fix] };
}

/** Returns the innermost call that a range belongs to. */
function callAt(node: Expr, { range }: Pick<Diagnostic, 'range'>): CallExpr | undefined {
  if (node.range.start > range.start || node.range.end < range.end) return undefined;
  for (const child of childrenOf(node)) {
    const inner = callAt(child, { range });
    if (inner) return inner;
  }
  return node.kind === 'call' ? node : undefined;
}

function meantBy(call: CallExpr, typed: TypedAst, headerNames: HeaderNames): Meant | undefined {
  const nodes = call.target ? [call.target, ...call.args] : call.args;
  const [a, b] = nodes.map(node => ({ node, type: typeOf(node, typed), source: operandOf(node, typed) }));
  if (!a || !b) return undefined;
  if (call.function === '@in' && a.type === 'string' && b.type === 'string')
    return { source: `${b.source}.contains(${a.source})`, applicability: 'safe' };
  if (call.function === 'contains' && a.type.startsWith('map(string') && b.type === 'string')
    return {
      source: `${keyOf(b.node, a.source, typed.ast.source, headerNames) ?? b.source} in ${a.source}`,
      applicability: 'safe',
      operator: 'in',
    };
  const isEither = call.function === '_==_' || call.function === '_!=_';
  const [list, other] = isEither && b.type === 'list(string)' ? [b, a] : [a, b];
  if (list.type !== 'list(string)') return undefined;
  return listTest(call.function, listOperand(list.node, typed, headerNames), other);
}

/** A list of strings that was taken for a string, such as the values of a header. */
interface ListOperand {
  readonly source: string;
  /** A condition that holds if there is a value. */
  readonly exists: string;
  readonly isMissing: string;
  /** True if reading the list is an error without a value. */
  readonly mayFail: boolean;
}

function listOperand(node: Expr, typed: TypedAst, headerNames: HeaderNames): ListOperand {
  const entry = entryOf(node, typed.ast.source, headerNames);
  if (entry) return { source: entry.source, exists: entry.question, isMissing: `!(${entry.question})`, mayFail: true };
  const source = operandOf(node, typed);
  return { source, exists: `size(${source}) > 0`, isMissing: `size(${source}) == 0`, mayFail: false };
}

const STRING_TESTS: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith', 'matches']);

/**
 * Returns the test of a list that means what a test of its one string would mean. Without a value, the string would be empty: the header is
 * absent, and reading it would be an error.
 */
function listTest(
  name: string,
  list: ListOperand,
  other: { readonly node: Expr; readonly type: string; readonly source: string },
): Meant | undefined {
  const guarded = (test: string): Meant =>
    list.mayFail
      ? { source: `${list.exists} && ${test}`, applicability: 'suggestion', operator: '&&' }
      : { source: test, applicability: 'suggestion', operator: 'in' };
  const orMissing = (test: string): Meant => ({
    ...{ source: `${list.isMissing} || ${test}`, applicability: 'suggestion', operator: '||' },
  });
  const isEmpty = isEmptyString(other.node);
  const membership = `${other.source} in ${list.source}`;
  const variable = /\bv\b/.test(other.source) ? 'value' : 'v';
  if (other.type === 'null' && (name === '_==_' || name === '_!=_'))
    return { source: name === '_==_' ? list.isMissing : list.exists, applicability: 'suggestion', operator: 'in' };
  if (name === '@in' && other.type === 'list(string)') {
    const test = `${list.source}.exists(${variable}, ${variable} in ${other.source})`;
    const isOptional = other.node.kind === 'list' && other.node.elements.some(isEmptyString);
    return isOptional ? orMissing(test) : guarded(test);
  }
  if (other.type !== 'string') return undefined;
  if (name === '_==_') return isEmpty ? orMissing(membership) : guarded(membership);
  if (name === '_!=_' && isEmpty)
    return { source: `${list.exists} && !(${membership})`, applicability: 'suggestion', operator: '&&' };
  if (name === '_!=_') return { source: `!(${guarded(membership).source})`, applicability: 'suggestion' };
  return STRING_TESTS.has(name)
    ? guarded(`${list.source}.exists(${variable}, ${variable}.${name}(${other.source}))`)
    : undefined;
}

/** An entry of a map with a constant key, with the key in the spelling that the map has. */
interface EntryOperand {
  readonly source: string;
  /** The test that the map has the key. */
  readonly question: string;
}

function entryOf(node: Expr, source: string, headerNames: HeaderNames): EntryOperand | undefined {
  const [map, index] = isIndex(node) ? node.args : [];
  if (!map || index?.kind !== 'literal' || index.literal.type !== 'string') return undefined;
  const mapSource = source.slice(map.range.start, map.range.end);
  const key = keyOf(index, mapSource, source, headerNames) ?? source.slice(index.range.start, index.range.end);
  return { source: `${mapSource}[${key}]`, question: `${key} in ${mapSource}` };
}

/** Returns the source of a header name as the map of headers spells it; undefined if it is right, or of another map. */
function keyOf(node: Expr, map: string, source: string, headerNames: HeaderNames): string | undefined {
  if (!/\.headers$/i.test(map) || node.kind !== 'literal' || node.literal.type !== 'string') return undefined;
  const { value } = node.literal;
  const spelled = headerNames === 'canonical' ? canonicalHeaderName(value) : value.toLowerCase();
  return spelled === value ? undefined : source.slice(node.range.start, node.range.end).replace(value, spelled);
}

function isIndex(node: Expr): node is CallExpr {
  return node.kind === 'call' && node.function === '_[_]';
}

function isEmptyString(node: Expr): boolean {
  return node.kind === 'literal' && node.literal.type === 'string' && node.literal.value === '';
}

function numberOf(node: Expr | undefined): string | undefined {
  return node?.kind === 'literal' ? String(node.literal.value) : undefined;
}

function typeOf(node: Expr, { types }: TypedAst): string {
  const type = types[node.id];
  return type ? formatType(type) : '';
}

/** Returns the source of an operand, in parentheses if it is an operator. */
function operandOf(node: Expr, { ast }: TypedAst): string {
  const source = ast.source.slice(node.range.start, node.range.end);
  const isOperator = node.kind === 'call' && /^[^a-zA-Z]/.test(node.function) && !/^_\[/.test(node.function);
  return isOperator ? `(${source})` : source;
}
