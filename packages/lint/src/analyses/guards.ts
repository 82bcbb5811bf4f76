// Whether a read that may fail is guarded, whether its failure lets traffic through, and fixes that add a guard.

import type { CallExpr, Expr } from '@tollgate/cel';
import { placedOperator } from '@tollgate/cel/tooling';
import type { Fix, Range } from '@tollgate/diagnostics';
import { isRefusal } from '../readers/actions.ts';
import type { HeaderRead } from '../readers/lookups.ts';
import { isNegation, literalString, variablePath } from '../readers/source-nodes.ts';
import type { LintedFile } from '../rule-api/lint-context.ts';
import { editsOf, type LintedExpression, sourceOf } from '../rule-api/linted-expression.ts';

/**
 * Returns true if an evaluation error at the visited node lets traffic through that should be refused: the condition then does not match,
 * although a missing or malformed value would have been refused. Valid only during the visit.
 */
export function failsOpen(at: LintedExpression, file: Pick<LintedFile, 'profile'>): boolean {
  return isPassedByError(at, file) && !isWantedToExist(at.ancestors);
}

/** Returns true if an evaluation error lets traffic through that the rule otherwise refuses. */
function isPassedByError(at: LintedExpression, { profile }: Pick<LintedFile, 'profile'>): boolean {
  if (at.role !== 'condition' || profile.switches.evaluationError === 'fail-request') return false;
  return at.rule.actions.some(isRefusal);
}

/** What a condition reads without a test. */
interface UnguardedRead {
  readonly name: string;
  readonly side: 'request' | 'response';
  readonly question: string;
}

/**
 * Returns the message for a read that fails for traffic without the name. In a rule that refuses traffic, it says what happens then: an
 * error is no match, so the traffic passes. Valid only during the visit.
 */
export function unguardedMessage(
  { name, side, question }: UnguardedRead,
  at: LintedExpression,
  file: Pick<LintedFile, 'profile'>,
): string {
  const what = `condition fails with an error for ${side}s without \`${name}\``;
  if (!isPassedByError(at, file) || isWantedValue(at.ancestors)) return `${what}; test \`${question}\` first`;
  return `${what}, ${isDecisive(at.ancestors) ? 'so this rule lets them pass' : 'which this rule may then let pass'}; test \`${question}\` first`;
}

/** Returns true if the condition cannot hold when one of its parts ends in an error. */
function isDecisive(ancestors: readonly Expr[]): boolean {
  const isNegated = ancestors.some(node => node.kind === 'call' && isNegation(node));
  return ancestors.every(node => {
    if (node.kind !== 'call') return true;
    return node.function === '_&&_' ? !isNegated : !MAY_HOLD.has(node.function);
  });
}

/** Operators and macros whose other operands or elements may decide in spite of an error. */
const MAY_HOLD: ReadonlySet<string> = new Set([
  ...['_||_', '_?_:_', 'exists', 'all', 'exists_one', 'existsOne', 'filter', 'map'],
]);

/** A read of a constant name in a map: `req.Headers['X-A']`. */
type GuardedRead = Pick<HeaderRead, 'path' | 'name'>;

/**
 * Returns true if a read of a name decides only if the name exists: a test of the same name guards it, in the same expression or in another
 * condition of the rule.
 */
export function isGuarded(read: GuardedRead, node: CallExpr, at: LintedExpression): boolean {
  const path: readonly Expr[] = [...at.ancestors, node];
  for (let index = path.length - 2; index >= 0; index -= 1) {
    const outer = path[index]!;
    if (outer.kind === 'call' && guardsIn(outer, path[index + 1]!).some(one => implies(one, read, at))) return true;
  }
  return at.role === 'condition' && isGuardedByOther(read, at);
}

/** A condition, and the result for which the guarded part decides. */
interface Guard {
  readonly node: Expr;
  readonly holds: boolean;
}

/** `a && b` equals `b && a`: an error of one operand does not count if the other one decides. */
function guardsIn(outer: CallExpr, inner: Expr): readonly Guard[] {
  const [first, second] = outer.args;
  const other = inner === first ? second : first;
  if (outer.function === '_&&_' && other) return [{ node: other, holds: true }];
  if (outer.function === '_||_' && other) return [{ node: other, holds: false }];
  if (outer.function !== '_?_:_' || inner === first || !first) return [];
  return [{ node: first, holds: inner === second }];
}

function isGuardedByOther(read: GuardedRead, at: LintedExpression): boolean {
  return at.rule.expressions.some(
    ({ typed }) =>
      typed !== undefined && typed !== at.typed && implies({ node: typed.ast.root, holds: true }, read, { typed }),
  );
}

/** Returns true if the name exists whenever the guard holds. */
function implies({ node, holds }: Guard, read: GuardedRead, at: Pick<LintedExpression, 'typed'>): boolean {
  if (node.kind === 'call' && node.function === '!_') return implies({ node: node.args[0]!, holds: !holds }, read, at);
  if (node.kind === 'call' && node.function === (holds ? '_&&_' : '_||_'))
    return node.args.some(part => implies({ node: part, holds }, read, at));
  if (!holds) return false;
  if (node.kind === 'select' && node.testOnly) return node.field === read.name;
  if (node.kind === 'call' && node.function === '@in') return isTestOf(node, read, at);
  return node.kind === 'call' && isFunctionOf(node, read);
}

