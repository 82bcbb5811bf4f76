// The tests that a policy lacks: for each goal that no test reaches, a natural request that does, with the decision of today as its expectation.

import type { Profile } from '@tollgate/catalog';
import { clauseOf, textOf } from '@tollgate/describe';
import type { Policy, TestToWrite } from '@tollgate/policy';
import { type Coverage, type Goal, interpolationsOf, type RuleGoals, verdictOf } from '@tollgate/simulator';
import { type PolicyContext, SolverSession } from '../policy/session.ts';
import { GoalQuestions, type GoalSample } from './goal-questions.ts';
import { TestWriter, type UnnamedTest } from './written-test.ts';

/** Tests that reach what no test reaches yet. */
export interface MissingTests {
  readonly tests: readonly MissingTest[];
  /** Goals that no test reaches, although there is no proof that none can. */
  readonly open: readonly OpenGoal[];
}

/** A test with the goals for which it was written. */
export interface MissingTest {
  readonly test: TestToWrite;
  /** Positions of goals that no test before it reaches. */
  readonly goals: readonly number[];
}

/** A goal for which no test was written. */
interface OpenGoal {
  readonly goal: number;
  readonly reason: string;
}

/** Returns tests for the goals that are not reached yet. The same policy always leads to the same tests. */
export function missingTests(
  { policy, context, coverage, questions }: GoalContext,
  { reached, names }: { readonly reached: ReadonlySet<number>; readonly names: ReadonlySet<string> },
): MissingTests {
  const writer = new TestWriter(policy, context, coverage);
  const covered = new Set(reached);
  const samples: GoalSample[] = [];
  const written: WrittenMissing[] = [];
  const waiting: OpenGoal[] = [];
  const used = new Set(names);
  const write = (position: number, sample: GoalSample): boolean => {
    const goal = coverage.goals[position]!;
    const nameOf = (matched: boolean) => goalName(goal, coverage, { matched, profile: context.profile });
    // What is drawn at random depends on the name of a test, which says whether the rule matches.
    for (const expected of sample.isDrawn ? [true, false] : [undefined]) {
      const name = expected === undefined ? undefined : nameAfter(nameOf(expected), used);
      const test = writeFor(position, sample, { writer, coverage, questions, name });
      if (test === undefined) continue;
      const decided = writer.decide(test, name);
      const matched = verdictOf(decided.decision).hits.some(
        ({ rule, result }) => rule === goal.rule && result.status === 'matched',
      );
      if (expected !== undefined && nameOf(matched) !== nameOf(expected)) continue;
      for (const one of decided.reached) covered.add(one);
      if (name !== undefined) used.add(name);
      const isNamed = name !== undefined;
      written.push({ name: name ?? nameOf(matched), isNamed, test, reached: decided.reached });
      return true;
    }
    return false;
  };
  for (const position of coverage.goals.keys()) {
    if (covered.has(position)) continue;
    const answer = questions.answer(position);
    if (answer.kind === 'impossible') continue;
    if (answer.kind === 'unknown') {
      waiting.push({ goal: position, reason: answer.reason });
      continue;
    }
    samples.push(answer.sample);
    if (!write(position, answer.sample)) waiting.push({ goal: position, reason: CANNOT_STATE });
  }
  // Requests for other goals may reach it, and so may others that nobody asked for.
  const candidates = () => waiting.filter(({ goal }) => !covered.has(goal));
  for (const { goal } of candidates())
    if (!covered.has(goal)) samples.some(sample => questions.reaches(sample, goal) && write(goal, sample));
  // A second run knows no samples, and must find nothing more.
  for (const seeds of [samples.map(one => one.exchange), []]) {
    const goals = candidates().map(one => one.goal);
    for (const [goal, sample] of questions.search(goals, seeds)) if (!covered.has(goal)) write(goal, sample);
  }
  const tests = needed(written, reached).map(({ name, isNamed, test, goals }) => ({
    test: { name: isNamed ? name : uniqueName(name, used), ...test },
    goals,
  }));
  return { tests, open: candidates() };
}

interface WrittenMissing {
  readonly name: string;
  /** Whether it has this name, and not one that is like it. */
  readonly isNamed: boolean;
  readonly test: UnnamedTest;
  readonly reached: ReadonlySet<number>;
}

