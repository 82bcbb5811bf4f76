// What the tests of a policy reach: the model that all formats print, its figures, goals in words, and the report for terminals and as JSON.

import { codeFrame, humanPosition, type Paint, printable, type Range, type SourceText } from '@tollgate/diagnostics';
import { GOAL_GROUPS, type Goal } from '@tollgate/simulator';
import { pluralize } from '../text/figures.ts';
import type { Layout } from '../text/layout.ts';

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
interface GoalCount {
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
interface GoalPlace {
  readonly range: Range;
  readonly goals: readonly CoveredGoal[];
}

/** Returns the places of goals in the order of the file. An ending that is missed with its action is left out: the action says it. */
function placesOf(goals: readonly CoveredGoal[]): readonly GoalPlace[] {
  const actions = new Set(goals.flatMap(({ group, range }) => (group === 'actions' ? [range.start] : [])));
  const own = goals.filter(
    ({ group, rule, range }) => group !== 'endings' || rule === undefined || !actions.has(range.start),
  );
  const places = [...Map.groupBy(own, ({ range }) => `${range.start} ${range.end}`).values()];
  return places
    .map(same => ({ range: same[0]!.range, goals: same }))
    .toSorted((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
}

// Coverage for terminals: the figures of each policy, and the source of what no test reaches.

/** Renders coverage. With `verbose`, also why goals are impossible. */
export function textCoverage(policies: readonly PolicyCoverage[], layout: Layout, verbose = false): string {
  const blocks = policies.map(one => policyText(one, layout, verbose));
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}

function policyText(policy: PolicyCoverage, { paint, width }: Layout, verbose: boolean): string {
  const { source, goals, isDisabled } = policy;
  const open = goals.filter(({ state }) => state === 'open');
  const impossible = goals.filter(({ state }) => state === 'impossible');
  const frames = placesOf(withoutUnreached(open, policy)).map(place => frameOf(place, policy, { paint, width }));
  const why = verbose
    ? placesOf(impossible).map(({ range, goals: same }) => {
        const text = same.map(one => printable(`${one.id}: ${one.reason ?? 'impossible'}`)).join('\n');
        return `${paint('frame', 'impossible')}\n${codeFrame(source, range, { paint, style: 'frame', width })}\n${text}`;
      })
    : [];
  return [
    figures(policy, paint),
    ...(isDisabled ? [paint('warning', 'The policy is disabled; this is its coverage as if it were enabled.')] : []),
    ...frames,
    ...why,
    ...(impossible.length > 0 && !verbose
      ? [
          paint(
            'frame',
            `${pluralize(impossible.length, 'goal')} proved impossible and not counted; --verbose says why`,
          ),
        ]
      : []),
  ].join('\n\n');
}

/** Of a rule that no test reaches, one goal says all. */
function withoutUnreached(open: readonly CoveredGoal[], { rules }: PolicyCoverage): readonly CoveredGoal[] {
  const seen = new Set<number>();
  return open.filter(({ rule }) => rule === undefined || rules[rule]!.reached > 0 || seen.size < seen.add(rule).size);
}

function figures(policy: PolicyCoverage, paint: Paint): string {
  const counts = countGoals(policy.goals);
  const parts = GOAL_GROUPS.map(group => {
    const { reached, possible } = counts[group];
    return paint(reached === possible ? 'hint' : 'warning', `${group} ${reached}/${possible}`);
  });
  const wanted = policy.threshold === undefined ? '' : `, ${policy.threshold} % wanted`;
  const total = `${percentOf(counts.all)} %${wanted}`;
  return `${paint('strong', printable(policy.name))}  ${parts.join('  ')}  ${paint(isBelow(policy) ? 'error' : 'strong', total)}`;
}

function frameOf({ range, goals }: GoalPlace, { source, rules }: PolicyCoverage, { paint, width }: Layout): string {
  const [{ rule }] = goals as [GoalPlace['goals'][number]];
  const isReached = rule === undefined || rules[rule]!.reached > 0;
  const where = rule === undefined ? '' : `${rules[rule]!.label}: `;
  const head = `${paint('warning', (isReached ? goals.map(missingText) : ['reached in no test']).join('; '))}`;
  return `${printable(where)}${head}\n${codeFrame(source, range, { paint, style: 'warning', width })}`;
}

// Coverage as JSON.

/** Returns coverage as plain data: each goal with its place, state and tests. */
export function jsonCoverage(policies: readonly PolicyCoverage[]): readonly unknown[] {
  return policies.map(({ name, source, goals, isDisabled, threshold }) => ({
    policy: name,
    file: source.uri,
    ...(isDisabled && { disabled: true }),
    ...(threshold !== undefined && { threshold }),
    percent: percentOf(countGoals(goals).all),
    counts: countGoals(goals),
    goals: goals.map(({ id, group, kind, range, state, tests, reason }) => ({
      ...{ id, group, kind, state },
      start: place(source, range.start),
      end: place(source, range.end),
      tests,
      ...(reason !== undefined && { reason }),
    })),
  }));
}

function place(source: PolicyCoverage['source'], offset: number) {
  const { line, column } = humanPosition(source, offset);
  return { line, column };
}
