import type { Range } from '@tollgate/diagnostics';
import type { CallExpr, Expr, IdentExpr, SelectExpr } from '../../ast/ast.ts';
import type { IndexedVariable } from '../../library/declarations/declaration-index.ts';
import { nonNull } from '../../types/nullable.ts';
import { mapParts } from '../../types/structure.ts';
import { BOOL, DYN, ERROR_TYPE, optionalOf, type Type } from '../../types/type.ts';
import { assign, freshVariable } from '../../types/unification.ts';
import { type CheckContext, findLocal, resolved } from '../context/check-context.ts';
import { displayType, report, reportOptionalSyntax } from '../report/report.ts';
import { reportUndeclaredField, reportUndeclaredVariable } from '../report/report-name.ts';
import { qualifiedNameOf, resolveName } from './names.ts';

export function inferIdent(c: CheckContext, expr: IdentExpr): Type {
  const local = findLocal(c, expr.name);
  if (local !== undefined) {
    c.references[expr.id] = local.reference;
    return local.type;
  }
  const variable = resolveName(c.env, expr.name, c.env.index.variables);
  return variable === undefined ? reportUndeclaredVariable(c, expr.name, expr.range) : useVariable(c, expr, variable);
}

function useVariable(c: CheckContext, expr: Expr, variable: IndexedVariable): Type {
  c.references[expr.id] = variable.reference;
  return variable.open ? openType(c, variable) : variable.type;
}

/** Instantiates a declared type once: its type parameters are the same wherever the expression uses the variable. */
function openType(c: CheckContext, variable: IndexedVariable): Type {
  const name = variable.reference.kind === 'variable' ? variable.reference.name : '';
  c.openVariables ??= new Map();
  let type = c.openVariables.get(name);
  if (type === undefined) {
    type = withFreshVariables(c, variable.type, new Map());
    c.openVariables.set(name, type);
  }
  return type;
}

function withFreshVariables(c: CheckContext, type: Type, made: Map<string, Type>): Type {
  if (type.kind !== 'param') return mapParts(type, part => withFreshVariables(c, part, made));
  const variable = made.get(type.name) ?? freshVariable(c.bindings);
  made.set(type.name, variable);
  return variable;
}

/** The longest prefix that is declared as a qualified name wins; only the rest are field selections. */
export function inferSelect(c: CheckContext, expr: SelectExpr): Type {
  if (!expr.testOnly) {
    const name = qualifiedNameOf(c, expr);
    const variable = name === undefined ? undefined : resolveName(c.env, name, c.env.index.variables);
    if (variable !== undefined) return useVariable(c, expr, variable);
    if (name !== undefined && !hasDeclaredPrefix(c, expr)) return reportUndeclaredVariable(c, name, expr.range);
  }
  const type = selectField(c, c.inferWhole(c, expr.operand), { field: expr.field, range: expr.fieldRange });
  return expr.testOnly && type.kind !== 'error' ? BOOL : type;
}

/** Returns true if a prefix of this possibly qualified name is declared, so that the rest are field selections. */
function hasDeclaredPrefix(c: CheckContext, expr: SelectExpr): boolean {
  for (let node: Expr = expr.operand; ; node = node.operand) {
    const name = qualifiedNameOf(c, node);
    if (name === undefined || resolveName(c.env, name, c.env.index.variables) !== undefined) return true;
    if (node.kind !== 'select') return c.env.container !== '';
  }
}

/** `a.?b`; the second argument is the field's name as a string literal. */
export function inferOptionalSelect(c: CheckContext, call: CallExpr): Type {
  const [operand, field] = call.args;
  if (operand === undefined || field?.kind !== 'literal' || field.literal.type !== 'string') return ERROR_TYPE;
  c.types[field.id] = { kind: 'string' };
  const declared = c.env.index.callables.get('_?._')?.global[2]?.all[0];
  if (declared === undefined) reportOptionalSyntax(c, call.functionRange);
  else c.references[call.id] = declared.reference;
  const type = nonNull(resolved(c, c.inferWhole(c, operand)));
  const access = { field: field.literal.value, range: field.range };
  const selected = selectFromValue(c, type.kind === 'optional' ? type.value : type, access);
  return selected.kind === 'error' ? selected : optionalOf(selected);
}

interface FieldAccess {
  readonly field: string;
  readonly range: Range;
}

/** Selecting from an optional returns an optional. */
function selectField(c: CheckContext, operand: Type, access: FieldAccess): Type {
  const type = nonNull(resolved(c, operand));
  if (type.kind !== 'optional') return selectFromValue(c, type, access);
  const field = selectFromValue(c, type.value, access);
  return field.kind === 'error' ? field : optionalOf(field);
}

function selectFromValue(c: CheckContext, type: Type, access: FieldAccess): Type {
  switch (type.kind) {
    case 'map':
      return type.value;
    case 'wrapper':
      return selectFromValue(c, type.of, access);
    case 'object':
      return (
        c.env.objects.get(type.name)?.fields.get(access.field)?.type ?? reportUndeclaredField(c, access, type.name)
      );
    case 'param':
      assign(c.bindings, DYN, type);
      return DYN;
    case 'dyn':
    case 'error':
      return type;
    default: {
      const found = displayType(c, type);
      return report(c, {
        code: 'type/no-fields',
        message: `expected a map or an object before \`.${access.field}\`, found ${found}`,
        range: access.range,
        args: { field: access.field, found },
      });
    }
  }
}
