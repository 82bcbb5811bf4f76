import type { VariableFact } from '@tollgate/catalog';
import type { Ast, CallExpr, Expr, Type, TypedAst } from '@tollgate/cel';
import { inputPathOf, mapChildren } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';

/** The expressions `${…}` in a string. */
export interface Interpolations {
  /** Ranges of the expressions within the string, without `${` and `}`. */
  readonly expressions: readonly Range[];
  /** Range of an unterminated `${`. */
  readonly unclosed: Range | undefined;
}

/** String literals, triple-quoted ones first: braces in them do not count. Raw ones have no escapes. */
const STRING_LITERAL =
  /[rR][bB]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')|"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/y;

/** Finds the expressions in a string. With the escape `$${`, that stands for a literal `${`. Takes linear time. */
export function findInterpolations(text: string, escapedAs: '$${' | 'none'): Interpolations {
  const expressions: Range[] = [];
  for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', at)) {
    if (escapedAs === '$${' && text[at - 1] === '$') {
      at += 2;
      continue;
    }
    const end = endOfExpression(text, at + 2);
    if (end === undefined) return { expressions, unclosed: { start: at, end: at + 2 } };
    expressions.push({ start: at + 2, end });
    at = end + 1;
  }
  return { expressions, unclosed: undefined };
}

/** Returns the offset of the brace that closes the one before `start`, or undefined. */
function endOfExpression(text: string, start: number): number | undefined {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const literal = literalAt(text, at);
    if (literal > 0) {
      at += literal;
      continue;
    }
    if (text[at] === '}' && depth-- === 0) return at;
    if (text[at] === '{') depth += 1;
    at += 1;
  }
  return undefined;
}

/** Returns the length of the string literal that begins here, or 0. */
function literalAt(text: string, at: number): number {
  if (text[at] === '\\') return escapedLiteralAt(text, at);
  if (!/["'rR]/.test(text[at]!) || /\w/.test(text[at - 1] ?? '')) return 0;
  STRING_LITERAL.lastIndex = at;
  return STRING_LITERAL.exec(text)?.[0].length ?? 0;
}

/** The length of a literal with escaped quotes, as in a JSON string: `\"name\"`. */
function escapedLiteralAt(text: string, at: number): number {
  const quote = text[at + 1];
  if (quote !== '"' && quote !== "'") return 0;
  const end = text.indexOf(`\\${quote}`, at + 2);
  return end < 0 ? 0 : end + 2 - at;
}

/**
 * Returns the source of an expression in a string. Its quotes may be escaped if the surrounding string is in
 * double quotes; each backslash becomes a space, which keeps offsets.
 */
export function expressionSource(written: string): string {
  if (!/\\["']/.test(written)) return written;
  let source = '';
  for (let at = 0; at < written.length; ) {
    const length = Math.max(literalAt(written, at), 1);
    const part = written.slice(at, at + length);
    const isEscaped = length > 1 && part.startsWith('\\');
    source += isEscaped ? ` ${part.slice(1, -2)}${part.at(-1)} ` : part;
    at += length;
  }
  return source;
}

/** Operators whose other operand determines the type of an open value. */
const OPERATORS: ReadonlySet<string> = new Set([
  ...['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_', '@in'],
  ...['_+_', '_-_', '_*_', '_/_', '_%_'],
]);

/**
 * Some values are declared as strings and also compared with numbers, or vice versa (`alsoReadAs` in the catalog). Where
 * one is combined with a value of the other type, this inserts the intended conversion: `res.StatusCode >= 500` becomes
 * `int(res.StatusCode) >= 500`. Returns undefined if nothing needs a conversion.
 */
export function convertOpenValues(typed: TypedAst, variables: readonly VariableFact[]): Ast | undefined {
  const open = new Map(variables.flatMap(fact => (fact.alsoReadAs ? [[fact.path, fact.alsoReadAs] as const] : [])));
  if (open.size === 0) return undefined;
  const { ast } = typed;
  let { nextId } = ast;
  const convert = (operand: Expr, other: Expr | undefined): Expr => {
    const conversion = open.get(inputPathOf(typed, operand, { isField: ({ testOnly }) => !testOnly }) ?? '');
    if (conversion === undefined || !other || !MEANS[conversion](typed.types[other.id])) return operand;
    return conversionCall(conversion, operand, nextId++);
  };
  const rewrite = (expr: Expr): Expr => {
    const inner = mapChildren(expr, rewrite);
    if (inner.kind !== 'call' || !OPERATORS.has(inner.function)) return inner;
    const [left, right] = inner.args;
    return left && right ? { ...inner, args: [convert(left, right), convert(right, left)] } : inner;
  };
  const root = rewrite(ast.root);
  return nextId === ast.nextId ? undefined : { ...ast, root, nextId };
}

function conversionCall(name: string, operand: Expr, id: number): CallExpr {
  const { range } = operand;
  return { kind: 'call', id, range, function: name, functionRange: range, target: undefined, args: [operand] };
}

/** By the other type of an open value: does an operand call for that type? */
const MEANS = { int: isNumeric, string: isString } as const;

function isString(type: Type | undefined): boolean {
  return type?.kind === 'list' ? isString(type.element) : type?.kind === 'string';
}

function isNumeric(type: Type | undefined): boolean {
  if (type?.kind === 'list') return isNumeric(type.element);
  return type?.kind === 'int' || type?.kind === 'uint' || type?.kind === 'double';
}
