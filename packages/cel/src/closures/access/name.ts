import type { Expr } from '../../ast/ast.ts';
import type { Reference } from '../../ast/typed-ast.ts';
import { typeValueOf } from '../../values/runtime-type.ts';
import { Unknown, wholeOf } from '../../values/value.ts';
import { type Code, type Compiler, errorAt, type Outcome } from '../code/code.ts';
import { convertCode } from '../code/conversion.ts';
import { withPath } from './path.ts';
import { readCode, type Source } from './reading.ts';

/** Compiles a name, which may be a qualified one (`a.b` as one variable); undefined if it refers to nothing. */
export function compileName(expr: Expr, compiler: Compiler): Code | undefined {
  const reference = compiler.typed.references[expr.id];
  switch (reference?.kind) {
    case 'variable':
      return withPath(expr, compileVariable(reference.name, expr, compiler), compiler);
    case 'local':
      return compileLocal(reference, expr, compiler);
    case 'type':
      return compiler.constant(typeValueOf(reference.type));
    default:
      return undefined;
  }
}

export function undeclared(exprId: number, name: string, compiler: Compiler): Code {
  return compiler.constant(errorAt(exprId, 'eval/undeclared-reference', `\`${name}\` is not declared`));
}

function compileVariable(name: string, expr: Expr, compiler: Compiler): Code {
  const missing = errorAt(expr.id, 'eval/no-such-variable', `the variable \`${name}\` has no value`);
  const source: Source = activation => {
    const value = Object.hasOwn(activation, name) ? activation[name] : undefined;
    if (value !== undefined) return value;
    return wholeOf(activation) !== undefined ? new Unknown([name]) : missing;
  };
  return readCode(source, compiler.typeOf(expr), expr.id);
}

function compileLocal(reference: Extract<Reference, { kind: 'local' }>, expr: Expr, compiler: Compiler): Code {
  const local = compiler.localOf(reference.scope, reference.name);
  if (local === undefined) return undeclared(expr.id, reference.name, compiler);
  const { slot, compute } = local;
  const type = compiler.typeOf(expr);
  if (local.raw) return readCode((_, locals) => locals[slot], type, expr.id);
  return convertCode(compute === undefined ? (_, locals) => locals[slot] as Outcome : computedOnce(slot, compute), {
    from: local.type,
    to: type,
    exprId: expr.id,
  });
}

function computedOnce(slot: number, compute: Code): Code {
  return (activation, locals) => {
    const known = locals[slot] as Outcome | undefined;
    if (known !== undefined) return known;
    const outcome = compute(activation, locals);
    locals[slot] = outcome;
    return outcome;
  };
}
