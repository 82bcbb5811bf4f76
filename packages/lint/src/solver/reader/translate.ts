import type { Expr } from '@tollgate/cel';
import { comparatorOf } from '../../expressions/comparisons.ts';
import {
  allOf,
  anyOf,
  type Condition,
  choice,
  FAILS_ALWAYS,
  FALSE_ALWAYS,
  negated,
  TRUE_ALWAYS,
  tested,
} from '../formula/condition.ts';
import { addressCondition } from './address-condition.ts';
import { comparisonCondition } from './comparison-condition.ts';
import { constantValue, isConstant } from './constant-value.ts';
import { inlinedPart } from './inlined-part.ts';
import { loopCondition } from './loop-condition.ts';
import { membershipCondition } from './membership-condition.ts';
import { simpleTestOf } from './read-simple-test.ts';
import { presence, truthOf } from './read-term.ts';
import { bindingKey, type ReaderContext, resolved, typeOfExpr } from './reader-context.ts';
import { stringCondition } from './string-condition.ts';

/** Expressions with larger formulas are opaque. */
const MAX_SIZE = 2_000;

/** Translates an expression into a condition. What is not understood becomes an opaque truth value, which may also fail. */
export function translate(reader: ReaderContext, expr: Expr): Condition {
  if (!reader.isInlined && !isJoint(expr)) {
    const part = inlinedPart(reader, expr);
    return translate(part.reader, part.expr);
  }
  const found = translateKind(reader, resolved(reader, expr));
  if (found.size <= MAX_SIZE || sizeOf(found) <= MAX_SIZE) return found;
  const whole = reader.isInlined ? { reader, expr } : inlinedPart(reader, expr);
  return truthOf(whole.reader, whole.expr);
}

/** The exact size, which requires building the formulas. */
function sizeOf({ whenTrue, whenFalse }: Condition): number {
  return whenTrue.size + whenFalse.size;
}

function translateKind(reader: ReaderContext, expr: Expr): Condition {
  switch (expr.kind) {
    case 'literal':
      if (expr.literal.type !== 'bool') return FAILS_ALWAYS;
      return expr.literal.value ? TRUE_ALWAYS : FALSE_ALWAYS;
    case 'call':
      return translateLogic(reader, expr) ?? translateAtom(reader, expr);
    case 'select':
      return translateSelect(reader, expr);
    case 'comprehension':
      return translateLoop(reader, expr);
    default:
      return truthOf(reader, expr);
  }
}

/** Returns true for logical operators, whose operands are translated separately. */
function isJoint(expr: Expr): boolean {
  return expr.kind === 'call' && (JOINTS as readonly string[]).includes(expr.function);
}

const JOINTS = ['_&&_', '_||_', '!_', '_?_:_'] as const;

type Call = Extract<Expr, { kind: 'call' }>;

function translateLogic(reader: ReaderContext, { id, function: name, args }: Call): Condition | undefined {
  const operands = () => {
    const found = args.map(arg => translate(reader, arg));
    reader.operands?.set(id, found);
    return found;
  };
  switch (name) {
    case '_&&_':
      return allOf(operands());
    case '_||_':
      return anyOf(operands());
    case '!_':
      return negated(operands()[0]!);
    case '_?_:_': {
      const [condition, yes, no] = operands();
      return choice(condition!, yes!, no!);
    }
    default:
      return undefined;
  }
}

function translateAtom(reader: ReaderContext, call: Call): Condition {
  const test = simpleTestOf(reader, call);
  return test === undefined ? translateTest(reader, call) : tested(test, () => translateTest(reader, call));
}

function translateTest(reader: ReaderContext, call: Call): Condition {
  if (isConstant(reader, call)) return constantCondition(reader, call);
  const comparator = comparatorOf(call);
  if (comparator !== undefined) return comparisonCondition(reader, call, comparator);
  if (call.function === '@in') return membershipCondition(reader, call);
  return stringCondition(reader, call) ?? addressCondition(reader, call) ?? truthOf(reader, call);
}

function constantCondition(reader: ReaderContext, call: Call): Condition {
  const value = constantValue(reader, call);
  if (value === true) return TRUE_ALWAYS;
  return value === false ? FALSE_ALWAYS : FAILS_ALWAYS;
}

/** `has(m.key)` on a map equals `'key' in m`. */
function translateSelect(reader: ReaderContext, expr: Extract<Expr, { kind: 'select' }>): Condition {
  if (!expr.testOnly || typeOfExpr(reader, expr.operand) !== 'map') return truthOf(reader, expr);
  return presence(reader, expr.operand, expr.field);
}

function translateLoop(reader: ReaderContext, loop: Extract<Expr, { kind: 'comprehension' }>): Condition {
  const isBinding = loop.iterRange.kind === 'list' && loop.iterRange.elements.length === 0;
  if (!isBinding) return loopCondition(reader, loop, translate) ?? truthOf(reader, loop);
  reader.bindings.set(bindingKey(loop.id, loop.accuVar), loop.accuInit);
  return translate(reader, loop.result);
}
