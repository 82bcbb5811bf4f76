import type { CallExpr, Expr } from '@tollgate/cel';
import { overloadOf, pathOf, type Reading, typeOfExpr } from './reading.ts';
import { isTotal } from './totality.ts';
import type { TrialValue } from './trial-values.ts';
import { type Term, termOf } from './vocabulary.ts';

/** An input held against literals, as most conditions are made of: what it asks can be tried without writing out what it means. */
export interface SimpleTest {
  readonly term: Term;
  readonly kind: 'equal' | 'prefix' | 'suffix' | 'part' | 'below' | 'above';
  /** Texts or numbers, one of which the input is to be, begin with, and so on; one bound of those that are in order. */
  readonly literals: readonly (string | number)[];
  /** It is true where the input is not so: `!=`, `<=`. */
  readonly isNegated: boolean;
}

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

/** Whether the test is true of a value of its term; undefined for a value of another type. */
export function passes(test: SimpleTest, value: TrialValue): boolean | undefined {
  const isText = typeof test.literals[0] === 'string';
  if (isText ? typeof value !== 'string' : typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  return isSo(test, value as string | number) !== test.isNegated;
}

/** Values of which one most likely is as wanted, those first that fulfil little else; built on what was tried before. */
export function valuesToPass(
  { kind, literals, isNegated }: SimpleTest,
  wanted: boolean,
  before: TrialValue | undefined,
): readonly (string | number)[] {
  const [first] = literals as readonly [string | number];
  if (typeof first === 'number') return [first, first + 1, first - 1, OTHER_NUMBER];
  if (wanted === isNegated) return OTHER_TEXTS;
  const known = typeof before === 'string' ? before : OTHER_TEXTS[0];
  switch (kind) {
    case 'equal':
      return literals.slice(0, MAX_TRIED);
    case 'prefix':
      return [first + known, first + OTHER_TEXTS[0], first];
    case 'suffix':
      return [known + first];
    default:
      return [known + first + OTHER_TEXTS[0]];
  }
}

/** In the place of all texts and numbers that no condition asks for. */
const OTHER_TEXTS = ['~', '^'] as const;
const OTHER_NUMBER = 7919;

/** Values of a list that are tried. */
const MAX_TRIED = 4;

function isSo({ kind, literals }: SimpleTest, value: string | number): boolean {
  const [first] = literals as readonly [string];
  switch (kind) {
    case 'equal':
      return literals.includes(value);
    case 'prefix':
      return String(value).startsWith(first);
    case 'suffix':
      return String(value).endsWith(first);
    case 'part':
      return String(value).includes(first);
    case 'below':
      return value < first;
    case 'above':
      return value > first;
  }
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
  return { ...question, term: termOf(reading.vocabulary, path, make), literals };
}

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
