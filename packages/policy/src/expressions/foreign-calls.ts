// Calls that JavaScript, Python and PHP have for what CEL writes otherwise, such as `m.get('a')` or `isset(m['a'])`: the expressions that may be meant.

import type { CallExpr, Expr } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';

/** An expression that may be meant instead of a call; whether it is, only its types show. */
interface MeantExpression {
  readonly text: string;
  /** True if it needs parentheses inside of another expression. */
  readonly isOperator: boolean;
}

/** What is wrong with a call, and what may be meant, the likeliest first. */
interface ForeignCall {
  readonly what: string;
  readonly meant: readonly MeantExpression[];
}

/** Returns the call whose function has this range. */
export function callOf(node: Expr, range: Range): CallExpr | undefined {
  if (node.range.start > range.start || node.range.end < range.end) return undefined;
  const isIt = node.kind === 'call' && node.functionRange.start === range.start && node.functionRange.end === range.end;
  return isIt
    ? node
    : childrenOf(node).reduce<CallExpr | undefined>((found, one) => found ?? callOf(one, range), undefined);
}

/** Returns what may be meant by a call that CEL does not have, or has as a method only; undefined if nothing is known about it. */
export function foreignCall(
  { function: name, target, args }: CallExpr,
  source: string,
  isMethod: boolean,
): ForeignCall | undefined {
  const [first, ...others] = args.map(one => source.slice(one.range.start, one.range.end));
  const of = target && source.slice(target.range.start, target.range.end);
  const plain = (text: string): MeantExpression => ({ text, isOperator: false });
  const isIn = (key: string, map: string): MeantExpression => ({ text: `${key} in ${map}`, isOperator: true });
  if (isMethod)
    return first === undefined || of !== undefined
      ? undefined
      : { what: `\`${name}\` is a method`, meant: [plain(`${first}.${name}(${others.join(', ')})`)] };
  if (of === undefined) {
    const tests = args.length === 1 && /^(?:isset|defined|is_?defined|exists?|present)$/i.test(name);
    return tests
      ? { what: '`in` tests for a key, and `has` for a field', meant: presenceOf(args[0]!, source) }
      : undefined;
  }
  if (first === undefined)
    return /^(?:keys|keySet)$/.test(name) ? { what: '`in` looks up the keys of a map', meant: [plain(of)] } : undefined;
  const loop = /^(?:any|some|every|find)$/.test(name) && args.length === 2 && args[0]!.kind === 'ident';
  if (loop) {
    const own = name === 'every' ? 'all' : 'exists';
    return { what: `CEL has no \`${name}\``, meant: [plain(`${of}.${own}(${first}, ${others.join(', ')})`)] };
  }
  if (name === 'get') return { what: 'maps have no `get`', meant: [plain(`${of}[${first}]`), isIn(first, of)] };
  if (/^(?:has|has_?own_?property|has_?key|contains_?key)$/i.test(name))
    return { what: '`in` tests for a key', meant: [isIn(first, of)] };
  if (/^includes?$/i.test(name))
    return { what: `CEL has no \`${name}\``, meant: [plain(`${of}.contains(${first})`), isIn(first, of)] };
  return undefined;
}

/** A test that something is there: the key of a map, or a field. */
function presenceOf(node: Expr, source: string): readonly MeantExpression[] {
  const text = source.slice(node.range.start, node.range.end);
  const [map, key] = node.kind === 'call' && node.function === '_[_]' ? node.args : [];
  if (!map || !key) return [{ text: `has(${text})`, isOperator: false }];
  const [of, name] = [map, key].map(one => source.slice(one.range.start, one.range.end));
  return [{ text: `${name} in ${of}`, isOperator: true }];
}
