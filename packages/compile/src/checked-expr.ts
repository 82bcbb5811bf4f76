/** Checked expressions in the form that other CEL tools read: `cel.expr.CheckedExpr` as JSON of protocol buffers. */

import type { CallExpr, Expr, Literal, Type, TypedAst } from '@tollgate/cel';
import type { Reference } from '@tollgate/cel/tooling';
import { bytesToBase64 } from '@tollgate/diagnostics/portable';

/** Returns a checked expression as `cel.expr.CheckedExpr`, in the JSON form of protocol buffers. Positions are in code points. */
export function checkedExpr({ ast, types, references }: TypedAst): ProtoJson {
  const referenceMap = references.flatMap((reference, id) =>
    reference ? [[String(id), protoReference(reference)]] : [],
  );
  const typeMap = types.flatMap((type, id) => (type ? [[String(id), protoType(type)]] : []));
  return {
    referenceMap: Object.fromEntries(referenceMap.filter(([, value]) => value !== undefined)),
    typeMap: Object.fromEntries(typeMap),
    sourceInfo: sourceInfo(ast),
    expr: resolvedExpr(ast.root, references),
  };
}

/**
 * Names are written as what they refer to, as the reference implementation does: a qualified name is one identifier, and a call of `math.floor` has no
 * target.
 */
function resolvedExpr(expr: Expr, references: TypedAst['references']): ProtoJson {
  const within = (part: Expr) => resolvedExpr(part, references);
  const reference = references[expr.id];
  const id = String(expr.id);
  if (reference?.kind === 'variable' || reference?.kind === 'type')
    return { id, identExpr: { name: nameOf(reference) } };
  const isQualified =
    expr.kind === 'call' && expr.target && reference?.kind === 'function' && reference.name !== expr.function;
  if (isQualified) return { id, callExpr: { function: reference.name, args: expr.args.map(within) } };
  return protoExpr(expr, within);
}

function nameOf(reference: Extract<Reference, { readonly kind: 'variable' | 'type' }>): string {
  return reference.kind === 'type' ? typeName(reference) : reference.name;
}

function protoReference(reference: Reference): ProtoJson | undefined {
  switch (reference.kind) {
    case 'variable':
    case 'local':
      return { name: reference.name };
    case 'type':
      return { name: typeName(reference) };
    case 'function':
      return { overloadId: reference.overloads.map(({ id }) => id) };
  }
}

function typeName({ type }: Extract<Reference, { readonly kind: 'type' }>): string {
  return 'name' in type ? type.name : (NAMES[type.kind] ?? type.kind);
}

const NAMES: Readonly<Record<string, string>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  optional: 'optional_type',
};

function sourceInfo({ source, root, macroCalls }: TypedAst['ast']): ProtoJson {
  const pointAt = codePointsAt(source);
  const positions = new Map<number, number>();
  collectPositions(root, pointAt, positions);
  const calls = Array.from(macroCalls, ([id, call]) => [String(id), protoMacroCall(call, macroCalls)]);
  return {
    location: '<policy>',
    lineOffsets: lineOffsets(source),
    positions: Object.fromEntries(Array.from(positions, ([id, at]) => [String(id), at])),
    ...(calls.length > 0 && { macroCalls: Object.fromEntries(calls) }),
  };
}

/** Returns a function from UTF-16 offsets to offsets in code points. */
function codePointsAt(source: string): (offset: number) => number {
  return offset => Array.from(source.slice(0, offset)).length;
}

/** The offsets behind each line break, in code points, and the end of the source, as in the reference implementation. */
function lineOffsets(source: string): readonly number[] {
  const points = Array.from(source);
  return [...points.flatMap((point, at) => (point === '\n' ? at + 1 : [])), points.length + 1];
}

/** Operators are at their symbol, as in the reference implementation; everything else begins where it is written. */
function collectPositions(expr: Expr, pointAt: (offset: number) => number, found: Map<number, number>): void {
  found.set(expr.id, pointAt(expr.kind === 'call' ? expr.functionRange.start : expr.range.start));
  for (const child of partsOf(expr)) {
    if ('key' in child) {
      found.set(child.id, pointAt(child.range.start));
      collectPositions(child.key, pointAt, found);
      collectPositions(child.value, pointAt, found);
    } else collectPositions(child, pointAt, found);
  }
}

function partsOf(expr: Expr) {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
    case 'error':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return [...(expr.target ? [expr.target] : []), ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries;
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return [expr.iterRange, expr.accuInit, expr.loopCondition, expr.loopStep, expr.result];
  }
}

type MacroCalls = ReadonlyMap<number, CallExpr>;

/** In a macro call, arguments that were macro calls themselves are only referred to by id. */
function protoMacroCall(call: CallExpr, macroCalls: MacroCalls): ProtoJson {
  const within = (expr: Expr): ProtoJson =>
    macroCalls.has(expr.id) ? { id: String(expr.id) } : protoExpr(expr, within);
  const { id: _, ...rest } = protoExpr({ ...call, id: 0 }, within) as { readonly id: string };
  return rest;
}