/** Returns the tests without those whose goals others reach as well, each with the goals that no test before it reaches. */
function needed(written: readonly WrittenMissing[], reached: ReadonlySet<number>) {
  const counts = new Map<number, number>();
  for (const one of written) for (const goal of one.reached) counts.set(goal, (counts.get(goal) ?? 0) + 1);
  const kept = written.filter(one => {
    const own = [...one.reached].filter(goal => !reached.has(goal));
    if (own.some(goal => counts.get(goal) === 1)) return true;
    for (const goal of one.reached) counts.set(goal, counts.get(goal)! - 1);
    return false;
  });
  const seen = new Set(reached);
  return kept.map(one => {
    const goals = [...one.reached].filter(goal => !seen.has(goal));
    for (const goal of goals) seen.add(goal);
    return { ...one, goals };
  });
}

const CANNOT_STATE = 'a request was found that no test can state with a certain outcome';

/** A policy with what is asked about its goals. */
export interface GoalContext {
  readonly policy: Policy;
  readonly context: PolicyContext;
  readonly coverage: Coverage;
  readonly questions: GoalQuestions;
}

function writeFor(
  position: number,
  sample: GoalSample,
  {
    writer,
    coverage,
    questions,
    name,
  }: { readonly writer: TestWriter; readonly name: string | undefined } & Pick<GoalContext, 'coverage' | 'questions'>,
): UnnamedTest | undefined {
  const { rule } = coverage.goals[position]!;
  return writer.write(sample, {
    inTraffic: one => questions.reaches(one, position),
    inTest: (_, { decision, reached }) => reached.has(position) && decision.outcomes.length === 1,
    about: rule === undefined ? [] : [coverage.rules[rule]!.rule],
    ...(name !== undefined && { name }),
  });
}

/** Returns a name that is not used yet, and marks it as used. */
function uniqueName(name: string, used: Set<string>): string {
  const unique = nameAfter(name, used);
  used.add(unique);
  return unique;
}

function nameAfter(name: string, used: ReadonlySet<string>): string {
  let unique = name;
  for (let number = 2; used.has(unique); number++) unique = `${name} (${number})`;
  return unique;
}

/** Returns what a test shows, as its name: a sentence that is true if it passes. */
function goalName(
  goal: Goal,
  { rules }: Coverage,
  { matched, profile }: { readonly matched: boolean; readonly profile: Profile },
): string {
  if (goal.rule === undefined) return 'no rule ends the policy';
  const rule = rules[goal.rule]!;
  return `${labelOf(rule)}: ${whatIsShown(goal, rule, { matched, profile })}`;
}

function whatIsShown(
  { kind, part, atom, expression }: Goal,
  { rule, atoms }: RuleGoals,
  { matched, profile }: { readonly matched: boolean; readonly profile: Profile },
): string {
  const action = part === undefined ? undefined : rule.actions[part];
  const type = action?.type.value ?? '';
  const filled = () => `\${${short(interpolationsOf(action!, profile)[expression!]!.source)}}`;
  switch (kind) {
    case 'matches':
      return rule.expressions.length === 0 ? 'runs' : 'matches';
    case 'does-not-match':
      return 'does not match';
    case 'fails':
      return `does not match where ${short(rule.expressions[part!]!.source)} fails`;
    case 'decides-true':
      return `${matched ? 'matches' : 'does not match'} because ${wordsOf(atoms[atom!]!.typed)}`;
    case 'decides-false':
      return `${matched ? 'matches' : 'does not match'} unless ${wordsOf(atoms[atom!]!.typed)}`;
    case 'runs':
      return `${type} has an effect`;
    case 'ends':
      return `${type} ends the policy`;
    case 'lets-pass':
      return `${type} lets traffic pass`;
    case 'fills':
      return `${filled()} of ${type} has a value`;
    case 'fill-fails':
      return `${filled()} of ${type} fails`;
    case 'ending':
      return `ends the policy by ${type}`;
  }
}

/** Returns how the names of tests call a rule. */
function labelOf({ rule }: Pick<RuleGoals, 'rule'>): string {
  const name = rule.name?.value ?? '';
  return name === '' ? `${rule.phase} ${rule.index + 1}` : name;
}

function wordsOf(typed: RuleGoals['atoms'][number]['typed']): string {
  return short(textOf(clauseOf(typed)));
}

/** Names of tests stay on one line. */
function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= MAX_WORDS ? line : `${line.slice(0, MAX_WORDS)}…`;
}

const MAX_WORDS = 100;

/** Prepares questions about the goals of a policy. */
export function goalContext(policy: Policy, context: PolicyContext, coverage: Coverage): GoalContext {
  const session = new SolverSession(context);
  return { policy, context, coverage, questions: new GoalQuestions(session, policy, coverage) };
}
