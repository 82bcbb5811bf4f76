import type { Expr } from '@tollgate/cel';
import {
  all,
  any,
  choice,
  FAILS_ALWAYS,
  FALSE_ALWAYS,
  negated,
  type Outcomes,
  TRUE_ALWAYS,
  tested,
} from '../formula/outcomes.ts';
import { addressOutcomes } from './address-outcomes.ts';
import { comparisonOutcomes, isComparator } from './comparison-outcomes.ts';
import { constantValue, isConstant } from './constant-value.ts';
import { inlinedPart } from './inlined-part.ts';
import { loopOutcomes } from './loop-outcomes.ts';
import { membershipOutcomes } from './membership-outcomes.ts';
import { simpleTestOf } from './read-simple-test.ts';
import { presence, truthOf } from './read-term.ts';
import { bindingKey, type Reading, resolved, typeOfExpr } from './reader-context.ts';
import { textOutcomes } from './string-outcomes.ts';

/** Size of formulas, written out, beyond which an expression is taken as a whole. */
const MAX_SIZE = 2_000;

/** When an expression is true and when it is false. What is not understood is taken as a whole, which is true or false or fails. */
export function translate(reading: Reading, expr: Expr): Outcomes {
  if (!reading.isInlined && !isJoint(expr)) {
    const part = inlinedPart(reading, expr);
    return translate(part.reading, part.expr);
  }
  const found = translateKind(reading, resolved(reading, expr));
  if (found.size <= MAX_SIZE || sizeOf(found) <= MAX_SIZE) return found;
  const whole = reading.isInlined ? { reading, expr } : inlinedPart(reading, expr);
  return truthOf(whole.reading, whole.expr);
}

/** Exactly, which takes writing them out. */
function sizeOf({ whenTrue, whenFalse }: Outcomes): number {
  return whenTrue.size + whenFalse.size;
}

function translateKind(reading: Reading, expr: Expr): Outcomes {
  switch (expr.kind) {
    case 'literal':
      if (expr.literal.type !== 'bool') return FAILS_ALWAYS;
      return expr.literal.value ? TRUE_ALWAYS : FALSE_ALWAYS;
    case 'call':
      return translateLogic(reading, expr) ?? translateAtom(reading, expr);
    case 'select':
      return translateSelect(reading, expr);
    case 'comprehension':
      return translateLoop(reading, expr);
    default:
      return truthOf(reading, expr);
  }
}

/** Put together from operands, each of which is read by itself. */
function isJoint(expr: Expr): boolean {
  return expr.kind === 'call' && (JOINTS as readonly string[]).includes(expr.function);
}

const JOINTS = ['_&&_', '_||_', '!_', '_?_:_'] as const;

type Call = Extract<Expr, { kind: 'call' }>;

function translateLogic(reading: Reading, { id, function: name, args }: Call): Outcomes | undefined {
  const operands = () => {
    const found = args.map(arg => translate(reading, arg));
    reading.operands?.set(id, found);
    return found;
  };
  switch (name) {
    case '_&&_':
      return all(operands());
    case '_||_':
      return any(operands());
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

function translateAtom(reading: Reading, call: Call): Outcomes {
  const test = simpleTestOf(reading, call);
  return test === undefined ? translateTest(reading, call) : tested(test, () => translateTest(reading, call));
}

function translateTest(reading: Reading, call: Call): Outcomes {
  if (isConstant(reading, call)) return constantOutcomes(reading, call);
  if (isComparator(call.function)) return comparisonOutcomes(reading, call);
  if (call.function === '@in') return membershipOutcomes(reading, call);
  return textOutcomes(reading, call) ?? addressOutcomes(reading, call) ?? truthOf(reading, call);
}

function constantOutcomes(reading: Reading, call: Call): Outcomes {
  const value = constantValue(reading, call);
  if (value === true) return TRUE_ALWAYS;
  return value === false ? FALSE_ALWAYS : FAILS_ALWAYS;
}

/** `has(m.key)` asks of a map what `'key' in m` does. */
function translateSelect(reading: Reading, expr: Extract<Expr, { kind: 'select' }>): Outcomes {
  if (!expr.testOnly || typeOfExpr(reading, expr.operand) !== 'map') return truthOf(reading, expr);
  return presence(reading, expr.operand, expr.field);
}

function translateLoop(reading: Reading, loop: Extract<Expr, { kind: 'comprehension' }>): Outcomes {
  const isBinding = loop.iterRange.kind === 'list' && loop.iterRange.elements.length === 0;
  if (!isBinding) return loopOutcomes(reading, loop, translate) ?? truthOf(reading, loop);
  reading.bindings.set(bindingKey(loop.id, loop.accuVar), loop.accuInit);
  return translate(reading, loop.result);
}
