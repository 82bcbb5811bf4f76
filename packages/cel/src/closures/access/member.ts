import type { SelectExpr } from '../../ast/ast.ts';
import { fieldOf, memberOf } from '../../runtime/host/access.ts';
import { lookUp, type MapValue } from '../../runtime/host/map.ts';
import { nonNull } from '../../types/nullable.ts';
import { DYN, type Type } from '../../types/type.ts';
import { noSuchField, noSuchKey } from '../../values/errors.ts';
import { type EvaluationError, NonValue, Optional, type Value } from '../../values/value.ts';
import { type Code, type Compiler, errorAt } from '../code/code.ts';
import { withPath } from './path.ts';
import { readerAt } from './reading.ts';

/** `operand.field`, and `has(operand.field)`. */
export function compileSelect(select: SelectExpr, compiler: Compiler): Code {
  if (select.testOnly) return compilePresence(select, compiler);
  const exact = compileSelection(select, compiler);
  return withPath(select, exact, compiler);
}

function compileSelection(select: SelectExpr, compiler: Compiler): Code {
  const operand = compiler.compile(select.operand);
  const from = nonNull(compiler.typeOf(select.operand));
  const member = memberReader(from, select.field);
  const read = readerAt(compiler.typeOf(select), select.id);
  const absent = absenceAt(from, select);
  return (activation, locals) => {
    const container = operand(activation, locals);
    if (container instanceof NonValue) return container;
    const value = member(container);
    return value === undefined ? absent : read(value);
  };
}

/** The result is false if the field is absent, and otherwise the error or unknown that selecting it would return. */
function compilePresence(select: SelectExpr, compiler: Compiler): Code {
  const operand = compiler.compile(select.operand);
  const from = nonNull(compiler.typeOf(select.operand));
  const member = memberReader(from, select.field);
  const read = readerAt(memberType(from, select.field, compiler), select.id);
  return (activation, locals) => {
    const container = operand(activation, locals);
    if (container instanceof NonValue) return container;
    const value = member(container);
    if (value === undefined) return false;
    const outcome = read(value);
    if (outcome instanceof NonValue) return outcome;
    return !(container instanceof Optional) || (outcome as Optional).value !== undefined;
  };
}

function memberType(from: Type, field: string, compiler: Compiler): Type {
  if (from.kind === 'map') return from.value;
  const object = from.kind === 'object' ? compiler.env.objects.get(from.name) : undefined;
  return object?.fields.get(field)?.type ?? DYN;
}

function absenceAt(from: Type, select: SelectExpr): EvaluationError {
  const { code, message } =
    from.kind === 'object' ? noSuchField(select.field) : noSuchKey(JSON.stringify(select.field));
  return errorAt(select.id, code, message);
}

/** Returns a function that returns the member of a value, unread; undefined if it is absent. */
function memberReader(from: Type, field: string): (container: Value) => unknown {
  switch (from.kind) {
    case 'object':
      return container => fieldOf(container as MapValue | null, field);
    case 'map':
      return container => lookUp(container as MapValue, field);
    default:
      return container => memberOf(container, field);
  }
}