function protoExpr(expr: Expr, within: (part: Expr) => ProtoJson = part => protoExpr(part)): ProtoJson {
  const id = String(expr.id);
  switch (expr.kind) {
    case 'literal':
      return { id, constExpr: protoLiteral(expr.literal) };
    case 'ident':
      return { id, identExpr: { name: expr.name } };
    case 'select':
      return {
        id,
        selectExpr: { operand: within(expr.operand), field: expr.field, ...(expr.testOnly && { testOnly: true }) },
      };
    case 'call':
      return {
        id,
        callExpr: {
          ...(expr.target && { target: within(expr.target) }),
          function: expr.function,
          args: expr.args.map(within),
        },
      };
    case 'list':
      return {
        id,
        listExpr: {
          elements: expr.elements.map(within),
          ...(expr.optionalIndices.length > 0 && { optionalIndices: expr.optionalIndices }),
        },
      };
    case 'map':
      return {
        id,
        structExpr: {
          entries: expr.entries.map(entry => ({
            id: String(entry.id),
            mapKey: within(entry.key),
            value: within(entry.value),
            ...(entry.optional && { optionalEntry: true }),
          })),
        },
      };
    case 'struct':
      return {
        id,
        structExpr: {
          messageName: expr.typeName,
          entries: expr.fields.map(field => ({
            id: String(field.id),
            fieldKey: field.field,
            value: within(field.value),
            ...(field.optional && { optionalEntry: true }),
          })),
        },
      };
    case 'comprehension':
      return { id, comprehensionExpr: protoComprehension(expr, within) };
    case 'error':
      return { id };
  }
}

function protoComprehension(
  expr: Extract<Expr, { readonly kind: 'comprehension' }>,
  within: (part: Expr) => ProtoJson,
): ProtoJson {
  return {
    iterVar: expr.iterVar,
    ...(expr.iterVar2 !== undefined && { iterVar2: expr.iterVar2 }),
    iterRange: within(expr.iterRange),
    accuVar: expr.accuVar,
    accuInit: within(expr.accuInit),
    loopCondition: within(expr.loopCondition),
    loopStep: within(expr.loopStep),
    result: within(expr.result),
  };
}

/** 64-bit integers are strings, bytes are in Base64, and special doubles have names (ProtoJSON). */
function protoLiteral(literal: Literal): ProtoJson {
  switch (literal.type) {
    case 'null':
      return { nullValue: null };
    case 'bool':
      return { boolValue: literal.value };
    case 'int':
      return { int64Value: String(literal.value) };
    case 'uint':
      return { uint64Value: String(literal.value) };
    case 'double':
      return {
        doubleValue:
          Number.isFinite(literal.value) && !Object.is(literal.value, -0) ? literal.value : doubleName(literal.value),
      };
    case 'string':
      return { stringValue: literal.value };
    case 'bytes':
      return { bytesValue: bytesToBase64(literal.value) };
  }
}

function doubleName(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A value in the JSON form of protocol buffers. */
export type ProtoJson =
  | null
  | boolean
  | number
  | string
  | readonly ProtoJson[]
  | { readonly [name: string]: ProtoJson };

/** Returns a type as `cel.expr.Type`. */
function protoType(type: Type): ProtoJson {
  switch (type.kind) {
    case 'dyn':
      return { dyn: {} };
    case 'error':
      return { error: {} };
    case 'null':
      return { null: null };
    case 'bool':
      return { primitive: 'BOOL' };
    case 'int':
      return { primitive: 'INT64' };
    case 'uint':
      return { primitive: 'UINT64' };
    case 'double':
      return { primitive: 'DOUBLE' };
    case 'string':
      return { primitive: 'STRING' };
    case 'bytes':
      return { primitive: 'BYTES' };
    case 'timestamp':
      return { wellKnown: 'TIMESTAMP' };
    case 'duration':
      return { wellKnown: 'DURATION' };
    case 'list':
      return { listType: { elemType: protoType(type.element) } };
    case 'map':
      return { mapType: { keyType: protoType(type.key), valueType: protoType(type.value) } };
    case 'optional':
      return { abstractType: { name: 'optional_type', parameterTypes: [protoType(type.value)] } };
    case 'type':
      return { type: type.of === undefined ? {} : protoType(type.of) };
    case 'wrapper':
      return wrapperOf(protoType(type.of));
    case 'param':
      return { typeParam: type.name };
    case 'object':
      return { messageType: type.name };
    case 'opaque':
      return { abstractType: { name: type.name, parameterTypes: type.params.map(protoType) } };
  }
}

function wrapperOf(type: ProtoJson): ProtoJson {
  const isPrimitive = typeof type === 'object' && type !== null && 'primitive' in type;
  return isPrimitive ? { wrapper: type.primitive as ProtoJson } : type;
}
