// Formulas about the condition of a rule over its atoms: where the rule would do something else with the other value of one atom.

import type { RuleGoals } from '@tollgate/simulator';
import {
  ALWAYS_FALSE,
  ALWAYS_TRUE,
  allOf,
  anyOf,
  type Condition,
  choiceOf,
  type Graph,
  negated,
  type Signal,
} from '../logic/formula.ts';

type Decision = RuleGoals['decision'];
type Tree = Decision['expressions'][number];

/** An atom among those of a rule. */
interface ChosenAtom {
  /** When each atom is true, and when it is false. */
  readonly atoms: readonly Condition[];
  readonly atom: number;
}

/** Returns where a rule with one value of the atom does something else than with the other, the other atoms being what they are. */
export function decisionDiffers(graph: Graph, decision: Decision, { atoms, atom }: ChosenAtom): Signal {
  const [yes, no] = [ALWAYS_TRUE, ALWAYS_FALSE].map(value => {
    const conditions = atoms.with(atom, value);
    return allOf(
      graph,
      decision.expressions.map(tree => conditionOf(graph, tree, conditions)),
    );
  });
  const matches = differs(graph, yes!.whenTrue, no!.whenTrue);
  return decision.failuresCount ? graph.or([matches, differs(graph, yes!.whenFalse, no!.whenFalse)]) : matches;
}

function differs(graph: Graph, a: Signal, b: Signal): Signal {
  return graph.or([graph.and([a, -b]), graph.and([-a, b])]);
}

function conditionOf(graph: Graph, tree: Tree, atoms: readonly Condition[]): Condition {
  const inner = (part: Tree) => conditionOf(graph, part, atoms);
  switch (tree.kind) {
    case 'atom':
      return atoms[tree.index]!;
    case 'not':
      return negated(inner(tree.operand));
    case 'and':
      return allOf(graph, tree.operands.map(inner));
    case 'or':
      return anyOf(graph, tree.operands.map(inner));
    case 'choice':
      return choiceOf(graph, inner(tree.condition), inner(tree.yes), inner(tree.no));
  }
}
