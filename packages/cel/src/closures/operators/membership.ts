import type { CallExpr, Expr } from '../../ast/ast.ts';
import { inValue } from '../../runtime/collections/dynamic.ts';
import { inList } from '../../runtime/collections/list.ts';
import type { RunContext } from '../../runtime/context/implementation.ts';
import { inMap, type MapValue } from '../../runtime/host/map.ts';
import { DYN } from '../../types/type.ts';
import { NonValue, type Value } from '../../values/value.ts';
import { type Code, type Compiler, locator, type Outcome } from '../code/code.ts';
import { convertCode } from '../code/conversion.ts';
import { compileWhole } from '../code/whole-code.ts';

/** `element in container`. */
export function compileMembership(call: CallExpr, compiler: Compiler): Code {
  const [element, container] = call.args as readonly [Expr, Expr];
  const literals = literalsOf(element, container, compiler);
  if (literals !== undefined) return amongLiterals(compiler.compile(element), literals);
  const tagged = (expr: Expr, code: Code): Code =>
    convertCode(code, { from: compiler.typeOf(expr), to: DYN, exprId: call.id });
  // The element is compared as a whole; elements of the container are read one by one.
  const isMap = compiler.typeOf(container).kind === 'map';
  const wanted = isMap ? compiler.compile(element) : compileWhole(element, compiler);
  const within = compiler.compile(container);
  compiler.takesSteps();
  return search(tagged(element, wanted), tagged(container, within), {
    test: testFor(compiler.typeOf(container).kind, compiler.context),
    exprId: call.id,
  });
}

type Test = (element: Value, container: Value) => boolean | NonValue;

function testFor(kind: string, context: RunContext): Test {
  if (kind === 'list') return (element, container) => inList(context, element, container as readonly Value[]);
  return kind === 'map'
    ? (element, container) => inMap(element, container as MapValue)
    : (element, container) => inValue(context, element, container);
}

/** Returns the values of a literal list whose elements have the static type of the searched element and are compared by identity. */
function literalsOf(element: Expr, container: Expr, compiler: Compiler): ReadonlySet<unknown> | undefined {
  const { kind } = compiler.typeOf(element);
  if (container.kind !== 'list' || container.optionalIndices.length > 0) return undefined;
  if (kind !== 'string' && kind !== 'int' && kind !== 'uint') return undefined;
  const values = new Set<unknown>();
  for (const item of container.elements) {
    if (item.kind !== 'literal' || item.literal.type !== kind) return undefined;
    values.add(item.literal.value);
  }
  return values;
}

/** Returns code that tests whether a value is one of some literals of its own type. */
export function amongLiterals(code: Code, literals: ReadonlySet<unknown>): Code {
  const [first, second] = literals;
  if (literals.size === 2) {
    return (activation, locals) => {
      const outcome = code(activation, locals);
      return outcome === first || outcome === second ? true : outcome instanceof NonValue ? outcome : false;
    };
  }
  return (activation, locals) => {
    const outcome = code(activation, locals);
    return literals.has(outcome) ? true : outcome instanceof NonValue ? outcome : false;
  };
}

/** Returns code that tests whether a value differs from all of some literals of its own type. */
export function notAmongLiterals(code: Code, literals: ReadonlySet<unknown>): Code {
  return (activation, locals) => {
    const outcome = code(activation, locals);
    return literals.has(outcome) ? false : outcome instanceof NonValue ? outcome : true;
  };
}

function search(
  element: Code,
  container: Code,
  { test, exprId }: { readonly test: Test; readonly exprId: number },
): Code {
  const locate = locator(exprId);
  return (activation, locals): Outcome => {
    const value = element(activation, locals);
    if (value instanceof NonValue) return value;
    const within = container(activation, locals);
    if (within instanceof NonValue) return within;
    const outcome = test(value, within);
    return typeof outcome === 'boolean' ? outcome : locate(outcome);
  };
}
