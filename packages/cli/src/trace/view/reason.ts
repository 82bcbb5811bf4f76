import { EvaluationError } from '@tollgate/cel';
import { printable } from '@tollgate/diagnostics';
import { resultText } from './node-text.ts';
import type { SubExpression } from './sub-expression.ts';

/** Maximum length of an expression or value within a sentence, in UTF-16 code units. */
const MAX_LENGTH = 60;
/** Maximum number of values to name per condition. */
const MAX_FACTS = 3;

/** Returns why a condition is false, completing "because …": the values that decided it. */
export function whyFalse(root: SubExpression): string {
  const facts = [...new Set(factsOf(root, false))];
  const more = facts.length - MAX_FACTS;
  const shown = facts.slice(0, MAX_FACTS).join(' and ');
  return more > 0 ? `${shown}, and ${more} more` : shown;
}

/** Returns why a condition failed, completing "because …". */
export function whyFailed(root: SubExpression): string {
  const origin = originOf(root) ?? root;
  const error = origin.results.find(result => result instanceof EvaluationError);
  return `${quoted(origin)} failed: ${printable(error instanceof EvaluationError ? error.message : '')}`;
}

/** Returns the values that made a subexpression true or false. */
function factsOf(part: SubExpression, value: boolean): readonly string[] {
  const { operation, children } = part;
  const having = (wanted: boolean) => children.filter(({ results }) => results.at(-1) === wanted);
  switch (operation) {
    case '!_':
      return children.flatMap(child => factsOf(child, !value));
    case '_&&_':
    case '_||_': {
      // One false operand decides `&&`, one true operand `||`; otherwise all operands did.
      const deciding = having(value);
      const isEnough = value === (operation === '_||_');
      return (isEnough ? deciding.slice(0, 1) : deciding).flatMap(child => factsOf(child, value));
    }
    case '_?_:_': {
      const [condition, ...branches] = children;
      const branch = branches.find(({ count }) => count > 0);
      if (condition === undefined || branch === undefined) return [was(part)];
      return [...factsOf(condition, condition.results.at(-1) === true), ...factsOf(branch, value)];
    }
    default:
      return factsOfTest(part);
  }
}

/** Returns the inputs of a test and their values, or the test itself if those say too little or are too long. */
function factsOfTest(part: SubExpression): readonly string[] {
  const { operation, children, isLoop } = part;
  const parts = isLoop ? children.slice(0, 1) : children;
  const inputs = parts.filter(child => !child.isConstant && child.count === 1);
  const isPresence = operation === 'has' || (operation === '@in' && children[0]?.isConstant === true);
  const isLong = inputs.some(({ results }) => resultText(results[0]!, true, MAX_LENGTH).text.endsWith('…'));
  return inputs.length === 0 || isPresence || isLong ? [was(part)] : inputs.map(was);
}

function was(part: SubExpression): string {
  const result = part.results.at(-1);
  const text = result === undefined ? 'not evaluated' : resultText(result, false, MAX_LENGTH).text;
  return `${quoted(part)} was ${printable(text)}`;
}

/** Returns the source on one line, in backticks. */
function quoted({ text }: SubExpression): string {
  const line = printable(text.replace(/\s+/g, ' '));
  return `\`${line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line}\``;
}

/** Returns the innermost subexpression that failed. */
function originOf(part: SubExpression): SubExpression | undefined {
  if (!part.results.some(result => result instanceof EvaluationError)) return undefined;
  for (const child of part.children) {
    const origin = originOf(child);
    if (origin) return origin;
  }
  return part;
}
