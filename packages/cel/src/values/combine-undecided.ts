import { NonValue, Unknown } from './value.ts';

/**
 * Combines two operands of `&&` or `||` neither of which decides. An unknown wins over an error, and the first error over later ones; the
 * inputs of two unknowns are joined. A value that does not decide, or undefined before the first operand, yields to the other operand.
 */
export function combineUndecided<T>(left: T, right: T): T | Unknown {
  if (left instanceof Unknown) return right instanceof Unknown ? joinUnknowns(left, right) : left;
  if (right instanceof Unknown) return right;
  return left instanceof NonValue ? left : right;
}

function joinUnknowns(left: Unknown, right: Unknown): Unknown {
  if (left === right) return left;
  return new Unknown([...new Set([...left.attributes, ...right.attributes])].sort());
}
