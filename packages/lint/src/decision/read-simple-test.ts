import type { CallExpr, Expr } from '@tollgate/cel';
import { overloadOf, pathOf, type Reading, typeOfExpr } from './reading.ts';
import type { SimpleTest } from './simple-test.ts';
import { isTotal } from './totality.ts';
import { termOf } from './vocabulary.ts';

/**
 * The call as a simple test; undefined for all others. One is true of some values and false of others, and looks at names of the
 * environment only, so that it means the same wherever it stands.
 */
export function simpleTestOf(reading: Reading, call: CallExpr): SimpleTest | undefined {
  const [first, second] = call.args;
  if (first === undefined) return undefined;
  if (call.target !== undefined) return searchOf(reading, call, { operand: call.target, sought: first });
  if (second === undefined) return undefined;
  if (call.function === '@in') return listTestOf(reading, first, second);
  if (second.kind === 'literal')
    return comparisonOf(reading, COMPARISONS[call.function], { operand: first, sought: second });
  if (first.kind !== 'literal') return undefined;
  return comparisonOf(reading, MIRRORED[call.function], { operand: second, sought: first });
}

interface Operands {
  readonly operand: Expr;
  readonly sought: Expr;
}

type Question = Pick<SimpleTest, 'kind' | 'isNegated'>;

const EQUAL: Question = { kind: 'equal', isNegated: false };
const UNEQUAL: Question = { kind: 'equal', isNegated: true };
const BELOW: Question = { kind: 'below', isNegated: false };
const NOT_BELOW: Question = { kind: 'below', isNegated: true };
const ABOVE: Question = { kind: 'above', isNegated: false };
const NOT_ABOVE: Question = { kind: 'above', isNegated: true };

const COMPARISONS: Readonly<Record<string, Question>> = {
  '_==_': EQUAL,
  '_!=_': UNEQUAL,
  '_<_': BELOW,
  '_>=_': NOT_BELOW,
  '_>_': ABOVE,
  '_<=_': NOT_ABOVE,
};

const MIRRORED: Readonly<Record<string, Question>> = {
  '_==_': EQUAL,
  '_!=_': UNEQUAL,
  '_>_': BELOW,
  '_<=_': NOT_BELOW,
  '_<_': ABOVE,
  '_>=_': NOT_ABOVE,
};

const SEARCHES: Readonly<Record<string, Question['kind']>> = {
  starts_with_string: 'prefix',
  ends_with_string: 'suffix',
  contains_string: 'part',
};

function comparisonOf(
  reading: Reading,
  question: Question | undefined,
  { operand, sought }: Operands,
): SimpleTest | undefined {
  const literal = literalOf(sought);
  if (question === undefined || literal === undefined) return undefined;
  // Texts in order are ranges, of which some hold nothing.
  if (typeof literal === 'string' && question.kind !== 'equal') return undefined;
  return testOf(reading, question, { operand, literals: [literal] });
}

function searchOf(reading: Reading, call: CallExpr, { operand, sought }: Operands): SimpleTest | undefined {
  const kind = SEARCHES[overloadOf(reading, call) ?? ''];
  const literal = literalOf(sought);
  // Every text has the empty one everywhere.
  if (kind === undefined || typeof literal !== 'string' || literal === '') return undefined;
  return testOf(reading, { kind, isNegated: false }, { operand, literals: [literal] });
}

function listTestOf(reading: Reading, operand: Expr, list: Expr): SimpleTest | undefined {
  if (list.kind !== 'list' || list.optionalIndices.length > 0 || list.elements.length === 0) return undefined;
  const literals: (string | number)[] = [];
  for (const element of list.elements) {
    const literal = literalOf(element);
    if (literal === undefined || typeof literal !== typeof (literals[0] ?? literal)) return undefined;
    literals.push(literal);
  }
  return testOf(reading, EQUAL, { operand, literals });
}

/** Of ints only those that JavaScript holds exactly. */
function literalOf(expr: Expr): string | number | undefined {
  if (expr.kind !== 'literal') return undefined;
  const { type, value } = expr.literal;
  if (type === 'string') return value;
  return type === 'int' && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
}

function testOf(
  reading: Reading,
  question: Question,
  { operand, literals }: { readonly operand: Expr; readonly literals: SimpleTest['literals'] },
): SimpleTest | undefined {
  const type = typeof literals[0] === 'string' ? 'string' : 'int';
  if (typeOfExpr(reading, operand) !== type || !isInput(reading, operand)) return undefined;
  const path = pathOf(reading, operand);
  if (path === undefined) return undefined;
  const make = () => ({
    isTotal: isTotal(reading, operand),
    access: { steps: path.split('.'), isKey: false },
  });
  const set = literals.length > MANY ? new Set(literals) : undefined;
  return { ...question, term: termOf(reading.vocabulary, path, make), literals, set };
}

/** Literals beyond which looking through them takes longer than looking them up. */
const MANY = 16;

/** Selections from a declared variable, without local names. */
function isInput({ typed }: Reading, expr: Expr): boolean {
  let current = expr;
  for (;;) {
    const reference = typed.references[current.id];
    if (reference !== undefined) return reference.kind === 'variable';
    if (current.kind !== 'select' || current.testOnly) return false;
    current = current.operand;
  }
}
