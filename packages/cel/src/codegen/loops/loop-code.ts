import type { ComprehensionExpr, Expr } from '../../ast/ast.ts';
import { DYN, INT, type Type } from '../../types/type.ts';
import { OUT_OF_STEPS } from '../../values/errors.ts';
import { takeSteps } from '../scope/context-code.ts';
import { emit, type Fail, fresh, type Generation, localKey, staticType } from '../scope/generation.ts';
import { errorConstant, runtimeName } from '../scope/module-scope.ts';

/** The range of a loop: an array, and the values at an index of it. */
interface Range {
  readonly array: string;
  readonly size: string;
  readonly index: string;
  /** The values of the first and, if there is one, the second variable at the index. */
  readonly first: Variable;
  readonly second?: Variable;
}

interface Variable {
  readonly js: string;
  readonly type: Type;
  /** True if the value may be unread host data, an error or an unknown. */
  readonly raw: boolean;
}

/** Emits the head of a comprehension's loop with its range, and binds its variables. The caller emits the body and `}`. */
export function openLoop(g: Generation, node: ComprehensionExpr, fail: Fail): void {
  const range = rangeOf(g, node, fail);
  const limit = errorConstant(g.scope, OUT_OF_STEPS.code, OUT_OF_STEPS.message, node.id);
  const steps = g.typed.loops.roundSteps.get(node.id) ?? 1;
  const { index, size } = range;
  emit(g, `for(let ${index}=0;${index}<${size};${index}++){if(${takeSteps(g, steps)}<0){${fail(limit)}}\n`);
  bind(g, node, node.iterVar, range.first);
  if (node.iterVar2 !== undefined && range.second !== undefined) bind(g, node, node.iterVar2, range.second);
}

function bind(g: Generation, node: ComprehensionExpr, name: string, variable: Variable): void {
  const js = fresh(g, 'x');
  emit(g, `const ${js}=${variable.js};`);
  g.locals.set(localKey(node.id, name), { js, type: variable.type, guarded: false, raw: variable.raw });
}

function rangeOf(g: Generation, node: ComprehensionExpr, fail: Fail): Range {
  const type = staticType(g, node.iterRange);
  const index = fresh(g, 'i');
  const value = g.value(g, node.iterRange, fail);
  // The loop reads the array repeatedly, so it needs a name.
  const array = fresh(g, 'c');
  const twice = node.iterVar2 !== undefined;
  switch (type.kind) {
    case 'list':
      emit(g, `const ${array}=${value};`);
      return listRange({ array, index }, type.element, twice);
    case 'map':
      iteration(g, { array, value, node }, fail);
      return mapRange(g, { array, index, map: value }, type, twice);
    default:
      iteration(g, { array, value, node }, fail);
      return dynamicRange(g, { array, index, value }, twice);
  }
}

interface Iteration {
  readonly array: string;
  readonly value: string;
  readonly node: Expr;
}

/** Emits the range. All keys of a map must be known; its values are read in their iteration. */
function iteration(g: Generation, { array, value, node }: Iteration, fail: Fail): void {
  const nonValue = runtimeName(g.scope, 'NonValue');
  emit(
    g,
    `const ${array}=${runtimeName(g.scope, 'iterationOf')}(${value},${node.id});if(${array} instanceof ${nonValue}){${fail(array)}}\n`,
  );
}

interface Names {
  readonly array: string;
  readonly index: string;
}

function listRange({ array, index }: Names, element: Type, twice: boolean): Range {
  const value: Variable = { js: `${array}[${index}]`, type: element, raw: true };
  const position: Variable = { js: index, type: INT, raw: false };
  const size = `${array}.length`;
  return twice ? { array, size, index, first: position, second: value } : { array, size, index, first: value };
}

function mapRange(
  g: Generation,
  { array, index, map }: Names & { map: string },
  type: { readonly key: Type; readonly value: Type },
  twice: boolean,
): Range {
  const key: Variable = { js: `${array}[${index}]`, type: type.key, raw: true };
  const size = `${array}.length`;
  if (!twice) return { array, size, index, first: key };
  const found = `${runtimeName(g.scope, 'lookUpTagged')}(${map},${array}[${index}])`;
  return { array, size, index, first: key, second: { js: found, type: type.value, raw: true } };
}

/** The value decides whether the range is a list or a map. */
function dynamicRange(g: Generation, { array, index, value }: Names & { value: string }, twice: boolean): Range {
  const size = `${array}.length`;
  const one: Variable = { js: `${array}[${index}]`, type: DYN, raw: true };
  if (!twice) return { array, size, index, first: one };
  const position: Variable = { js: `Array.isArray(${value})?${index}:${array}[${index}]`, type: DYN, raw: true };
  const lookUp = `${runtimeName(g.scope, 'lookUpTagged')}(${value},${array}[${index}])`;
  const second = `Array.isArray(${value})?${array}[${index}]:${lookUp}`;
  return { array, size, index, first: position, second: { js: second, type: DYN, raw: true } };
}
