// What the tests of a policy reach: the model that all formats print, its figures, and goals in words.

import type { Range, SourceText } from '@tollgate/diagnostics';
import { GOAL_GROUPS, type Goal } from '@tollgate/simulator';

/** A policy and what its tests reach. */
export interface PolicyCoverage {
  /** As the report names it: a path, followed by `#` and a path if it is a part of a file. */
  readonly name: string;
  /** The file that contains it. */
  readonly source: SourceText;
  /** Where its rules are, in order. */
  readonly rules: readonly CoveredRule[];
  readonly goals: readonly CoveredGoal[];
  /** Whether the policy is disabled: goals are counted as if it were not. */
  readonly isDisabled: boolean;
  /** The percentage that is asked for; undefined if none is. */
  readonly threshold: number | undefined;
}

/** A rule of a covered policy. */
interface CoveredRule {
  /** Its phase and number, and its name if it has one. */
  readonly label: string;
  /** In the file. */
  readonly range: Range;
  /** The number of tests that certainly reach it. */
  readonly reached: number;
}

/** A goal with the tests that reach it. */
export interface CoveredGoal extends Pick<Goal, 'id' | 'group' | 'kind' | 'rule' | 'part' | 'atom'> {
  /** In the file. */
  readonly range: Range;
  /** `open`: no test reaches it, and there is no proof that none can. */
  readonly state: 'reached' | 'open' | 'impossible';
  /** Names of the tests that reach it. */
  readonly tests: readonly string[];
  /** Why it is impossible. */
  readonly reason?: string;
}

/** Reached goals, and all that can be. */
export interface GoalCount {
  readonly reached: number;
  readonly possible: number;
}

/** Counts the goals of each group. */
export function countGoals(goals: readonly CoveredGoal[]): Readonly<Record<Goal['group'] | 'all', GoalCount>> {
  const countOf = (group: Goal['group'] | undefined): GoalCount => {
    const own = goals.filter(one => (group === undefined || one.group === group) && one.state !== 'impossible');
    return { reached: own.filter(one => one.state === 'reached').length, possible: own.length };
  };
  const [rules, conditions, actions, endings] = GOAL_GROUPS.map(countOf);
  return { rules: rules!, conditions: conditions!, actions: actions!, endings: endings!, all: countOf(undefined) };
}

/** Returns a percentage, rounded down, so that 100 means all. */
export function percentOf({ reached, possible }: GoalCount): number {
  return possible === 0 ? 100 : Math.floor((reached * 100) / possible);
}

/** Returns true if a policy has less coverage than it is asked for. */
export function isBelow({ goals, threshold }: PolicyCoverage): boolean {
  if (threshold === undefined) return false;
  const { reached, possible } = countGoals(goals).all;
  return reached * 100 < threshold * possible;
}

/** Returns what no test shows, in words that follow the source of the goal. */
export function missingText({ kind, rule }: CoveredGoal): string {
  switch (kind) {
    case 'matches':
      return 'matches in no test';
    case 'does-not-match':
      return 'matches in every test that reaches it';
    case 'fails':
      return 'fails in no test';
    case 'decides-true':
      return 'true never decides';
    case 'decides-false':
      return 'false never decides';
    case 'runs':
      return 'does something in no test';
    case 'ends':
      return 'ends the policy in no test';
    case 'lets-pass':
      return 'lets traffic pass in no test';
    case 'fills':
      return 'has a value in no test';
    case 'fill-fails':
      return 'fails in no test';
    case 'ending':
      return rule === undefined ? 'no test passes all rules' : 'no test ends like this';
  }
}

/** Goals of the same place in a file. */
export interface GoalPlace {
  readonly range: Range;
  readonly goals: readonly CoveredGoal[];
}

/** Returns the places of goals in the order of the file. An ending that is missed with its action is left out: the action says it. */
export function placesOf(goals: readonly CoveredGoal[]): readonly GoalPlace[] {
  const actions = new Set(goals.flatMap(({ group, range }) => (group === 'actions' ? [range.start] : [])));
  const own = goals.filter(
    ({ group, rule, range }) => group !== 'endings' || rule === undefined || !actions.has(range.start),
  );
  const places = [...Map.groupBy(own, ({ range }) => `${range.start} ${range.end}`).values()];
  return places
    .map(same => ({ range: same[0]!.range, goals: same }))
    .toSorted((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
}
