/** A binary operator of the language. */
export interface OperatorInfo {
  /** As in source text. */
  readonly text: string;
  /** The function that the operator calls. */
  readonly function: string;
  /** Higher binds tighter. All are left-associative; those of `&&` and `||` are balanced. */
  readonly precedence: number;
  /** Chains become balanced trees, as in the reference implementation, whose depth the limits count. */
  readonly balanced: boolean;
}

export const CONDITIONAL_PRECEDENCE = 0;
const OR = 1;
export const AND_PRECEDENCE = 2;
const RELATION = 3;
const SUM = 4;
const PRODUCT = 5;
export const UNARY_PRECEDENCE = 6;
export const MEMBER_PRECEDENCE = 7;

const operator = (text: string, precedence: number, name = `_${text}_`): OperatorInfo => ({
  text,
  function: name,
  precedence,
  balanced: precedence <= AND_PRECEDENCE,
});

export const OPERATORS: readonly OperatorInfo[] = [
  operator('||', OR),
  operator('&&', AND_PRECEDENCE),
  operator('==', RELATION),
  operator('!=', RELATION),
  operator('<', RELATION),
  operator('<=', RELATION),
  operator('>', RELATION),
  operator('>=', RELATION),
  operator('in', RELATION, '@in'),
  operator('+', SUM),
  operator('-', SUM),
  operator('*', PRODUCT),
  operator('/', PRODUCT),
  operator('%', PRODUCT),
];

/** Words that are valid only as field names, not as names of variables and functions (Language Definition, "Syntax"). */
export const RESERVED_WORDS: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'namespace',
  'package',
  'return',
  'var',
  'void',
  'while',
]);
