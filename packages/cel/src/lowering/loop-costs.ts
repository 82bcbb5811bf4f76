import type { ComprehensionExpr, Expr } from '../ast/ast.ts';
import { childrenOf } from '../ast/map-children.ts';

/** Properties of loops that both evaluators need to count steps alike. */
export interface LoopCosts {
  /** Ids of nodes that loops evaluate repeatedly. */
  readonly repeated: ReadonlySet<number>;
  /** Steps per iteration, by the id of the comprehension: 1, or more for a long body. */
  readonly roundSteps: ReadonlyMap<number, number>;
}

/** The number of body nodes that count as one step, so that typical loops count one step per iteration. */
const NODES_PER_STEP = 32;

/** The number of characters of a literal that count as one node. */
const CHARACTERS_PER_NODE = 16;

export function loopCostsOf(root: Expr): LoopCosts {
  const facts = { repeated: new Set<number>(), roundSteps: new Map<number, number>() };
  sizeOfNode(facts, root, false);
  return facts;
}

interface Facts {
  readonly repeated: Set<number>;
  readonly roundSteps: Map<number, number>;
}

/** Returns the number of nodes in an expression, without the bodies of inner loops. */
function sizeOfNode(facts: Facts, node: Expr, isRepeated: boolean): number {
  if (isRepeated) facts.repeated.add(node.id);
  if (node.kind === 'comprehension' && !isBinding(node)) return sizeOfLoop(facts, node, isRepeated);
  if (node.kind === 'literal') return 1 + Math.floor(lengthOf(node.literal.value) / CHARACTERS_PER_NODE);
  return childrenOf(node).reduce((sum, child) => sum + sizeOfNode(facts, child, isRepeated), 1);
}

function sizeOfLoop(facts: Facts, node: ComprehensionExpr, isRepeated: boolean): number {
  const body = sizeOfNode(facts, node.loopCondition, true) + sizeOfNode(facts, node.loopStep, true);
  facts.roundSteps.set(node.id, 1 + Math.floor(body / NODES_PER_STEP));
  const around = [node.iterRange, node.accuInit, node.result];
  return around.reduce((sum, part) => sum + sizeOfNode(facts, part, isRepeated), 1);
}

/** `cel.bind` is a loop over an empty list. */
function isBinding({ iterRange, loopCondition }: ComprehensionExpr): boolean {
  const isEmpty = iterRange.kind === 'list' && iterRange.elements.length === 0;
  return isEmpty && loopCondition.kind === 'literal' && loopCondition.literal.value === false;
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}
