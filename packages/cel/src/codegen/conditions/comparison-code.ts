import type { CallExpr, Expr } from '../../ast/ast.ts';
import { isOpen } from '../../types/structure.ts';
import { DYN, type Type } from '../../types/type.ts';
import { identityCondition } from '../paths/identity-code.ts';
import { chargeOperand, contextConstant } from '../scope/context-code.ts';
import { branch, type Decision, type Exits, type Generation, overloadsOf, staticType } from '../scope/generation.ts';
import { runtimeName } from '../scope/module-scope.ts';
import { adapt, tagged } from '../scope/representation-code.ts';
import { testedSteppingCall } from '../scope/tested-call.ts';
import { wholeValue } from '../scope/whole-code.ts';
import { identityCodes, negated, oneOfTest } from './membership-code.ts';
import { sizeComparison } from './size-code.ts';

/** `==` and `!=`: by identity if the static types allow it, otherwise by CEL equality. */
export function equalityDecision(g: Generation, call: CallExpr): Decision | undefined {
  if (overloadsOf(g, call).length === 0) return undefined;
  return exits => equalityCondition(g, call, call.function === '_==_' ? exits : negated(exits));
}

function equalityCondition(g: Generation, call: CallExpr, exits: Exits): void {
  const [left, right] = call.args as readonly [Expr, Expr];
  const types = [staticType(g, left), staticType(g, right)] as const;
  const literal = identityCodes([right], types[0]);
  if (literal !== undefined) {
    identityCondition(g, left, js => oneOfTest(g, js, literal), exits);
    return;
  }
  const a = wholeValue(g, left, exits.fail);
  if (right.kind !== 'literal') chargeOperand(g, { node: left, js: a, type: types[0] });
  const b = wholeValue(g, right, exits.fail);
  if (comparedByIdentity(types[0], types[1])) branch(g, `${a}===${b}`, exits);
  else generalTest(g, { call, operands: [a, b], types, right }, exits);
}

interface Comparison {
  readonly call: CallExpr;
  readonly operands: readonly [string, string];
  readonly types: readonly [Type, Type];
  readonly right: Expr;
}

/** A dynamic value equals a string or bool only if it is identical; an int may also equal a number of another type. */
function generalTest(g: Generation, { call, operands: [a, b], types, right }: Comparison, exits: Exits): void {
  const literal = right.kind === 'literal' && isOpen(types[0]) ? right.literal.type : undefined;
  if (literal === 'string' || literal === 'bool') branch(g, `${a}===${b}`, exits);
  else if (literal === 'int') {
    branch(g, `${a}===${b}||typeof ${a}==="object"&&${runtimeName(g.scope, 'equalsNumber')}(${a},${b})`, exits);
  } else {
    const operands = `${contextConstant(g)},${tagged(g, a, types[0])},${tagged(g, b, types[1])}`;
    testedSteppingCall(g, `${runtimeName(g.scope, 'equals')}(${operands})`, call.id, exits);
  }
}

const IDENTICAL_WHEN_EQUAL: ReadonlySet<Type['kind']> = new Set(['bool', 'int', 'uint', 'double', 'string']);

/**
 * Canonical integers are equal if and only if they are identical, bigints included. For doubles, NaN differs from itself and 0 equals -0.
 */
function comparedByIdentity(left: Type, right: Type): boolean {
  return left.kind === right.kind && IDENTICAL_WHEN_EQUAL.has(left.kind);
}

const OPERATORS: Readonly<Record<string, string>> = { '_<_': '<', '_<=_': '<=', '_>_': '>', '_>=_': '>=' };

/** Not for integers next to doubles, which are rounded beyond 2^53 first; the runtime handles those. */
const NUMERIC = /^(less|greater)(_equals)?_(bool|u?int64(_u?int64)?|double)$/;

/** Compares numbers, which JavaScript compares exactly even between numbers and bigints, and strings. */
export function comparisonDecision(g: Generation, call: CallExpr): Decision | undefined {
  const overloads = overloadsOf(g, call);
  const [overload] = overloads;
  if (overload === undefined || overloads.length > 1) return undefined;
  const operator = OPERATORS[call.function] ?? '';
  if (NUMERIC.test(overload.id)) {
    return (
      sizeComparison(g, call, operator) ?? (exits => branch(g, operandsCode(g, call, exits).join(operator), exits))
    );
  }
  if (!overload.id.endsWith('_string')) return undefined;
  return exits => {
    const [a, b] = operandsCode(g, call, exits);
    branch(g, `${runtimeName(g.scope, 'compareStrings')}(${a},${b})${operator}0`, exits);
  };
}

function operandsCode(g: Generation, call: CallExpr, exits: Exits): readonly string[] {
  const params = overloadsOf(g, call)[0]?.params ?? [];
  return call.args.map((arg, index) => {
    const to = params[index] ?? DYN;
    const js = adapt(g, g.value(g, arg, exits.fail), { from: staticType(g, arg), to, exprId: call.id }, exits.fail);
    chargeOperand(g, { node: arg, js, type: to });
    return js;
  });
}
