import type { CallExpr, Expr } from '../../ast/ast.ts';
import { isSized } from '../../lowering/call-steps.ts';
import { equals, equalsNumber } from '../../runtime/collections/equality.ts';
import { isOpen } from '../../types/structure.ts';
import { DYN, type Type } from '../../types/type.ts';
import { NonValue } from '../../values/value.ts';
import { pathEquals } from '../access/path.ts';
import { type Code, type Compiler, chargedCode, locator } from '../code/code.ts';
import { convertCode } from '../code/conversion.ts';
import { compileWhole } from '../code/whole-code.ts';

/** `==` and `!=`: by identity if the static types allow it, otherwise by CEL equality. */
export function compileEquality(call: CallExpr, compiler: Compiler): Code {
  const [left, right] = call.args as readonly [Expr, Expr];
  const equal = call.function === '_==_';
  if (comparesByIdentity(compiler.typeOf(left), compiler.typeOf(right))) {
    return (
      stringEquality(call, compiler) ??
      identity(compileLeft(call, compiler), compiler.compile(right), { equal, compiler })
    );
  }
  const tagged = (expr: Expr): Code =>
    convertCode(compileWhole(expr, compiler), { from: compiler.typeOf(expr), to: DYN, exprId: call.id });
  const withLiteral = literalEquality(call, tagged(left), { equal, compiler });
  if (withLiteral !== undefined) return withLiteral;
  const isLooked = right.kind !== 'literal' && isSized(compiler.typeOf(left));
  const first = isLooked ? chargedCode(tagged(left), left, compiler) : tagged(left);
  return deep(first, tagged(right), { equal, compiler, exprId: call.id });
}

/** Comparing a dynamic value with a literal costs no step: it equals a string or bool only if identical; an int may also equal another number. */
function literalEquality(call: CallExpr, left: Code, { equal, compiler }: Identity): Code | undefined {
  const [expr, right] = call.args as readonly [Expr, Expr];
  if (right.kind !== 'literal' || !isOpen(compiler.typeOf(expr))) return undefined;
  const { type, value } = right.literal;
  if (type === 'string' || type === 'bool') return identityToConstant(left, value, equal);
  if (type !== 'int') return undefined;
  return (activation, locals) => {
    const outcome = left(activation, locals);
    return outcome instanceof NonValue ? outcome : equalsNumber(outcome, value) === equal;
  };
}

/** Comparing strings is charged by their length unless one is a literal. */
function compileLeft({ args }: CallExpr, compiler: Compiler): Code {
  const [left, right] = args as readonly [Expr, Expr];
  const code = compiler.compile(left);
  return compiler.typeOf(left).kind === 'string' && right.kind !== 'literal' ? chargedCode(code, left, compiler) : code;
}

/**
 * Canonical integers are equal if and only if they are identical, bigints included. For doubles, NaN differs from itself and 0 equals -0.
 */
function comparesByIdentity(left: Type, right: Type): boolean {
  return left.kind === right.kind && SCALARS.has(left.kind);
}

const SCALARS: ReadonlySet<Type['kind']> = new Set(['bool', 'int', 'uint', 'double', 'string']);

/** `path == "string"`. Compiles the left side once: twice at each level would take exponential time. */
function stringEquality(call: CallExpr, compiler: Compiler): Code | undefined {
  const [left, right] = call.args as readonly [Expr, Expr];
  if (call.function !== '_==_' || right.kind !== 'literal' || right.literal.type !== 'string') return undefined;
  const exact = identityToConstant(compiler.compile(left), right.literal.value, true);
  return pathEquals(left, right.literal.value, { exact, compiler }) ?? exact;
}

interface Identity {
  readonly equal: boolean;
  readonly compiler: Compiler;
}

function identity(left: Code, right: Code, { equal, compiler }: Identity): Code {
  const constantRight = compiler.constantOf(right);
  if (constantRight instanceof NonValue) return failing(left, constantRight);
  if (constantRight !== undefined) return identityToConstant(left, constantRight, equal);
  const constantLeft = compiler.constantOf(left);
  const isValue = constantLeft !== undefined && !(constantLeft instanceof NonValue);
  if (isValue) return identityToConstant(right, constantLeft, equal);
  return (activation, locals) => {
    const l = left(activation, locals);
    if (l instanceof NonValue) return l;
    const r = right(activation, locals);
    return r instanceof NonValue ? r : (l === r) === equal;
  };
}

function identityToConstant(code: Code, constant: unknown, equal: boolean): Code {
  if (equal) {
    return (activation, locals) => {
      const outcome = code(activation, locals);
      return outcome === constant ? true : outcome instanceof NonValue ? outcome : false;
    };
  }
  return (activation, locals) => {
    const outcome = code(activation, locals);
    return outcome === constant ? false : outcome instanceof NonValue ? outcome : true;
  };
}

/** The right operand is known to fail. */
function failing(left: Code, constant: NonValue): Code {
  return (activation, locals) => {
    const l = left(activation, locals);
    return l instanceof NonValue ? l : constant;
  };
}

function deep(left: Code, right: Code, { equal, compiler, exprId }: Identity & { readonly exprId: number }): Code {
  const locate = locator(exprId);
  const { context } = compiler;
  compiler.takesSteps();
  return (activation, locals) => {
    const l = left(activation, locals);
    if (l instanceof NonValue) return l;
    const r = right(activation, locals);
    if (r instanceof NonValue) return r;
    const same = equals(context, l, r);
    return typeof same === 'boolean' ? same === equal : locate(same);
  };
}
