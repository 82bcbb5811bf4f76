import type { Expr, ListExpr, MapEntry, MapExpr, StructExpr } from '../ast/ast.ts';
import { putEntry } from '../runtime/host/map.ts';
import { DYN } from '../types/type.ts';
import { NO_MATCHING_OVERLOAD } from '../values/errors.ts';
import { CelMap, NonValue, Optional, type Value } from '../values/value.ts';
import { type Code, type Compiler, errorAt, locator, type Outcome } from './code/code.ts';
import { convertCode } from './code/conversion.ts';

/** Elements are tagged. They may be partial; code that needs the whole value checks that. */
function compileElement(expr: Expr, compiler: Compiler): Code {
  const code = compiler.compile(expr);
  const converted = convertCode(code, { from: compiler.typeOf(expr), to: DYN, exprId: expr.id });
  return compiler.fold(converted, [code]);
}

/** Returns the value held by an element written as `?e`; undefined if it is empty. */
function held(outcome: Outcome): Outcome | undefined {
  return outcome instanceof Optional ? outcome.value : NO_MATCHING_OVERLOAD;
}

/** `[a, b, ?c]`. */
export function compileList(list: ListExpr, compiler: Compiler): Code {
  const elements = list.elements.map(element => compileElement(element, compiler));
  const code = list.optionalIndices.length === 0 ? plainList(elements) : optionalList(list, elements);
  return compiler.fold(code, elements);
}

function plainList(elements: readonly Code[]): Code {
  return (activation, locals) => {
    const values: Value[] = [];
    for (const element of elements) {
      const outcome = element(activation, locals);
      if (outcome instanceof NonValue) return outcome;
      values.push(outcome);
    }
    return values;
  };
}

function optionalList(list: ListExpr, elements: readonly Code[]): Code {
  const optional = new Set(list.optionalIndices);
  const locate = locator(list.id);
  return (activation, locals) => {
    const values: Value[] = [];
    for (const [index, element] of elements.entries()) {
      const outcome = element(activation, locals);
      if (outcome instanceof NonValue) return outcome;
      const value = optional.has(index) ? held(outcome) : outcome;
      if (value instanceof NonValue) return locate(value);
      if (value !== undefined) values.push(value);
    }
    return values;
  };
}

interface Entry {
  readonly key: Code;
  readonly value: Code;
  readonly optional: boolean;
  readonly locate: (outcome: NonValue) => NonValue;
}

/** `{key: value, ?key: optional}`. */
export function compileMap(map: MapExpr, compiler: Compiler): Code {
  const entries = map.entries.map((entry): Entry => compileEntry(entry, compiler));
  const parts = entries.flatMap(({ key, value }) => [key, value]);
  return compiler.fold(makeMap(entries), parts);
}

function makeMap(entries: readonly Entry[]): Code {
  return (activation, locals) => {
    const made = new CelMap();
    for (const entry of entries) {
      const key = entry.key(activation, locals);
      if (key instanceof NonValue) return key;
      const outcome = entry.value(activation, locals);
      if (outcome instanceof NonValue) return outcome;
      const value = entry.optional ? held(outcome) : outcome;
      if (value === undefined) continue;
      const problem = value instanceof NonValue ? value : putEntry(made, key, value);
      if (problem !== undefined) return entry.locate(problem);
    }
    return made;
  };
}

function compileEntry({ id, key, value, optional }: MapEntry, compiler: Compiler): Entry {
  return { key: compileElement(key, compiler), value: compileElement(value, compiler), optional, locate: locator(id) };
}

/** `Name{field: value}` for an object type of the environment returns a plain object. */
export function compileStruct(struct: StructExpr, compiler: Compiler): Code {
  if (compiler.typeOf(struct).kind !== 'object') {
    const message = `\`${struct.typeName}\` is not a type with fields`;
    return compiler.constant(errorAt(struct.id, 'eval/unknown-type', message));
  }
  const locate = locator(struct.id);
  const fields = struct.fields.map(({ field, value, optional }) => ({
    field,
    optional,
    value: compileElement(value, compiler),
  }));
  return (activation, locals) => {
    const entries: [string, Value][] = [];
    for (const { field, optional, value: code } of fields) {
      const outcome = code(activation, locals);
      if (outcome instanceof NonValue) return outcome;
      const value = optional ? held(outcome) : outcome;
      if (value instanceof NonValue) return locate(value);
      if (value !== undefined) entries.push([field, value]);
    }
    return Object.fromEntries(entries);
  };
}
