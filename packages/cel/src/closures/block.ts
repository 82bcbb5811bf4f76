import type { CallExpr, Expr } from '../ast/ast.ts';
import type { Code, Compiler } from './code/code.ts';
import { convertCode } from './code/conversion.ts';

/** `cel.block([e0, e1], e)`: each element is evaluated at most once, when its name is first read. */
export function compileBlock(call: CallExpr, compiler: Compiler): Code {
  const [elements, body] = call.args as readonly [Expr, Expr];
  const slots =
    elements.kind === 'list' ? elements.elements.map((element, i) => bindElement(call, element, i, compiler)) : [];
  const result = compiler.compile(body);
  const code: Code = (activation, locals) => {
    for (const slot of slots) locals[slot] = undefined;
    return result(activation, locals);
  };
  return convertCode(code, { from: compiler.typeOf(body), to: compiler.typeOf(call), exprId: call.id });
}

function bindElement(call: CallExpr, element: Expr, position: number, compiler: Compiler): number {
  const compute = compiler.compile(element);
  return compiler.bind(call.id, `@index${position}`, { type: compiler.typeOf(element), raw: false, compute }).slot;
}
