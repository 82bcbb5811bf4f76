import type { CallExpr, Expr, SelectExpr } from '../../ast/ast.ts';
import { nonNull } from '../../types/nullable.ts';
import { DYN, type Type } from '../../types/type.ts';
import { emit, type Fail, fresh, type Generation, staticType } from '../scope/generation.ts';
import { constant, runtimeName } from '../scope/module-scope.ts';
import { failedTest, fitsTest, readerCode, tagged } from '../scope/representation-code.ts';
import { dataCode, stringCode } from '../scope/source-text.ts';
import { leaveOnFailure } from './implementation-code.ts';

/** The static type of an element and the location of its errors. */
interface Element {
  readonly type: Type;
  readonly exprId: number;
}

/** Emits the reading of a variable that holds an unread element: host data, a CEL value, or an error or unknown. */
function elementValue(g: Generation, js: string, element: Element, fail: Fail): string {
  const read = `${runtimeName(g.scope, 'locate')}(${readerCode(g, element.type)}(${js}),${element.exprId})`;
  emit(
    g,
    `if(!(${fitsTest(g, element.type, js)})){${js}=${read};if(${failedTest(g, element.type, js)}){${fail(js)}}}\n`,
  );
  return js;
}

/** Emits a selection from anything but a path: a computed object or map, a dynamic value, an optional. */
export function selectValue(g: Generation, node: SelectExpr, fail: Fail): string {
  const operand = g.value(g, node.operand, fail);
  const read = nonNull(staticType(g, node.operand)).kind === 'object' ? 'readField' : 'readMember';
  const name = fresh(g, 'v');
  emit(g, `let ${name}=${runtimeName(g.scope, read)}(${operand},${stringCode(node.field)},${node.id});`);
  return elementValue(g, name, { type: staticType(g, node), exprId: node.id }, fail);
}

/** Emits `_[_]`: directly for typed lists and maps, by dynamic dispatch for everything else. */
export function indexValue(g: Generation, call: CallExpr, fail: Fail): string {
  const [operand, index] = call.args as readonly [Expr, Expr];
  const [from, by] = [staticType(g, operand), staticType(g, index)];
  const element = { type: staticType(g, call), exprId: call.id };
  const container = g.value(g, operand, fail);
  const key = g.value(g, index, fail);
  const name = fresh(g, 'v');
  if (from.kind === 'list' && by.kind === 'int') {
    const slow = `${runtimeName(g.scope, 'readIndex')}(${container},${key},${call.id})`;
    const test = fitsTest(g, element.type, name);
    emit(g, `let ${name}=${container}[${key}];if(!(${test})){${name}=${slow};`);
    elementValue(g, name, element, fail);
    emit(g, '}\n');
    return name;
  }
  const read = from.kind === 'map' ? 'readKey' : 'readIndexed';
  emit(g, `let ${name}=${runtimeName(g.scope, read)}(${container},${tagged(g, key, by)},${call.id});`);
  return elementValue(g, name, element, fail);
}

/** Emits `a.?b` and `a[?b]`, whose value is an optional. */
export function optionalAccess(g: Generation, call: CallExpr, fail: Fail): string {
  const [operand, key] = call.args as readonly [Expr, Expr];
  const type = staticType(g, call);
  const held = type.kind === 'optional' ? type.value : DYN;
  const reader = constant(g.scope, `${runtimeName(g.scope, 'taggedReader')}(${dataCode(held)})`);
  const container = g.value(g, operand, fail);
  const keyCode = tagged(g, g.value(g, key, fail), staticType(g, key));
  const name = fresh(g, 'v');
  emit(g, `const ${name}=${runtimeName(g.scope, 'optionalMember')}(${container},${keyCode},${reader});`);
  leaveOnFailure(g, name, { type, exprId: call.id }, fail);
  return name;
}
