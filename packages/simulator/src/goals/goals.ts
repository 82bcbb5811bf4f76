/** What the tests of a policy can show: each rule, condition, action and ending that a test may reach, with its place in the document. */
import { endsIfTheUrlChanges, type Phase, type Profile, terminationOf } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf } from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import { type Action, documentRange, type Policy, type Rule } from '@tollgate/policy';
import { type BooleanTree, booleanTree, type RuleDecision } from './boolean-tree.ts';

/** What goals are counted by. */
export const GOAL_GROUPS = ['rules', 'conditions', 'actions', 'endings'] as const;

/** What a test may show. */
export type GoalKind =
  /** A rule is reached and matches. */
  | 'matches'
  /** A rule is reached, and its condition is false. */
  | 'does-not-match'
  /** A rule is reached, and an expression fails, all earlier ones being true. */
  | 'fails'
  /** An atom is true, or false, and the rule would do something else if it were not. */
  | 'decides-true'
  | 'decides-false'
  /** An action runs and has something to do. */
  | 'runs'
  /** An action that ends the policy for some traffic ends it, or lets the traffic pass. */
  | 'ends'
  | 'lets-pass'
  /** An expression in the configuration of an action has a value when the action runs, or fails. */
  | 'fills'
  | 'fill-fails'
  /** The policy ends in a certain way: what client and upstream get is the same for all actions of the goal. */
  | 'ending';

/** Something that a test may show about a policy. */
export interface Goal {
  /** The same in each run: `inbound 2: expression 1, atom 3 decides-true`. */
  readonly id: string;
  readonly group: (typeof GOAL_GROUPS)[number];
  readonly kind: GoalKind;
  /** The position of the rule among the rules of all phases; undefined if no rule ends the policy. */
  readonly rule: number | undefined;
  /** In the document of the policy. */
  readonly range: Range;
  /** The position of the expression in its rule, or of the action. */
  readonly part?: number;
  /** The position of the atom among those of the rule. */
  readonly atom?: number;
  /** The position of the expression among those in strings of the configuration. */
  readonly expression?: number;
  /** Positions of the goals each of which reaches it, for how a policy ends. */
  readonly members?: readonly number[];
  /** Why it cannot be shown, if its rule says so. */
  readonly impossible?: string;
}

/** An atom of a rule: a part of a condition without boolean operators. */
interface Atom {
  /** The part, which keeps the node ids of the whole. */
  readonly typed: TypedAst;
  /** The position of its expression in the rule. */
  readonly expression: number;
  readonly range: Range;
}

/** A rule with what can be shown about it. */
export interface RuleGoals {
  readonly rule: Rule;
  readonly decision: RuleDecision;
  readonly atoms: readonly Atom[];
  /** Positions of goals, by what shows them. */
  readonly matches: number;
  readonly doesNotMatch: number | undefined;
  readonly fails: readonly number[];
  /** By atom; empty if the rule has one. */
  readonly decides: readonly { readonly true: number; readonly false: number }[];
  readonly actions: readonly ActionGoals[];
}

interface ActionGoals {
  readonly runs: number;
  readonly ends: number | undefined;
  readonly letsPass: number | undefined;
  readonly ending: number | undefined;
  /** Whether letting traffic pass is what it does. */
  readonly isVerdict: boolean;
  /** By expression in the strings of its configuration. */
  readonly expressions: readonly { readonly fills: number; readonly fails: number }[];
}

/** What can be shown about a policy. */
export interface PolicyGoals {
  readonly goals: readonly Goal[];
  /** In the order of the phases. */
  readonly rules: readonly RuleGoals[];
  /** The goal that no rule ends the policy; undefined if one always does. */
  readonly passing: number | undefined;
}

/** Returns what can be shown about a policy without errors. A disabled policy has the goals that it has when it is enabled. */
export function goalsOf(policy: Policy, profile: Profile): PolicyGoals {
  const goals: Goal[] = [];
  const adding = { profile, add: (goal: Goal) => goals.push(goal) - 1, endings: new Map<string, EndingGoal>() };
  const failuresCount = profile.switches.evaluationError === 'fail-request';
  const all = profile.phases.flatMap(phase => policy.rules[phase]);
  const rules = all.map((rule, position) => goalsOfRule(rule, { position, failuresCount, ...adding }));
  const alwaysEnds = all.some(
    ({ expressions, actions }) => expressions.length === 0 && actions.some(one => terminationOf(one) === 'always'),
  );
  const start = { start: policy.range.start, end: policy.range.start };
  for (const [position, members] of adding.endings.values()) goals[position] = { ...goals[position]!, members };
  const passing = alwaysEnds
    ? undefined
    : adding.add({ id: 'no rule ends the policy', group: 'endings', kind: 'ending', rule: undefined, range: start });
  return { goals, rules, passing };
}

interface Adding {
  readonly profile: Profile;
  readonly position: number;
  readonly failuresCount: boolean;
  /** Returns the position of the goal. */
  readonly add: (goal: Goal) => number;
  /** By what client and upstream get. */
  readonly endings: Map<string, EndingGoal>;
}

/** The position of a goal, and of those that reach it. */
type EndingGoal = readonly [position: number, members: number[]];

