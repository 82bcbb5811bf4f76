import type { CallExpr, Expr } from '@tollgate/cel';
import type { HeaderRead } from '../../expressions/header-reads.ts';
import { isNegation } from '../../expressions/source-nodes.ts';
import { literalString, variablePath } from '../../expressions/variable-path.ts';
import type { LintedExpression } from '../../rule-api/linted-expression.ts';

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
export function isWantedToExist(ancestors: readonly Expr[]): boolean {
  return ancestors.every(node => {
    if (node.kind === 'select') return !node.testOnly;
    return node.kind === 'call' && POSITIVE.has(node.function) && !isNegation(node);
  });
}