function isTestOf(
  { args: [key, map] }: CallExpr,
  { path, name }: GuardedRead,
  { typed }: Pick<LintedExpression, 'typed'>,
) {
  const tested = literalString(key);
  if (tested === undefined || !map || variablePath(typed, map) !== path) return false;
  return tested === name || (HEADERS.test(path) && isSame(tested, name));
}

const HEADERS = /\.headers$/i;

/** Functions such as `hasReqHeader('X-A')`, whose name differs between the profiles. */
function isFunctionOf({ function: name, args }: CallExpr, read: GuardedRead): boolean {
  const [first] = args;
  const isText = first?.kind === 'literal' && first.literal.type === 'string';
  return /^has(?:Re[qs]Header|_re[qs]_header)$/.test(name) && isText && isSame(String(first.literal.value), read.name);
}

/** Header names are case-insensitive. */
function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

const POSITIVE: ReadonlySet<string> = new Set([
  ...['_&&_', '_||_', '_==_', '_[_]', '@in', 'startsWith', 'endsWith', 'contains', 'matches', 'exists', 'exists_one'],
  ...['lowerAscii', 'upperAscii', 'lower', 'upper', 'trim', 'split', 'substring', 'replace', 'join', 'string', 'int'],
  ...['double', 'dyn', 'decodeBase64', 'decodeJson', 'unescapeUrl', 'base64.decode', 'json.decode', 'url.unescape'],
]);

/** Returns true if the condition can hold only if the value exists, given the nodes around it. */
function isWantedToExist(ancestors: readonly Expr[]): boolean {
  return ancestors.every(node => {
    if (node.kind === 'select') return !node.testOnly;
    return node.kind === 'call' && POSITIVE.has(node.function) && !isNegation(node);
  });
}

/** Like {@link isWantedToExist}; whoever compares a value with nothing at all means a missing one too. */
export function isWantedValue(ancestors: readonly Expr[]): boolean {
  return isWantedToExist(ancestors) && !ancestors.some(isTestForNothing);
}

/** Returns true for `x == ''`, and for a list of that. */
function isTestForNothing(node: Expr): boolean {
  return node.kind === 'call' && node.function === '_==_' && node.args.some(isNothing);
}

function isNothing(node: Expr): boolean {
  return node.kind === 'list' ? node.elements.every(isNothing) : literalString(node) === '';
}

/** Macros as written have no type. */
function isMacroOfTruth(node: Expr): boolean {
  return node.kind === 'call' && /^(?:has|all|exists|exists_one|existsOne)$/.test(node.function);
}

function isNegationNode(node: Expr): boolean {
  return node.kind === 'call' && isNegation(node);
}

/** Tests that do not hold for a value that is missing. */
const NEEDS_PRESENCE: ReadonlySet<string> = new Set([
  ...['_==_', '@in', 'contains', 'startsWith', 'endsWith', 'matches', 'exists', 'exists_one', 'existsOne'],
]);

/** How to test for a value, and how to write the key that its map has. */
interface GuardToWrite {
  readonly question: string;
  /** The key of the read, and its spelling in the map. */
  readonly key?: { readonly range: Range; readonly source: string };
}

/**
 * Returns a fix that tests for a value first, around the smallest condition that reads it, so that a missing value has the result that is
 * natural for that condition: it equals nothing, and differs from everything. Where neither is natural, as for `<`, the rule matches
 * without the value. Valid only during the visit.
 */
export function guardFixes(at: LintedExpression, node: Expr, { question, key }: GuardToWrite): readonly Fix[] {
  const path = [...at.ancestors, node];
  const index = path.findLastIndex(one => at.typed.types[one.id]?.kind === 'bool' || isMacroOfTruth(one));
  const condition = path[index];
  if (!condition) return [];
  // Each negation reverses the result that the guard needs.
  const isReversed = path.slice(0, index).filter(isNegationNode).length % 2 === 1;
  const name = condition.kind === 'call' ? condition.function : '';
  const needsValue = NEEDS_PRESENCE.has(name) && !isTestForNothing(condition);
  const mustExist = needsValue || (name !== '_!=_' && isReversed);
  const { source } = at.typed.ast;
  const own = withKey(at, condition, key);
  const inner = name === (mustExist ? '_||_' : '_&&_') || name === '_?_:_' ? `(${own})` : own;
  const operator = mustExist ? '&&' : '||';
  const whole = `${mustExist ? question : negation(question)} ${operator} ${inner}`;
  const newText = placedOperator(whole, operator, { source, range: condition.range });
  const edits = editsOf(at, [{ range: condition.range, newText }]);
  return [{ title: `test \`${question}\` first`, applicability: 'suggestion', edits }];
}

/** Returns the opposite of a question. */
function negation(question: string): string {
  if (/ > 0$/.test(question)) return question.replace(/ > 0$/, ' == 0');
  return /^[\w.]+\([^()]*\)$/.test(question) ? `!${question}` : `!(${question})`;
}

function withKey(at: LintedExpression, { range }: Expr, key: GuardToWrite['key']): string {
  const own = sourceOf(at, range);
  if (!key) return own;
  return own.slice(0, key.range.start - range.start) + key.source + own.slice(key.range.end - range.start);
}