function goalsOfRule(rule: Rule, adding: Adding): RuleGoals {
  const { position, failuresCount } = adding;
  const { name, range: whole, phase, index, expressions } = rule;
  const label = ruleLabel(phase, index);
  const range = name?.range ?? { start: whole.start, end: whole.start };
  const add = (id: string, goal: Omit<Goal, 'id' | 'rule'>) =>
    adding.add({ ...goal, id: `${label}: ${id}`, rule: position });
  const matches = add('matches', { group: 'rules', kind: 'matches', range });
  const doesNotMatch =
    expressions.length === 0 ? undefined : add('does not match', { group: 'rules', kind: 'does-not-match', range });
  const { atoms, trees } = atomsOf(rule);
  const fails = expressions.map((expression, part) =>
    add(`expression ${part + 1} fails`, {
      ...{ group: 'conditions', kind: 'fails', part },
      range: documentRange(expression.text, { start: 0, end: expression.source.length }),
    } as const),
  );
  const decides =
    atoms.length < 2
      ? []
      : atoms.map(({ range: at, expression }, atom) => {
          const decide = (kind: 'decides-true' | 'decides-false') =>
            add(`atom ${atom + 1} ${kind}`, { group: 'conditions', kind, part: expression, atom, range: at });
          return { true: decide('decides-true'), false: decide('decides-false') };
        });
  return {
    ...{ rule, atoms, matches, doesNotMatch, fails, decides },
    decision: {
      ...{ expressions: trees, atoms: atoms.length, failuresCount },
      random: new Set(atoms.flatMap(({ typed }, atom) => (isRandom(typed, typed.ast.root) ? [atom] : []))),
    },
    actions: actionGoals(rule, adding, add),
  };
}

/** Returns how a rule is called in ids: its phase and number. */
function ruleLabel(phase: Phase, index: number): string {
  return `${phase} ${index + 1}`;
}

/** Whether a part of an expression draws a number. */
function isRandom(typed: TypedAst, expr: Expr): boolean {
  const reference = typed.references[expr.id];
  const isDrawing = reference?.kind === 'function' && reference.overloads.some(({ id }) => /^rand_/.test(id));
  return isDrawing || childrenOf(expr).some(one => isRandom(typed, one));
}

function atomsOf({ expressions }: Rule): { readonly atoms: readonly Atom[]; readonly trees: readonly BooleanTree[] } {
  const atoms: Atom[] = [];
  const trees = expressions.map(({ typed, text }, expression) => {
    const whole = typed!;
    return booleanTree(whole.ast.root, (root: Expr) => {
      const part = { ...whole, ast: { ...whole.ast, root }, resultType: whole.types[root.id] ?? whole.resultType };
      return atoms.push({ typed: part, expression, range: documentRange(text, root.range) }) - 1;
    });
  });
  return { atoms, trees };
}

function actionGoals(
  rule: Rule,
  { position, profile, add: addEnding, endings }: Adding,
  add: (id: string, goal: Omit<Goal, 'id' | 'rule'>) => number,
): readonly ActionGoals[] {
  let ended = false;
  return rule.actions.map((action, part) => {
    const { type } = action;
    const of = `action ${part + 1}`;
    const impossible = ended ? { impossible: 'an earlier action of the rule always ends the policy' } : {};
    const goal = { group: 'actions', part, range: type.range, ...impossible } as const;
    const termination = terminationOf(action);
    const runs = add(`${of} runs`, { ...goal, kind: 'runs' });
    const mayEnd = termination === 'sometimes';
    const isVerdict = mayEnd && !endsIfTheUrlChanges(action);
    const ends = mayEnd ? add(`${of} ends the policy`, { ...goal, kind: 'ends' }) : undefined;
    const letsPass = mayEnd ? add(`${of} lets traffic pass`, { ...goal, kind: 'lets-pass' }) : undefined;
    const expressions = interpolationsOf(action, profile).map(({ text, source, offset }, expression) => {
      const at = documentRange(text, { start: offset, end: offset + source.length });
      const fill = (kind: 'fills' | 'fill-fails', what: string) =>
        add(`${of}, expression ${expression + 1} ${what}`, { ...goal, range: at, kind, expression });
      return { fills: fill('fills', 'has a value'), fails: fill('fill-fails', 'fails') };
    });
    let ending: number | undefined;
    if (termination !== 'never' && !ended) {
      const key = endingKey(rule.phase, action);
      const known = endings.get(key);
      known?.[1].push(ends ?? runs);
      ending = known?.[0];
      if (ending === undefined) {
        const id = `${ruleLabel(rule.phase, rule.index)}: action ${part + 1} is how the policy ends`;
        ending = addEnding({ id, group: 'endings', kind: 'ending', rule: position, part, range: type.range });
        endings.set(key, [ending, [ends ?? runs]]);
      }
    }
    if (termination === 'always') ended = true;
    return { runs, ends, letsPass, ending, isVerdict, expressions };
  });
}

/** Returns the expressions in strings of a configuration, without those whose values no test can state: secrets, for example. */
export function interpolationsOf({ expressions }: Action, { functions }: Profile): Action['expressions'] {
  const opaque = new Set(functions.flatMap(one => (one.opaque === undefined ? [] : [one.overloadId])));
  const isOpaque = ({ typed }: Action['expressions'][number]) =>
    Object.values(typed?.references ?? {}).some(
      one => one?.kind === 'function' && one.overloads.some(({ id }) => opaque.has(id)),
    );
  return expressions.filter(one => one.kind === 'interpolation' && !isOpaque(one));
}

/** Client and upstream get the same from actions of the same type and configuration. */
function endingKey(phase: Phase, { type, config }: Action): string {
  return JSON.stringify([phase, type.value, config]);
}
