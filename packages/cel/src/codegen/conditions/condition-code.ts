import type { CallExpr, Expr } from '../../ast/ast.ts';
import { BOOL } from '../../types/type.ts';
import { comprehensionDecision } from '../loops/comprehension-code.ts';
import { presenceDecision } from '../paths/presence-code.ts';
import { branch, type Decision, type Exits, emit, type Generation, staticType } from '../scope/generation.ts';
import { adapt } from '../scope/representation-code.ts';
import { comparisonDecision, equalityDecision } from './comparison-code.ts';
import { conditionalCondition, logicCondition } from './logic-code.ts';
import { membershipDecision, negated } from './membership-code.ts';
import { stringDecision } from './string-code.ts';

/** Returns a function that emits a call as a decision; undefined if the call is better emitted as a value. */
type DecisionOfCall = (g: Generation, call: CallExpr) => Decision | undefined;

const DECISIONS: ReadonlyMap<string, DecisionOfCall> = new Map<string, DecisionOfCall>([
  ['_&&_', (g, call) => exits => logicCondition(g, call, exits)],
  ['_||_', (g, call) => exits => logicCondition(g, call, exits)],
  ['!_', (g, call) => exits => g.condition(g, call.args[0] as Expr, negated(exits), call.id)],
  ['_?_:_', conditionalDecision],
  ['_==_', equalityDecision],
  ['_!=_', equalityDecision],
  ['_<_', comparisonDecision],
  ['_<=_', comparisonDecision],
  ['_>_', comparisonDecision],
  ['_>=_', comparisonDecision],
  ['@in', membershipDecision],
  ['contains', stringDecision],
  ['startsWith', stringDecision],
  ['endsWith', stringDecision],
  ['matches', stringDecision],
]);

/** Returns a function that emits a node as a decision; undefined for nodes that are emitted as values. */
export function decisionOf(g: Generation, node: Expr): Decision | undefined {
  if (node.kind === 'call') return DECISIONS.get(node.function)?.(g, node);
  if (node.kind === 'comprehension') return comprehensionDecision(g, node);
  return node.kind === 'select' && node.testOnly ? presenceDecision(g, node) : undefined;
}

function conditionalDecision(g: Generation, call: CallExpr): Decision | undefined {
  if (staticType(g, call).kind !== 'bool') return undefined;
  return exits => conditionalCondition(g, call, exits);
}

/** Emits a decision about any node; see `Generation.condition`. */
export function nodeCondition(g: Generation, node: Expr, exits: Exits, parentId: number): void {
  const decision = decisionOf(g, node);
  if (decision !== undefined) decision(exits);
  else if (node.kind === 'literal' && node.literal.type === 'bool') {
    emit(g, node.literal.value ? exits.whenTrue : exits.whenFalse);
  } else {
    const value = g.value(g, node, exits.fail);
    branch(g, adapt(g, value, { from: staticType(g, node), to: BOOL, exprId: parentId }, exits.fail), exits);
  }
}
