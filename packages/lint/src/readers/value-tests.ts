// Tests of inputs against literals, such as `req.Method in ['GET', 'HEAD']`.

import type { ValueRole } from '@tollgate/catalog';
import { type CallExpr, EvaluationError, type Expr, type Literal, type TypedAst } from '@tollgate/cel';
import {
  comparatorOf,
  compilePattern,
  isStringTest,
  type LiteralTest,
  type LiteralTestKind,
  literalTestOf,
} from '@tollgate/cel/tooling';
import type { ProfileRoles } from './profile-roles.ts';
import { type SourceNode, sourceNodes } from './source-nodes.ts';
import { originOf, type ValueOrigin } from './value-origin.ts';

/** A literal and its value. */
export interface LiteralNode {
  readonly node: Extract<Expr, { readonly kind: 'literal' }>;
  readonly literal: Literal;
}

/** A test of an input against literals, such as `req.Method in ['GET', 'HEAD']`. */
export interface ValueTest {
  readonly call: CallExpr;
  readonly kind: LiteralTestKind;
  readonly operand: Expr;
  readonly origin: ValueOrigin;
  /** Exactly one, except for `in`. */
  readonly literals: readonly LiteralNode[];
  /** True if the literal is an element of a list whose loop variable is tested: `['/a', '/b'].exists(p, req.Path.startsWith(p))`. */
  readonly isListed: boolean;
  /** True below an odd number of negations. */
  readonly isNegated: boolean;
}

/** Returns all tests of inputs against literals, in source order. */
export function valueTestsIn(
  typed: TypedAst,
  roles: ProfileRoles,
  nodes: readonly SourceNode[] = sourceNodes(typed.ast),
): readonly ValueTest[] {
  const found: ValueTest[] = [];
  for (const { node, isNegated } of nodes) {
    if (node.kind !== 'call') continue;
    const test = testOf(typed, roles, node);
    if (test) found.push({ ...test, isNegated, isListed: false });
    else for (const one of listedTests(typed, roles, node)) found.push({ ...one, isNegated, isListed: true });
  }
  return found;
}

/** Returns the tests of inputs with one of the roles. */
export function testsOf(tests: readonly ValueTest[], ...roles: readonly ValueRole[]): readonly ValueTest[] {
  return tests.filter(({ origin }) => origin.role !== undefined && roles.includes(origin.role));
}

/** A string literal that an input is tested against. */
export interface StringLiteral {
  readonly test: ValueTest;
  readonly node: LiteralNode['node'];
  readonly text: string;
}

/** Returns the string literals of tests. */
export function stringLiteralsOf(tests: readonly ValueTest[]): readonly StringLiteral[] {
  return tests.flatMap(test =>
    test.literals.flatMap(({ node, literal }) =>
      literal.type === 'string' ? [{ test, node, text: literal.value }] : [],
    ),
  );
}

/** Returns the node to mark for a test: the call, or the element of a list. */
export function markedNode({ call, isListed, literals }: ValueTest): Expr {
  return isListed ? literals[0]!.node : call;
}

/** Returns true if the test is decided by whether the value equals a literal. */
export function isEquality({ kind }: ValueTest): boolean {
  return kind === '==' || kind === '!=' || kind === 'in';
}

type UnnegatedTest = Omit<ValueTest, 'isNegated' | 'isListed'>;

function testOf(typed: TypedAst, roles: ProfileRoles, call: CallExpr): UnnegatedTest | undefined {
  const test = literalTestOf(call) ?? elementTest(typed, call);
  const origin = test && originOf(typed, roles, test.operand);
  if (!origin) return undefined;
  const { kind, operand, literals } = test;
  return { call, kind, operand, origin, literals: literals.map(asLiteral) };
}

/** `'a' in x` where `x` is a list: one of its elements equals the literal. */
function elementTest(
  { types }: TypedAst,
  call: CallExpr,
): Pick<LiteralTest, 'kind' | 'operand' | 'literals'> | undefined {
  const [first, second] = call.args;
  if (call.function !== '@in' || first?.kind !== 'literal' || types[second!.id]?.kind !== 'list') return undefined;
  return { kind: '==', operand: second!, literals: [first] };
}

/** Returns the tests against a loop variable, one for each literal in its list. */
function listedTests(typed: TypedAst, roles: ProfileRoles, call: CallExpr): readonly UnnegatedTest[] {
  const comparator = comparatorOf(call);
  const [first, second] = call.target ? [call.target, call.args[0]] : call.args;
  if (!first || !second) return [];
  if (comparator === '==' || comparator === '!=') {
    const right = elementsOf(typed, second);
    const literals = right.length > 0 ? right : elementsOf(typed, first);
    return testsOfElements(
      { typed, roles },
      { call, kind: comparator, operand: right.length > 0 ? first : second },
      literals,
    );
  }
  if (!call.target || !isStringTest(call.function)) return [];
  return testsOfElements({ typed, roles }, { call, kind: call.function, operand: first }, elementsOf(typed, second));
}

function testsOfElements(
  context: { readonly typed: TypedAst; readonly roles: ProfileRoles },
  test: Pick<ValueTest, 'call' | 'kind' | 'operand'>,
  literals: readonly LiteralNode[],
): readonly UnnegatedTest[] {
  const origin = literals.length > 0 ? originOf(context.typed, context.roles, test.operand) : undefined;
  return origin ? literals.map(literal => ({ ...test, origin, literals: [literal] })) : [];
}

/** Returns the literals that a loop variable stands for; empty for other nodes. */
function elementsOf({ references, ast }: TypedAst, node: Expr): readonly LiteralNode[] {
  const reference = node.kind === 'ident' ? references[node.id] : undefined;
  const loop = reference?.kind === 'local' ? ast.macroCalls.get(reference.scope) : undefined;
  if (loop?.target?.kind !== 'list' || loop.args.length !== 2) return [];
  return loop.target.elements.flatMap(element => (element.kind === 'literal' ? [asLiteral(element)] : []));
}

function asLiteral(node: LiteralNode['node']): LiteralNode {
  return { node, literal: node.literal };
}

/** Returns true if a string passes a test against a literal; undefined for orderings and for invalid patterns. */
export function passes(kind: LiteralTestKind, literal: string, text: string): boolean | undefined {
  switch (kind) {
    case '==':
    case 'in':
      return text === literal;
    case 'startsWith':
      return text.startsWith(literal);
    case 'endsWith':
      return text.endsWith(literal);
    case 'contains':
      return text.includes(literal);
    case 'matches': {
      const pattern = compilePattern(literal);
      return pattern instanceof EvaluationError ? undefined : pattern.test(text);
    }
    default:
      return undefined;
  }
}

/** A path prefix that ends inside a segment; one that ends in `/`, `-`, `.` or `=` is open on purpose. */
const INSIDE_NAME = /\/[\w.~%-]*[A-Za-z0-9]$/;

/** Returns the path prefix that a test is for, if it ends in the middle of a segment: `/api` for `startsWith('/api')` and `matches('^/api')`. */
export function openPrefixOf(kind: LiteralTestKind, literal: string): string | undefined {
  const pattern = kind === 'matches' ? compilePattern(literal) : undefined;
  const isPrefix = pattern && !(pattern instanceof EvaluationError) && pattern.kind === 'prefix';
  const prefix = isPrefix ? pattern.text : kind === 'startsWith' ? literal : undefined;
  return prefix !== undefined && INSIDE_NAME.test(prefix) ? prefix : undefined;
}
