/**
 * Conditions in the part of CEL that every target expresses exactly, and what they read. `lower-condition.ts` makes them of expressions.
 */
import type { ValueRole } from '@tollgate/catalog';
import type { PatternNode } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';

/** A condition in the part of CEL that every target expresses exactly. */
export type Condition =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  /** An evaluation error counts as false. */
  | { readonly kind: 'holds'; readonly part: Condition }
  | { readonly kind: 'choice'; readonly test: Condition; readonly yes: Condition; readonly no: Condition }
  /** A bool input. */
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'comparison'; readonly operator: ComparisonOperator; readonly value: Value; readonly other: Value }
  | {
      readonly kind: 'text';
      readonly operator: 'startsWith' | 'endsWith' | 'contains';
      readonly value: Value;
      readonly other: Value;
    }
  | { readonly kind: 'membership'; readonly value: Value; readonly members: readonly Constant[] }
  /** In RE2 syntax. The range is that of the call in the expression. */
  | { readonly kind: 'pattern'; readonly value: Value; readonly pattern: string; readonly range: Range }
  /** Whether a string is a valid IP address. */
  | { readonly kind: 'address'; readonly value: Value; readonly range: Range }
  /** Whether an address range contains an address: an evaluation error if that is malformed. */
  | { readonly kind: 'network'; readonly value: Value; readonly network: Network; readonly range: Range }
  /** Whether a map has a key. */
  | { readonly kind: 'key'; readonly input: Input; readonly key: string };

/** A range of addresses. */
interface Network {
  /** Of the first address: 4, or 16. */
  readonly bytes: readonly number[];
  /** In bits. */
  readonly prefixLength: number;
}

/** Operators on two values of one type. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A constant of a scalar type. */
export type Constant = string | number | boolean;

/** A scalar value. */
export type Value =
  | { readonly kind: 'constant'; readonly value: Constant }
  | { readonly kind: 'input'; readonly input: Input }
  /** The number of code points of a string, or of entries in a map. */
  | { readonly kind: 'size'; readonly input: Input }
  /** The value of a header: an evaluation error if the key or position does not exist. */
  | { readonly kind: 'element'; readonly input: Input; readonly key: string; readonly position: number };

/** What a policy reads of an exchange; unknown if it is not given. */
export interface Input {
  /** As in expressions: `req.Path`. */
  readonly path: string;
  /** Headers are lists of strings by name. */
  readonly type: 'string' | 'int' | 'bool' | 'headers';
  /** What the catalog says that it is. */
  readonly role?: ValueRole | undefined;
}

/** A construct that a target does not express exactly, with its range in the expression or document. */
export interface Unsupported {
  readonly construct: string;
  readonly range: Range;
  /** What to do about it, as an imperative. */
  readonly remedy?: string | undefined;
}

/** Thrown while lowering, at the first unsupported construct. */
export class UnsupportedError extends Error {
  readonly unsupported: Unsupported;

  constructor(construct: string, range: Range) {
    super(`unsupported: ${construct}`);
    this.unsupported = { construct, range };
  }
}

/** A condition without parts. */
export type Leaf = Exclude<Condition, { readonly kind: 'and' | 'or' | 'not' | 'holds' | 'choice' }>;

/** Returns the leaves of a condition from left to right. */
export function leavesOf(condition: Condition): readonly Leaf[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(leavesOf);
    case 'not':
    case 'holds':
      return leavesOf(condition.part);
    case 'choice':
      return [condition.test, condition.yes, condition.no].flatMap(leavesOf);
    default:
      return [condition];
  }
}

/** Returns what conditions read, each once. */
export function inputsOf(conditions: readonly Condition[]): readonly Input[] {
  const read = conditions.flatMap(readsOf);
  return [...new Map(read.map(({ input }) => [input.path, input])).values()];
}

/** A place where an input is read. */
interface Read {
  readonly input: Input;
  /** The only key of a map that is read; undefined if more is. */
  readonly key: string | undefined;
}

/** Returns what a condition reads, from left to right. */
export function readsOf(condition: Condition): readonly Read[] {
  return leavesOf(condition).flatMap(readBy);
}

function readBy(leaf: Leaf): readonly Read[] {
  switch (leaf.kind) {
    case 'constant':
      return [];
    case 'input':
      return [{ input: leaf.input, key: undefined }];
    case 'key':
      return [{ input: leaf.input, key: leaf.key }];
    case 'comparison':
    case 'text':
      return [leaf.value, leaf.other].flatMap(inputIn);
    case 'membership':
    case 'pattern':
    case 'address':
    case 'network':
      return inputIn(leaf.value);
  }
}

function inputIn(value: Value): readonly Read[] {
  if (value.kind === 'constant') return [];
  return [{ input: value.input, key: value.kind === 'element' ? value.key : undefined }];
}

/** Returns true if the test holds for the node of a pattern or for one inside it. */
export function someNode(node: PatternNode, test: (node: PatternNode) => boolean): boolean {
  if (test(node)) return true;
  switch (node.kind) {
    case 'concat':
      return node.items.some(item => someNode(item, test));
    case 'alternate':
      return node.branches.some(branch => someNode(branch, test));
    case 'repeat':
      return someNode(node.body, test);
    default:
      return false;
  }
}
