import type { Rule } from '@tollgate/policy';
import type { Graph, Signal } from '../logic/graph.ts';
import { endsEvaluation } from '../policy/rule-history.ts';

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

/** A rule's actions, and the signals that hold where it matches if it is reached, and where they run. */
interface Run {
  readonly actions: string;
  readonly matches: Signal;
  readonly runs: Signal;
}

function running(graph: Graph, rules: readonly ReadRule[]): readonly Run[] {
  const ended: Signal[] = [];
  return rules.map(({ rule, matches, actions }) => {
    const runs = graph.and([matches, ...ended.map(end => -end)]);
    if (endsEvaluation(rule)) ended.push(matches);
    return { actions, matches, runs };
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

/**
 * Rules with equal actions are paired, those that run for the same traffic first. The effect is the same if each pair runs alike, no other rule
 * runs, and of two pairs in another order only one runs.
 */
function differentSteps(graph: Graph, before: readonly Run[], after: readonly Run[]): Signal {
  const pairs = [...pairsOf(before, after)].sort(([a], [b]) => a - b);
  const [paired, matched] = [new Set(pairs.map(([at]) => at)), new Set(pairs.map(([, at]) => at))];
  const swapped = pairs.flatMap(([own, other], at) =>
    pairs.slice(at + 1).flatMap(([later, earlier]) => {
      const isSame = before[own]!.actions === before[later]!.actions;
      return earlier < other && !isSame ? [graph.and([before[own]!.runs, before[later]!.runs])] : [];
    }),
  );
  return graph.or([
    ...pairs.map(([own, other]) => different(graph, before[own]!.runs, after[other]!.runs)),
    ...swapped,
    ...before.filter((_, at) => !paired.has(at)).map(one => one.runs),
    ...after.filter((_, at) => !matched.has(at)).map(one => one.runs),
  ]);
}

function pairsOf(before: readonly Run[], after: readonly Run[]): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  const [left, free] = [new Set(before.keys()), new Set(after.keys())];
  const pair = (keyOf: (run: Run) => string) => {
    const open = Map.groupBy(free, at => keyOf(after[at]!));
    for (const own of left) {
      const other = open.get(keyOf(before[own]!))?.shift();
      if (other === undefined) continue;
      found.push([own, other]);
      left.delete(own);
      free.delete(other);
    }
  };
  pair(({ actions, matches }) => `${matches} ${actions}`);
  pair(({ actions }) => actions);
  return found;
}

function different(graph: Graph, a: Signal, b: Signal): Signal {
  return graph.or([graph.and([a, -b]), graph.and([-a, b])]);
}
