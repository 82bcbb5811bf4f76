// The tree that both evaluators compile, with the steps that both count.

import { type ComprehensionExpr, childrenOf, type Expr, type Overload, type TypedAst } from '../ast/ast.ts';
import type { Type } from '../ast/types.ts';
import type { Environment } from '../checker/environment.ts';
import { type FoldedAst, foldConstants } from './fold-constants.ts';

/** A tree in the form that both evaluators compile. */
export interface LoweredAst extends FoldedAst {
  readonly loops: LoopCosts;
}

/** Returns the tree that both evaluators compile: function bodies inlined, and calls of constants folded. */
export function lower(typed: TypedAst, env: Environment): LoweredAst {
  const inlined = env.bodyCompiler?.inlineBodies(typed, env) ?? typed;
  const folded = env.constantFolding ? foldConstants(inlined, env) : { ...inlined, constants: NO_CONSTANTS };
  return { ...folded, loops: loopCostsOf(folded.ast.root) };
}

const NO_CONSTANTS: FoldedAst['constants'] = new Map();

/** Returns true if a call of these overloads creates a value whose size counts. */
export function createsSized(overloads: readonly Overload[]): boolean {
  return overloads.some(({ id, result }) => !CONSTANT_TIME.has(id) && SIZED.has(result.kind));
}

/** Returns true if a call of these overloads reads a whole operand, which counts inside loops. */
export function readsWhole(overloads: readonly Overload[], operand: number): boolean {
  return overloads.some(({ id, params }) => !CONSTANT_TIME.has(id) && SIZED.has(params[operand]?.kind ?? 'dyn'));
}

/** Returns true if values of the type have no size limit. */
export function isSized(type: Type): boolean {
  return SIZED.has(type.kind);
}

const SIZED: ReadonlySet<Type['kind']> = new Set([
  'string',
  'bytes',
  'list',
  'map',
  'optional',
  'dyn',
  'param',
  'error',
]);

/** Overloads that read only part of their operands and create nothing. */
const CONSTANT_TIME: ReadonlySet<string> = new Set([
  ...['size_list', 'list_size', 'size_map', 'map_size', 'size_bytes', 'bytes_size', 'list_first', 'list_last'],
  ...['index_list', 'index_map', 'in_map', 'to_dyn', 'type', 'string_to_string', 'bytes_to_bytes'],
  ...['optional_of', 'optional_ofNonZeroValue', 'optional_none', 'optional_hasValue', 'optional_value'],
  ...['optional_or_optional', 'optional_orValue_value', 'select_optional_field', 'list_optindex_optional_int'],
  ...['optional_list_optindex_optional_int', 'map_optindex_optional_value', 'optional_map_optindex_optional_value'],
  ...['optional_list_index_int', 'optional_map_index_value'],
]);

/** Properties of loops that both evaluators need to count steps alike. */
interface LoopCosts {
  /** Ids of nodes that loops evaluate repeatedly. */
  readonly repeated: ReadonlySet<number>;
  /** Steps per iteration, by the id of the comprehension: 1, or more for a long body. */
  readonly roundSteps: ReadonlyMap<number, number>;
}

/** The number of body nodes that count as one step, so that typical loops count one step per iteration. */
const NODES_PER_STEP = 32;

/** The number of characters of a literal that count as one node. */
const CHARACTERS_PER_NODE = 16;

function loopCostsOf(root: Expr): LoopCosts {
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
