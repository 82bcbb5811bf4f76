import type { CallExpr, Expr, SelectExpr } from '../../ast/ast.ts';
import { nonNull } from '../../types/nullable.ts';
import { isOpen } from '../../types/structure.ts';
import { DYN, type Type } from '../../types/type.ts';
import { type Decision, type Exits, emit, fresh, type Generation, staticType } from '../scope/generation.ts';
import { runtimeName } from '../scope/module-scope.ts';
import { adapt, fitsTest, readerCode, tagged } from '../scope/representation-code.ts';
import { stringCode } from '../scope/source-text.ts';
import { testedCall } from '../scope/tested-call.ts';
import { isSafeName, plainLoad, propertyLoad } from './path-code.ts';
import { pathOf } from './paths.ts';

/** `has(operand.field)`: a present field that is not of its declared type is an error. */
export function presenceDecision(g: Generation, node: SelectExpr): Decision {
  const from = nonNull(staticType(g, node.operand));
  const type = memberType(g, from, node.field);
  const kind = from.kind === 'object' ? 'hasField' : 'hasMember';
  const exact: Decision = exits => {
    const operand = g.value(g, node.operand, exits.fail);
    const has = `${runtimeName(g.scope, kind)}(${operand},${stringCode(node.field)},${readerCode(g, type)})`;
    testedCall(g, has, node.id, exits);
  };
  const present = (js: string) => fitsTest(g, type, js);
  return exits => emitFastPresence(g, { container: node.operand, name: node.field, present, exact }, exits);
}

function memberType(g: Generation, from: Type, field: string): Type {
  if (from.kind === 'map') return from.value;
  return (from.kind === 'object' && g.env.objects.get(from.name)?.fields.get(field)?.type) || DYN;
}

/** `key in map`: a key is present whatever its value, unless that is an `UnknownPresence`. */
export function keyDecision(g: Generation, call: CallExpr): Decision {
  const [key, map] = call.args as readonly [Expr, Expr];
  const exact: Decision = exits => exactKey(g, call, exits);
  const from = staticType(g, map);
  if (key.kind !== 'literal' || key.literal.type !== 'string' || from.kind !== 'map') return exact;
  const present = (js: string) => fitsTest(g, from.value, js);
  const { value } = key.literal;
  return exits => emitFastPresence(g, { container: map, name: value, present, exact }, exits);
}

function exactKey(g: Generation, call: CallExpr, exits: Exits): void {
  const [key, map] = call.args as readonly [Expr, Expr];
  const keyCode = tagged(g, g.value(g, key, exits.fail), staticType(g, key));
  const value = g.value(g, map, exits.fail);
  const to = { kind: 'map', key: DYN, value: DYN } as const;
  const mapCode = adapt(g, value, { from: staticType(g, map), to, exprId: call.id }, exits.fail);
  testedCall(g, `${runtimeName(g.scope, 'inMap')}(${keyCode},${mapCode})`, call.id, exits);
}

interface Question {
  readonly container: Expr;
  readonly name: string;
  /** Returns a test of the loaded value that proves presence. */
  readonly present: (js: string) => string;
  /** Emits the exact decision. */
  readonly exact: Decision;
}

/** Emits plain loads that decide the common case of plain objects, before the exact decision. */
function emitFastPresence(g: Generation, { container, name, present, exact }: Question, exits: Exits): void {
  const path = pathOf(g, container);
  // Only the exact decision knows whether a dynamic container is a map; an array of the host may have properties, too.
  const isDynamic = isOpen(staticType(g, container));
  if (path === undefined || isDynamic || !isSafeName(name) || path.steps.some(step => step.kind === 'index')) {
    exact(exits);
    return;
  }
  const done = fresh(g, 'L');
  const holder = fresh(g, 'c');
  const found = fresh(g, 'c');
  const leaving: Exits = {
    whenTrue: exits.whenTrue || `break ${done};`,
    whenFalse: exits.whenFalse || `break ${done};`,
    fail: exits.fail,
  };
  const closed = `${runtimeName(g.scope, 'isRecord')}(${holder})`;
  emit(g, `${done}:{const ${holder}=${plainLoad(g, path, path.steps.length)};`);
  emit(g, `const ${found}=${propertyLoad(g, holder, name)};`);
  emit(g, `if(${present(found)}){${leaving.whenTrue}}if(${found}!==undefined||!${closed}){`);
  exact(leaving);
  emit(g, `}${exits.whenFalse}}\n`);
}
