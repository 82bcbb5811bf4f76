import type { Expr, ListExpr, LiteralExpr, MapExpr } from '../../ast/ast.ts';
import { generalize } from '../../types/generalize.ts';
import { nonNull } from '../../types/nullable.ts';
import { isDynamic } from '../../types/structure.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../../types/type.ts';
import { assign, freshVariable, undo } from '../../types/unification.ts';
import { type CheckContext, resolved } from '../context/check-context.ts';
import { displayType, report, reportMismatch, reportOptionalSyntax } from '../report/report.ts';

const LITERAL_TYPES: Readonly<Record<LiteralExpr['literal']['type'], Type>> = {
  null: NULL,
  bool: BOOL,
  int: INT,
  uint: UINT,
  double: DOUBLE,
  string: STRING,
  bytes: BYTES,
};

/** Shared list types, so that most list literals allocate none. */
const SCALAR_LISTS: Readonly<Partial<Record<Type['kind'], Type>>> = Object.fromEntries(
  [DYN, NULL, BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION].map(type => [type.kind, listOf(type)]),
);

export function inferLiteral(expr: LiteralExpr): Type {
  return LITERAL_TYPES[expr.literal.type];
}

export function inferList(c: CheckContext, expr: ListExpr): Type {
  let element: Type | undefined;
  for (let i = 0; i < expr.elements.length; i++) {
    const node = expr.elements[i]!;
    const optional = expr.optionalIndices.length > 0 && expr.optionalIndices.includes(i);
    const type = optional ? inferOptional(c, node) : c.infer(c, node);
    element = join(c, element, type);
  }
  element ??= freshVariable(c.bindings);
  return SCALAR_LISTS[element.kind] ?? listOf(element);
}

export function inferMap(c: CheckContext, expr: MapExpr): Type {
  let key: Type | undefined;
  let value: Type | undefined;
  for (const entry of expr.entries) {
    key = join(c, key, inferKey(c, entry.key));
    value = join(c, value, entry.optional ? inferOptional(c, entry.value) : c.infer(c, entry.value));
  }
  return mapOf(key ?? freshVariable(c.bindings), value ?? freshVariable(c.bindings));
}

/** Rejects keys of types that no map can have. They fail in every run; the reference implementation reports them only at run time. */
function inferKey(c: CheckContext, expr: Expr): Type {
  const type = resolved(c, c.infer(c, expr));
  switch (type.kind) {
    case 'bool':
    case 'int':
    case 'uint':
    case 'string':
    case 'dyn':
    case 'error':
    case 'param':
    case 'wrapper':
      return type;
    default: {
      const found = displayType(c, type);
      return report(c, {
        code: 'type/map-key',
        message: `a map key must be a bool, int, uint or string, found ${found}`,
        range: expr.range,
        args: { found },
      });
    }
  }
}

/** Returns the type held by an optional element, entry or field `?x`. */
export function inferOptional(c: CheckContext, expr: Expr): Type {
  const type = resolved(c, c.infer(c, expr));
  if (!c.env.index.callables.has('_?._')) return reportOptionalSyntax(c, expr.range);
  const held = nonNull(type);
  if (held.kind === 'optional') return held.value;
  if (isDynamic(type)) return type;
  return reportMismatch(c, expr, `optional_type(${displayType(c, type)})`, type);
}

/** Returns the common type of two values; dyn if they have none. */
function join(c: CheckContext, joined: Type | undefined, type: Type): Type {
  if (joined === undefined || joined === type) return type;
  const before = c.bindings.trail.length;
  if (assign(c.bindings, joined, type)) return generalize(resolved(c, joined), resolved(c, type));
  undo(c.bindings, before);
  return DYN;
}
