import { EvaluationError } from '@tollgate/cel';
import { printable } from '@tollgate/diagnostics';
import { resultText } from './node-text.ts';
import type { SubExpression } from './sub-expression.ts';

/** UTF-16 units of an expression or a value that a sentence has room for. */
const LONGEST = 60;
/** Facts that are told of one condition. */
const MOST_FACTS = 3;

/** Why a condition does not hold, completing "because …": the parts that decided it, with their values. */
export function whyFalse(root: SubExpression): string {
  const facts = [...new Set(factsOf(root, false))];
  const more = facts.length - MOST_FACTS;
  const shown = facts.slice(0, MOST_FACTS).join(' and ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}

/** Why a condition failed, completing "because …". */
export function whyFailed(root: SubExpression): string {
  const origin = originOf(root) ?? root;
  const error = origin.results.find(result => result instanceof EvaluationError);
  return `${quoted(origin)} failed: ${printable(error instanceof EvaluationError ? error.message : '')}`;
}

/** What made it so that a part was true, or was not. */
function factsOf(part: SubExpression, value: boolean): readonly string[] {
  const { operation, children } = part;
  const having = (wanted: boolean) => children.filter(({ results }) => results.at(-1) === wanted);
  switch (operation) {
    case '!_':
      return children.flatMap(child => factsOf(child, !value));
    case '_&&_':
    case '_||_': {
      // One false part is enough for `&&`, one true for `||`; otherwise it took all of them.
      const deciding = having(value);
      const isEnough = value === (operation === '_||_');
      return (isEnough ? deciding.slice(0, 1) : deciding).flatMap(child => factsOf(child, value));
    }
    case '_?_:_': {
      const [condition, ...branches] = children;
      const taken = branches.find(({ count }) => count > 0);
      if (condition === undefined || taken === undefined) return [was(part)];
      return [...factsOf(condition, condition.results.at(-1) === true), ...factsOf(taken, value)];
    }
    default:
      return factsOfTest(part);
  }
}

/** The values that a test was made on; the test itself where they would say too little, or too much. */
function factsOfTest(part: SubExpression): readonly string[] {
  const { operation, children, isLoop } = part;
  const parts = isLoop ? children.slice(0, 1) : children;
  const inputs = parts.filter(child => !child.isConstant && child.count === 1);
  const isPresence = operation === 'has' || (operation === '@in' && children[0]?.isConstant === true);
  const isLong = inputs.some(({ results }) => resultText(results[0]!, true, LONGEST).text.endsWith('…'));
  return inputs.length === 0 || isPresence || isLong ? [was(part)] : inputs.map(was);
}

function was(part: SubExpression): string {
  const result = part.results.at(-1);
  const text = result === undefined ? 'not evaluated' : resultText(result, false, LONGEST).text;
  return `${quoted(part)} was ${printable(text)}`;
}

/** On one line, in backticks. */
function quoted({ text }: SubExpression): string {
  const line = printable(text.replace(/\s+/g, ' '));
  return `\`${line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line}\``;
}

/** The innermost part that failed. */
function originOf(part: SubExpression): SubExpression | undefined {
  if (!part.results.some(result => result instanceof EvaluationError)) return undefined;
  for (const child of part.children) {
    const origin = originOf(child);
    if (origin) return origin;
  }
  return part;
}
