import type { Expr, ListExpr, MapEntry, MapExpr, StructExpr } from '../../ast/ast.ts';
import { DYN, optionalOf } from '../../types/type.ts';
import { emit, type Fail, fresh, type Generation, staticType } from '../scope/generation.ts';
import { constant, errorConstant, runtimeName } from '../scope/module-scope.ts';
import { adapt, tagged } from '../scope/representation-code.ts';
import { stringCode } from '../scope/source-text.ts';

function taggedValue(g: Generation, node: Expr, fail: Fail): string {
  return tagged(g, g.value(g, node, fail), staticType(g, node));
}

/** Emits a list literal; one that contains only constants is built once. */
export function listValue(g: Generation, node: ListExpr, fail: Fail): string {
  if (node.optionalIndices.length > 0) return listOfOptionals(g, node, fail);
  const elements = node.elements.map(element => taggedValue(g, element, fail)).join(',');
  if (node.elements.every(element => isConstant(g, element))) return constant(g.scope, `[${elements}]`);
  const name = fresh(g, 'v');
  emit(g, `const ${name}=[${elements}];\n`);
  return name;
}

function isConstant({ typed }: Generation, element: Expr): boolean {
  return element.kind === 'literal' || typed.constants.has(element.id);
}

function listOfOptionals(g: Generation, node: ListExpr, fail: Fail): string {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=[];`);
  node.elements.forEach((element, index) => {
    if (!node.optionalIndices.includes(index)) {
      const value = taggedValue(g, element, fail);
      emit(g, `${name}.push(${value});`);
      return;
    }
    const optional = optionalValue(g, element, node.id, fail);
    emit(g, `if(${optional}.value!==undefined)${name}.push(${optional}.value);\n`);
  });
  return name;
}

/** Emits the value of an element, entry or field written with `?`; `exprId` locates the error if it is not an optional. */
function optionalValue(g: Generation, node: Expr, exprId: number, fail: Fail): string {
  return adapt(g, g.value(g, node, fail), { from: staticType(g, node), to: optionalOf(DYN), exprId }, fail);
}

/** Emits a map literal. */
export function mapValue(g: Generation, node: MapExpr, fail: Fail): string {
  const name = fresh(g, 'v');
  emit(g, `const ${name}=new ${runtimeName(g.scope, 'CelMap')};`);
  for (const entry of node.entries) mapEntry(g, entry, name, fail);
  return name;
}

function mapEntry(g: Generation, entry: MapEntry, map: string, fail: Fail): void {
  const key = taggedValue(g, entry.key, fail);
  const value = entry.optional ? optionalValue(g, entry.value, entry.id, fail) : taggedValue(g, entry.value, fail);
  const error = fresh(g, 'v');
  const put = `${runtimeName(g.scope, 'putEntry')}(${map},${key},${entry.optional ? `${value}.value` : value})`;
  const made = entry.optional ? `${value}.value===undefined?undefined:${put}` : put;
  const located = `${runtimeName(g.scope, 'locate')}(${error},${entry.id})`;
  emit(g, `const ${error}=${made};if(${error}!==undefined){${fail(located)}}\n`);
}

/** Emits an object literal of a declared type, which creates a plain host object. */
export function structValue(g: Generation, node: StructExpr, fail: Fail): string {
  const declared = g.env.objects.has(node.typeName);
  if (!declared) {
    const message = `the type \`${node.typeName}\` is not declared`;
    emit(g, `{${fail(errorConstant(g.scope, 'eval/undeclared-reference', message, node.id))}}\n`);
    return 'undefined';
  }
  const name = fresh(g, 'v');
  emit(g, `const ${name}=Object.create(null);`);
  for (const field of node.fields) {
    const value = field.optional ? optionalValue(g, field.value, node.id, fail) : taggedValue(g, field.value, fail);
    const held = field.optional ? `${value}.value` : value;
    emit(g, `if(${held}!==undefined)${name}[${stringCode(field.field)}]=${held};\n`);
  }
  return name;
}
