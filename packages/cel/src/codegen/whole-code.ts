import type { Expr } from '../syntax/ast.ts';
import type { Type } from '../types/type.ts';
import { type Fail, fresh, type Generation, staticType } from './generation.ts';
import { runtimeName } from './module-scope.ts';

/** Emits a node whose value is needed whole: a map or object of which a part is unknown is unknown then, a list as well. */
export function wholeValue(g: Generation, node: Expr, fail: Fail): string {
  const value = g.value(g, node, fail);
  return mayBePartial(g, node) ? wholeOf(g, value, fail) : value;
}

/** Emits the test that a value has no unknown parts. */
export function wholeOf(g: Generation, js: string, fail: Fail): string {
  const name = fresh(g, 'v');
  const nonValue = runtimeName(g.scope, 'NonValue');
  g.code += `const ${name}=${runtimeName(g.scope, 'wholeOf')}(${js});if(${name} instanceof ${nonValue}){${fail(name)}}\n`;
  return name;
}

/** Whether the value of a node may hold something of the host's. */
export function mayBePartial(g: Generation, node: Expr): boolean {
  if (!isContainer(staticType(g, node))) return false;
  if (node.kind === 'literal') return false;
  return true;
}

function isContainer(type: Type): boolean {
  switch (type.kind) {
    case 'dyn':
    case 'error':
    case 'param':
    case 'list':
    case 'map':
    case 'object':
    case 'optional':
      return true;
    default:
      return false;
  }
}
