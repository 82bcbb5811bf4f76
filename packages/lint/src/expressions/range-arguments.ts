import type { Expr, TypedAst } from '@tollgate/cel';
import type { ProfileRoles } from '../profile/profile-roles.ts';
import { type SourceNode, sourceNodes } from './source-nodes.ts';

/** An argument that is an address range or a list of them. */
export interface RangeArgument {
  readonly node: Expr;
  /** True below an odd number of negations. */
  readonly isNegated: boolean;
}

/** Returns the arguments that are address ranges, in source order. */
export function rangeArgumentsIn(
  typed: TypedAst,
  roles: ProfileRoles,
  nodes: readonly SourceNode[] = sourceNodes(typed.ast),
): readonly RangeArgument[] {
  const found: RangeArgument[] = [];
  for (const { node, isNegated } of nodes) {
    const argument = rangeArgument(typed, roles, node);
    if (argument) found.push({ node: argument, isNegated });
  }
  return found;
}

function rangeArgument(typed: TypedAst, { functions }: ProfileRoles, node: Expr): Expr | undefined {
  const reference = node.kind === 'call' ? typed.references[node.id] : undefined;
  if (node.kind !== 'call' || reference?.kind !== 'function') return undefined;
  const params = functions.get(reference.overloads[0]!.id)?.params ?? [];
  const index = params.findIndex(param => param.role === 'address-range');
  if (index < 0) return undefined;
  const operands = node.target && params.length > node.args.length ? [node.target, ...node.args] : node.args;
  return operands[index];
}
