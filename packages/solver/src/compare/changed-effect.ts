import type { Rule } from '@tollgate/policy';
import type { Graph, Signal } from '../logic/graph.ts';
import { endsEvaluation } from '../policy/rule-history.ts';
import { pairEqual } from './align-rules.ts';

/** A rule, and the signal that holds where it matches if it is reached. */
export interface ReadRule {
  readonly rule: Rule;
  readonly matches: Signal;
  /** Equal for rules with the same actions. */
  readonly actions: string;
}

/**
 * Returns a signal that holds wherever two lists of rules, reached with the same traffic, run different actions. Where it does not hold, the
 * same actions run in the same order.
 */
export function changedEffect(graph: Graph, before: readonly ReadRule[], after: readonly ReadRule[]): Signal {
  const [own, other] = [running(graph, before), running(graph, after)];
  const isExact = [...before, ...after].every(({ rule }) => endsEvaluation(rule));
  return isExact ? differentEnds(graph, own, other) : differentSteps(graph, own, other);
}

/** A rule's actions, and the signal that holds where they run. */
interface Run {
  readonly actions: string;
  readonly runs: Signal;
}

function running(graph: Graph, rules: readonly ReadRule[]): readonly Run[] {
  const ended: Signal[] = [];
  return rules.map(({ rule, matches, actions }) => {
    const runs = graph.and([matches, ...ended.map(end => -end)]);
    if (endsEvaluation(rule)) ended.push(matches);
    return { actions, runs };
  });
}

/** At most one rule of each list runs, so that only the one that runs counts. */
function differentEnds(graph: Graph, before: readonly Run[], after: readonly Run[]): Signal {
  const all = new Set([...before, ...after].map(one => one.actions));
  return graph.or(
    [...all].map(actions => {
      const [own, other] = [before, after].map(list =>
        graph.or(list.filter(one => one.actions === actions).map(one => one.runs)),
      );
      return different(graph, own!, other!);
    }),
  );
}

/** Rules with equal actions are paired in order; the effect is the same if each pair runs alike and no other rule runs. */
function differentSteps(graph: Graph, before: readonly Run[], after: readonly Run[]): Signal {
  const pairs = pairEqual(
    before.map(one => one.actions),
    after.map(one => one.actions),
  );
  const [paired, matched] = [new Set(pairs.map(([at]) => at)), new Set(pairs.map(([, at]) => at))];
  return graph.or([
    ...pairs.map(([own, other]) => different(graph, before[own]!.runs, after[other]!.runs)),
    ...before.filter((_, at) => !paired.has(at)).map(one => one.runs),
    ...after.filter((_, at) => !matched.has(at)).map(one => one.runs),
  ]);
}

function different(graph: Graph, a: Signal, b: Signal): Signal {
  return graph.or([graph.and([a, -b]), graph.and([-a, b])]);
}
