// The types of literals, names, fields, objects and comprehensions.

import type { Range } from '@tollgate/diagnostics';
import type {
  CallExpr,
  ComprehensionExpr,
  Expr,
  FieldInit,
  IdentExpr,
  ListExpr,
  LiteralExpr,
  MapExpr,
  ObjectDecl,
  SelectExpr,
  StructExpr,
} from '../ast/ast.ts';
import {
  assign,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR_TYPE,
  freshVariable,
  generalize,
  INT,
  isDynamic,
  listOf,
  mapOf,
  mapParts,
  NULL,
  nonNull,
  objectType,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  undo,
} from '../ast/types.ts';
import type { IndexedVariable } from '../library/library.ts';
import {
  type CheckContext,
  type CheckEnvironment,
  declareLocal,
  displayType,
  findLocal,
  nearest,
  report,
  reportMismatch,
  reportOptionalSyntax,
  reportUndeclaredField,
  reportUndeclaredVariable,
  resolved,
  suggest,
} from './report.ts';

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
function inferOptional(c: CheckContext, expr: Expr): Type {
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

/**
 * The range and the initial value see the outer names; the condition and the step also the accumulator and the iteration variables; the
 * result also the accumulator.
 */
export function inferComprehension(c: CheckContext, expr: ComprehensionExpr): Type {
  const range = inferRange(c, expr);
  // `cel.bind(u, req.url, u.path)`: fields may be selected from the bound value.
  const accu = c.inferWhole(c, expr.accuInit);
  const outer = c.scope;
  declareLocal(c, expr.accuVar, accu, expr.id);
  const withAccu = c.scope;
  declareIterationVariables(c, expr, range);
  const condition = c.infer(c, expr.loopCondition);
  if (condition.kind !== 'bool' && !assign(c.bindings, condition, BOOL)) {
    reportMismatch(c, expr.loopCondition, 'bool', condition);
  }
  const step = accu.kind === 'object' ? c.inferWhole(c, expr.loopStep) : c.infer(c, expr.loopStep);
  if (!assign(c.bindings, step, accu)) reportMismatch(c, expr.loopStep, displayType(c, accu), step);
  c.scope = withAccu;
  const result = c.infer(c, expr.result);
  c.scope = outer;
  return resolved(c, result);
}

/** Returns the type of the range; the error type if it is neither a list nor a map. */
function inferRange(c: CheckContext, expr: ComprehensionExpr): Type {
  const range = resolved(c, c.infer(c, expr.iterRange));
  switch (range.kind) {
    case 'list':
    case 'map':
    case 'dyn':
    case 'error':
      return range;
    case 'param':
      assign(c.bindings, DYN, range);
      return DYN;
    default: {
      const found = displayType(c, range);
      return report(c, {
        code: 'type/not-iterable',
        message: `expected a list or map to iterate over, found ${found}`,
        range: expr.iterRange.range,
        args: { found },
      });
    }
  }
}

/** Returns the list of a `cel.block`, whose elements the other argument refers to as `@index0`, `@index1`, … */
export function slotsOf(call: CallExpr): ListExpr | undefined {
  const [slots] = call.args;
  return call.function === 'cel.@block' && slots?.kind === 'list' ? slots : undefined;
}

/** Declares the slots; each element sees those before it. The caller restores the previous scope. */
export function inferSlots(c: CheckContext, slots: ListExpr, owner: number): void {
  for (const [i, element] of slots.elements.entries()) declareLocal(c, `@index${i}`, c.infer(c, element), owner);
  c.types[slots.id] = listOf(DYN);
}

/** Declares the iteration variables for a range of this type. The caller restores the previous scope. */
export function declareIterationVariables(c: CheckContext, expr: ComprehensionExpr, range: Type): void {
  if (expr.iterVar2 === undefined) {
    declareLocal(c, expr.iterVar, onlyType(range), expr.id);
    return;
  }
  const [first, second] = pairTypes(range);
  declareLocal(c, expr.iterVar, first, expr.id);
  declareLocal(c, expr.iterVar2, second, expr.id);
}

/** Returns the type of the elements of a list, or of the keys of a map. */
function onlyType(range: Type): Type {
  return range.kind === 'list' ? range.element : range.kind === 'map' ? range.key : range;
}

/** Returns the types of index and element of a list, or of key and value of a map. */
function pairTypes(range: Type): [first: Type, second: Type] {
  if (range.kind === 'list') return [INT, range.element];
  return range.kind === 'map' ? [range.key, range.value] : [range, range];
}

/**
 * Looks up a name in the container and then in each enclosing namespace up to the root (Language Definition, "Name Resolution"). A name
 * with a leading dot is looked up in the root only.
 */
export function resolveName<T>(env: CheckEnvironment, name: string, declared: ReadonlyMap<string, T>): T | undefined {
  if (name.charCodeAt(0) === DOT) return declared.get(name.slice(1));
  for (let namespace = env.container; namespace !== ''; namespace = enclosing(namespace)) {
    const found = declared.get(`${namespace}.${name}`);
    if (found !== undefined) return found;
  }
  return declared.get(name);
}

const DOT = 46;

function enclosing(namespace: string): string {
  return namespace.slice(0, Math.max(0, namespace.lastIndexOf('.')));
}

/** Returns the qualified name that `a.b.c` may refer to; undefined if no declaration can have it or a local name hides it. */
export function qualifiedNameOf(c: CheckContext, expr: Expr): string | undefined {
  const root = rootOf(expr);
  if (root === undefined || findLocal(c, root) !== undefined) return undefined;
  if (c.env.container === '' && !c.env.index.qualifiedRoots.has(firstPart(root))) return undefined;
  return dottedName(expr);
}

/** A leading dot means the root, where an empty container looks anyway. Inlined bodies have dots inside names. */
function firstPart(name: string): string {
  return name.startsWith('.') ? (name.slice(1).split('.', 1)[0] ?? '') : name;
}

function rootOf(expr: Expr): string | undefined {
  let node = expr;
  while (node.kind === 'select' && !node.testOnly) node = node.operand;
  return node.kind === 'ident' ? node.name : undefined;
}

function dottedName(expr: Expr): string {
  if (expr.kind === 'select') return `${dottedName(expr.operand)}.${expr.field}`;
  return expr.kind === 'ident' ? expr.name : '';
}
