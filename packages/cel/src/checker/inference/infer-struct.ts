import type { FieldInit, StructExpr } from '../../ast/ast.ts';
import type { ObjectDecl } from '../../ast/declaration.ts';
import { objectType, type Type } from '../../types/type.ts';
import { assign } from '../../types/unification.ts';
import { type CheckContext, resolved } from '../context/check-context.ts';
import { nearest } from '../report/did-you-mean.ts';
import { displayType, report, reportMismatch, suggest } from '../report/report.ts';
import { reportUndeclaredField } from '../report/report-name.ts';
import { inferOptional } from './infer-literal.ts';
import { resolveName } from './names.ts';

export function inferStruct(c: CheckContext, expr: StructExpr): Type {
  const object = resolveName(c.env, expr.typeName, c.env.objects);
  for (const field of expr.fields) inferField(c, field, object);
  return object === undefined ? reportUnknownType(c, expr) : objectType(object.name);
}

function reportUnknownType(c: CheckContext, expr: StructExpr): Type {
  const range = { start: expr.range.start, end: expr.range.start + expr.typeName.length };
  const { hint, ...rest } = suggest(nearest(expr.typeName, c.env.objects.keys()), range);
  return report(c, {
    ...rest,
    code: 'type/unknown-type',
    message: `\`${expr.typeName}\` is not a type with fields${hint}`,
    range,
    args: { type: expr.typeName, ...rest.args },
  });
}

function inferField(c: CheckContext, init: FieldInit, object: ObjectDecl | undefined): void {
  const found = init.optional ? inferOptional(c, init.value) : resolved(c, c.infer(c, init.value));
  if (object === undefined) return;
  const declared = object.fields.get(init.field)?.type;
  if (declared === undefined) {
    const range = { start: init.range.start, end: init.range.start + init.field.length };
    reportUndeclaredField(c, { field: init.field, range }, object.name);
  } else if (!assign(c.bindings, found, declared)) {
    reportMismatch(c, init.value, displayType(c, declared), found);
  }
}
