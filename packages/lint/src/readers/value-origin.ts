import type { ValueRole } from '@tollgate/catalog';
import type { CallExpr, Expr, TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { ProfileRoles } from './profile-roles.ts';
import { asWritten, literalString, variablePath } from './source-nodes.ts';

/** The input that a value is derived from. */
export interface ValueOrigin {
  readonly path: string;
  readonly role: ValueRole | undefined;
  /** For headers, parameters and cookies: the name as written, and its node. */
  readonly name: string | undefined;
  readonly key: Expr | undefined;
  /** True if the lookup ignores the case of names. */
  readonly anyCase: boolean;
  /** The case conversion between the input and the value. */
  readonly letters: 'as-is' | 'lower' | 'upper';
  /** False if only a part of the input is left, or parts were cut off. */
  readonly isWhole: boolean;
}

/**
 * Returns the input that the value of a node is derived from, through indices, lookups, conversions and loop variables; undefined if there
 * are several or none.
 */
export function originOf(typed: TypedAst, roles: ProfileRoles, node: Expr): ValueOrigin | undefined {
  const path = variablePath(typed, node);
  if (path !== undefined) return originOfPath(roles, path);
  if (node.kind === 'ident') return originOfLocal(typed, roles, node);
  if (node.kind === 'select') return partOf(originOf(typed, roles, node.operand), typed, node);
  return node.kind === 'call' ? originOfCall(typed, roles, node) : undefined;
}

const WHOLE = { name: undefined, key: undefined, anyCase: false, letters: 'as-is', isWhole: true } as const;

function originOfPath({ variables }: ProfileRoles, path: string): ValueOrigin {
  return { ...WHOLE, path, role: variables.get(path)?.role };
}

/** A loop variable stands for any element of a list; for a map it would be a key. */
function originOfLocal(typed: TypedAst, roles: ProfileRoles, node: Expr): ValueOrigin | undefined {
  const reference = typed.references[node.id];
  const loop = reference?.kind === 'local' ? typed.ast.macroCalls.get(reference.scope) : undefined;
  if (!loop?.target || loop.args.length !== 2) return undefined;
  return kindOf(typed, loop.target) === 'list' ? originOf(typed, roles, loop.target) : undefined;
}

/** A field of a cookie or an element keeps the origin; a selection from a map is a lookup. */
function partOf(
  origin: ValueOrigin | undefined,
  typed: TypedAst,
  node: Extract<Expr, { readonly kind: 'select' }>,
): ValueOrigin | undefined {
  if (!origin || node.testOnly) return undefined;
  return kindOf(typed, node.operand) === 'map' ? { ...origin, name: node.field, key: node } : origin;
}

function originOfCall(typed: TypedAst, roles: ProfileRoles, node: CallExpr): ValueOrigin | undefined {
  const [first, second] = node.args;
  switch (node.function) {
    case '_[_]':
    case '_[?_]':
      return first && second && indexed(originOf(typed, roles, first), { typed, container: first, index: second });
    case 'int':
    case 'double':
    case 'string':
    case 'dyn':
      return first && !node.target ? originOf(typed, roles, first) : undefined;
    default:
      return node.target ? originOfMethod(typed, roles, node) : lookedUp(typed, roles, node);
  }
}

function indexed(
  origin: ValueOrigin | undefined,
  { typed, container, index }: { readonly typed: TypedAst; readonly container: Expr; readonly index: Expr },
): ValueOrigin | undefined {
  if (!origin || kindOf(typed, container) !== 'map' || origin.name !== undefined) return origin;
  return { ...origin, name: literalString(index), key: index };
}

/** Methods whose result is the value in another form or a part of it. */
const METHODS: Readonly<Record<string, Partial<ValueOrigin>>> = {
  lowerAscii: { letters: 'lower' },
  lower: { letters: 'lower' },
  upperAscii: { letters: 'upper' },
  upper: { letters: 'upper' },
  join: {},
  filter: {},
  trim: { isWhole: false },
  split: { isWhole: false },
  substring: { isWhole: false },
  replace: { isWhole: false },
  decodeBase64: { isWhole: false },
  unescapeUrl: { isWhole: false },
};

function originOfMethod(typed: TypedAst, roles: ProfileRoles, node: CallExpr): ValueOrigin | undefined {
  if (!Object.hasOwn(METHODS, node.function)) return undefined;
  const origin = originOf(typed, roles, node.target!);
  return origin && { ...origin, ...METHODS[node.function] };
}

/** Functions such as `getReqHeader('X-Key')`. */
function lookedUp(typed: TypedAst, roles: ProfileRoles, node: CallExpr): ValueOrigin | undefined {
  const reference = typed.references[node.id];
  const [overload] = reference?.kind === 'function' ? reference.overloads : [];
  const { looksUp } = (overload && roles.functions.get(overload.id)) ?? {};
  const path = looksUp && roles.paths.get(looksUp.in);
  const [name] = node.args;
  if (!looksUp || path === undefined || !name) return undefined;
  const anyCase = looksUp.anyCase ?? false;
  return { ...WHOLE, path, role: looksUp.in, name: literalString(name), key: name, anyCase };
}

function kindOf(typed: TypedAst, node: Expr): string | undefined {
  return typed.types[node.id]?.kind;
}

/**
 * Returns the nodes whose strings flow from an input into the value of an expression. Conditions, numbers and cleaned values carry none.
 */
export function originsIn(
  typed: TypedAst,
  roles: ProfileRoles,
  isCleaned: (call: CallExpr) => boolean = () => false,
): readonly { readonly node: Expr; readonly origin: ValueOrigin }[] {
  const visit = (expanded: Expr): ReturnType<typeof originsIn> => {
    const node = asWritten(typed.ast, expanded);
    const kind = kindOf(typed, expanded);
    if (kind === 'bool' || kind === 'int' || kind === 'double' || (node.kind === 'call' && isCleaned(node))) return [];
    const origin = originOf(typed, roles, node);
    return origin ? [{ node, origin }] : childrenOf(node).flatMap(visit);
  };
  return visit(typed.ast.root);
}
