// Three-valued logic over sets of results. A set of bits holds every result that a condition may still have while some inputs are open.

export const TRUE = 1;
export const FALSE = 2;
/** The evaluation ends in an error. */
export const FAILS = 4;
/** Nothing is known about the result. */
export const ANY_RESULT = TRUE | FALSE | FAILS;

/** Returns the possible results of `!a`. */
export function negate(a: number): number {
  return (a & FAILS) | ((a & TRUE) << 1) | ((a & FALSE) >> 1);
}

/** Returns the possible results of `a && b`: false if one operand is false, even if the other one fails. */
export function conjoin(a: number, b: number): number {
  if (a === FALSE || b === FALSE) return FALSE;
  return (a & b & TRUE) | ((a | b) & (FALSE | FAILS));
}

/** Returns the possible results of `a || b`: true if one operand is true, even if the other one fails. */
export function disjoin(a: number, b: number): number {
  if (a === TRUE || b === TRUE) return TRUE;
  return (a & b & FALSE) | ((a | b) & (TRUE | FAILS));
}
