import { type Expr, formatType, type TypedAst } from '@tollgate/cel';
import type { Reference } from '@tollgate/cel/tooling';
import { toDebugString } from './debug-string.ts';

/** Returns a checked tree in the debug format of the reference implementation: each node with its type and reference. */
export function toCheckedDebugString(typed: TypedAst, isListed: (overloadId: string) => boolean = () => true): string {
  return toDebugString(resolveNames(typed.ast.root, typed), {
    entry: '',
    expr: expr => {
      const type = typed.types[expr.id];
      return (type === undefined ? '' : `~${formatType(type)}`) + referenceText(expr, typed, isListed);
    },
  });
}

function referenceText(expr: Expr, typed: TypedAst, isListed: (overloadId: string) => boolean): string {
  const reference = typed.references[expr.id];
  if (reference === undefined) return '';
  if (reference.kind === 'function') return `^${overloadIds(reference).filter(isListed).join('|')}`;
  return expr.kind === 'ident' ? `^${expr.name}` : '';
}

function overloadIds({ overloads }: Extract<Reference, { kind: 'function' }>): string[] {
  return overloads.map(overload => overload.id).toSorted();
}

/** The reference implementation puts resolved names into the tree: the full name of a variable or function. */
function resolveNames(expr: Expr, typed: TypedAst): Expr {
  const resolve = (child: Expr): Expr => resolveNames(child, typed);
  const reference = typed.references[expr.id];
  switch (expr.kind) {
    case 'ident':
      return reference?.kind === 'variable' ? { ...expr, name: reference.name } : expr;
    case 'select':
      if (reference?.kind === 'variable')
        return { kind: 'ident', id: expr.id, range: expr.range, name: reference.name };
      if (reference?.kind === 'type') return { kind: 'ident', id: expr.id, range: expr.range, name: dottedName(expr) };
      return { ...expr, operand: resolve(expr.operand) };
    case 'call': {
      const call = { ...expr, args: expr.args.map(resolve), target: expr.target && resolve(expr.target) };
      if (reference?.kind !== 'function') return call;
      const isMember = reference.overloads[0]?.member === true;
      return { ...call, function: reference.name, target: isMember ? call.target : undefined };
    }
    default:
      return resolveInside(expr, resolve);
  }
}

function resolveInside(
  expr: Exclude<Expr, { kind: 'ident' | 'select' | 'call' }>,
  resolve: (child: Expr) => Expr,
): Expr {
  switch (expr.kind) {
    case 'list':
      return { ...expr, elements: expr.elements.map(resolve) };
    case 'map':
      return { ...expr, entries: expr.entries.map(e => ({ ...e, key: resolve(e.key), value: resolve(e.value) })) };
    case 'comprehension':
      return {
        ...expr,
        iterRange: resolve(expr.iterRange),
        accuInit: resolve(expr.accuInit),
        loopCondition: resolve(expr.loopCondition),
        loopStep: resolve(expr.loopStep),
        result: resolve(expr.result),
      };
    default:
      return expr;
  }
}

function dottedName(expr: Expr): string {
  if (expr.kind === 'select') return `${dottedName(expr.operand)}.${expr.field}`;
  return expr.kind === 'ident' ? expr.name : '';
}
