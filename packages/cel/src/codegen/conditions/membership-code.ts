import type { CallExpr, Expr, Literal } from '../../ast/ast.ts';
import { DYN, type Type } from '../../types/type.ts';
import { identityCondition } from '../paths/identity-code.ts';
import { pathOf } from '../paths/paths.ts';
import { keyDecision } from '../paths/presence-code.ts';
import { contextConstant } from '../scope/context-code.ts';
import { type Decision, type Exits, type Generation, overloadsOf, staticType } from '../scope/generation.ts';
import { constant, runtimeName } from '../scope/module-scope.ts';
import type { PathTrieNode } from '../scope/path-trie.ts';
import { adapt, tagged } from '../scope/representation-code.ts';
import { integerCode, stringCode } from '../scope/source-text.ts';
import { testedSteppingCall } from '../scope/tested-call.ts';
import { wholeValue } from '../scope/whole-code.ts';

/** Up to here, comparisons are faster than a set lookup (measured with strings of 4 to 20 UTF-16 units). */
const MAX_COMPARISONS = 6;

/** Returns the source of a literal that `===` compares as CEL does if the other side has the same static type. */
function identityCode(literal: Literal): string | undefined {
  switch (literal.type) {
    case 'string':
      return stringCode(literal.value);
    case 'int':
    case 'uint':
      return integerCode(literal.value);
    default:
      return undefined;
  }
}

/** Returns the distinct sources of literals of one type; undefined if there are other nodes. */
export function identityCodes(nodes: readonly Expr[], type: Type): readonly string[] | undefined {
  const codes = new Set<string>();
  for (const node of nodes) {
    if (node.kind !== 'literal' || node.literal.type !== type.kind) return undefined;
    const code = identityCode(node.literal);
    if (code === undefined) return undefined;
    codes.add(code);
  }
  return [...codes];
}

/** Returns a test that a value is one of some literals. */
export function oneOfTest(g: Generation, js: string, codes: readonly string[]): string {
  if (codes.length === 0) return 'false';
  if (codes.length <= MAX_COMPARISONS) return codes.map(code => `${js}===${code}`).join('||');
  return `${constant(g.scope, `new Set([${codes.join(',')}])`)}.has(${js})`;
}

/** An operand and its call. */
export interface Operand {
  readonly node: Expr;
  readonly parent: CallExpr;
}

interface Equality {
  readonly node: Expr;
  readonly literals: Expr[];
}

/** Merges `p == a || p == b` into one membership test, and `p != a && p != b` likewise. */
export function mergeEqualities(
  g: Generation,
  operands: readonly Operand[],
  conjunction: boolean,
): readonly Decision[] {
  const groups = new Map<PathTrieNode, Equality>();
  const codes: Decision[] = [];
  for (const { node, parent } of operands) {
    const equality = equalityOf(g, node, conjunction ? '_!=_' : '_==_');
    const known = equality && groups.get(equality.key);
    if (known !== undefined) known.literals.push(equality?.literal as Expr);
    else if (equality === undefined) codes.push(exits => g.condition(g, node, exits, parent.id));
    else {
      const group: Equality = { node: equality.path, literals: [equality.literal] };
      groups.set(equality.key, group);
      codes.push(exits => oneOfCondition(g, group, conjunction ? negated(exits) : exits));
    }
  }
  return codes;
}

function oneOfCondition(g: Generation, group: Equality, exits: Exits): void {
  const codes = identityCodes(group.literals, staticType(g, group.node)) ?? [];
  identityCondition(g, group.node, js => oneOfTest(g, js, codes), exits);
}

export function negated(exits: Exits): Exits {
  return { whenTrue: exits.whenFalse, whenFalse: exits.whenTrue, fail: exits.fail };
}

/** Matches `path == literal`, in either order, for a static type that is compared by identity. */
function equalityOf(
  g: Generation,
  node: Expr,
  operator: string,
): { key: PathTrieNode; path: Expr; literal: Expr } | undefined {
  if (node.kind !== 'call' || node.function !== operator) return undefined;
  const [left, right] = node.args as readonly [Expr, Expr];
  const [path, literal] = left.kind === 'literal' ? [right, left] : [left, right];
  const key = pathOf(g, path)?.trieNodes.at(-1);
  if (key === undefined || identityCodes([literal], staticType(g, path)) === undefined) return undefined;
  return { key, path, literal };
}

/** `x in y`. */
export function membershipDecision(g: Generation, call: CallExpr): Decision | undefined {
  const overloads = overloadsOf(g, call);
  if (overloads.length === 0) return undefined;
  if (overloads.length > 1) return exits => dynamicMembership(g, call, exits);
  const literals = literalsOf(g, call);
  if (literals !== undefined) return exits => literalMembership(g, call, literals, exits);
  if (overloads[0]?.id === 'in_map') return keyDecision(g, call);
  return exits => elementMembership(g, call, exits);
}

function literalsOf(g: Generation, call: CallExpr): readonly string[] | undefined {
  const [element, list] = call.args as readonly [Expr, Expr];
  if (list.kind !== 'list' || list.optionalIndices.length > 0) return undefined;
  return identityCodes(list.elements, staticType(g, element));
}

function literalMembership(g: Generation, call: CallExpr, codes: readonly string[], exits: Exits): void {
  identityCondition(g, call.args[0] as Expr, js => oneOfTest(g, js, codes), exits);
}

/** The value decides whether it is a list or a map. */
function dynamicMembership(g: Generation, call: CallExpr, exits: Exits): void {
  const [element, container] = call.args as readonly [Expr, Expr];
  const found = tagged(g, wholeValue(g, element, exits.fail), staticType(g, element));
  const within = tagged(g, g.value(g, container, exits.fail), staticType(g, container));
  testedSteppingCall(g, `${runtimeName(g.scope, 'inValue')}(${contextConstant(g)},${found},${within})`, call.id, exits);
}

/** An element of a list; strings and bools are compared by identity. */
function elementMembership(g: Generation, call: CallExpr, exits: Exits): void {
  const [element, list] = call.args as readonly [Expr, Expr];
  const elementType = staticType(g, element);
  const listType = staticType(g, list);
  const found = tagged(g, wholeValue(g, element, exits.fail), elementType);
  const from = g.value(g, list, exits.fail);
  const to = { kind: 'list', element: DYN } as const;
  const listCode = adapt(g, from, { from: listType, to, exprId: call.id }, exits.fail);
  testedSteppingCall(
    g,
    `${runtimeName(g.scope, 'inList')}(${contextConstant(g)},${found},${listCode})`,
    call.id,
    exits,
  );
}
