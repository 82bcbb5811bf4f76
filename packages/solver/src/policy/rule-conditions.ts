// The conditions of rules, after what earlier rules may have changed.

import { type Phase, terminationOf, type VariableFact, variablesAt } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import { fieldPathsOf, inlineBodies, printLiteral } from '@tollgate/cel/tooling';
import { checkExpression, type Policy, type Rule } from '@tollgate/policy';
import { allOf, type Condition, type Signal, TRUE } from '../logic/formula.ts';
import { cellOf, VARIABLES, withoutStringKey } from '../reader/locations.ts';
import { readCondition } from '../reader/read-condition.ts';
import type { UrlRewrite } from '../values/rewritten-urls.ts';
import type { SolverSession } from './session.ts';

/** The conditions of the rules of one policy, each read once, after what earlier rules may have changed. */
export class RuleConditions {
  readonly #session: SolverSession;
  readonly #policy: Policy;
  readonly #changing: readonly Rule[];
  readonly #conditions = new Map<Rule, Condition>();
  readonly #isPartial: (rule: Rule) => boolean;

  /** @param isPartial returns true for rules of which parts are missing; they may match anything */
  constructor(session: SolverSession, policy: Policy, isPartial: (rule: Rule) => boolean = () => false) {
    this.#isPartial = isPartial;
    this.#session = session;
    this.#policy = policy;
    const rules = session.context.profile.phases.flatMap(phase => policy.rules[phase]);
    this.#changing = rules.filter(rule => changeBy(session, rule, { id: '', matches: () => TRUE }) !== undefined);
  }

  /** Returns the condition of a rule if it is reached. */
  of(rule: Rule): Condition {
    let condition = this.#conditions.get(rule);
    if (condition === undefined) {
      condition = this.#isPartial(rule)
        ? this.#session.anyCondition()
        : ruleCondition(this.#session, rule, this.#changesBefore(rule));
      this.#conditions.set(rule, condition);
    }
    return condition;
  }

  /** Returns the signal that holds where a rule matches if it is reached. */
  matches(rule: Rule): Signal {
    return this.of(rule).whenTrue;
  }

  /** Returns the signal that holds where an expression of a rule fails, so that the rule does not match although it is reached. */
  fails(rule: Rule): Signal {
    const { whenTrue, whenFalse } = this.of(rule);
    return this.#session.vocabulary.graph.and([-whenTrue, -whenFalse]);
  }

  /** Returns the condition of expressions that are joined by *and* and evaluated when a rule is reached. */
  at(rule: Rule, typed: PhaseExpressions['typed']): Condition {
    return conditionAfter(this.#session, { phase: rule.phase, typed }, this.#changesBefore(rule));
  }

  /** Returns the condition that a pattern is found in the URL when a rule is reached; undefined if it is no pattern, or there is no URL. */
  findsInUrl(rule: Rule, pattern: unknown): Condition | undefined {
    if (typeof pattern !== 'string' || pattern.includes('${')) return undefined;
    const { profile, endpoint, environments } = this.#session.context;
    const place = { endpoint, phase: rule.phase };
    const url = variablesAt(profile, place).find(({ role }) => role === 'url');
    if (url === undefined) return undefined;
    const source = `${url.path}.matches(${printLiteral({ type: 'string', value: pattern })})`;
    const { typed } = checkExpression(source, { environment: environments[rule.phase], profile, place });
    return typed && this.at(rule, [typed]);
  }

  #changesBefore(rule: Rule): readonly RuleChange[] {
    const { phases } = this.#session.context.profile;
    const changes = phases
      .slice(0, phases.indexOf(rule.phase))
      .flatMap(phase => changesOfPhase(this.#session, phase, this.#policy.rules[phase]));
    for (const one of this.#changing) {
      if (one.phase !== rule.phase || one.index >= rule.index) continue;
      const id = `${one.phase} ${one.index}`;
      changes.push(changeBy(this.#session, one, { id, matches: () => this.matches(one) })!);
    }
    return changes;
  }
}

/** A rule that may change what later conditions read. */
export interface RuleChange {
  /** Different for each rule whose changes may differ. */
  readonly id: string;
  /** Holds where the rule matches, if it is reached. */
  readonly matches: () => Signal;
  /** Paths that it may change; undefined if it may change any. */
  readonly paths: readonly string[] | undefined;
  /** If it changes the URL in this way and in no other. */
  readonly rewrite?: UrlRewrite;
}

/**
 * Returns the signal that holds where a rule matches if it is reached, after earlier changes. What a matching rule may have changed is a
 * free value from then on.
 */
export function matchSignal(session: SolverSession, rule: Rule, changes: readonly RuleChange[]): Signal {
  return ruleCondition(session, rule, changes).whenTrue;
}

/** Returns the condition of a rule if it is reached, after earlier changes. */
function ruleCondition(session: SolverSession, rule: Rule, changes: readonly RuleChange[]): Condition {
  const typed = rule.expressions.flatMap(expression => expression.typed ?? []);
  return conditionAfter(session, { phase: rule.phase, typed }, changes);
}

/** Expressions that are joined by *and*. */
interface PhaseExpressions {
  readonly phase: Phase;
  readonly typed: readonly TypedAst[];
}

/** Returns the condition that expressions are where earlier rules may have changed what they read. */
function conditionAfter(
  session: SolverSession,
  { phase, typed }: PhaseExpressions,
  changes: readonly RuleChange[],
): Condition {
  const environment = session.context.environments[phase];
  const reading = session.reading(phase);
  const { graph } = session.vocabulary;
  const paths = typed.flatMap(one => [...fieldPathsOf(inlineBodies(one, environment))]);
  const read = (last: RuleChange | undefined, before: readonly RuleChange[]): Condition => {
    if (last !== undefined) noteRewrite(session, phase, { last, before: changes.slice(0, changes.indexOf(last)) });
    const versionOf = (path: string) =>
      last !== undefined && [...before, last].some(change => mayChange(change, [path])) ? `@${last.id}` : '';
    const all = typed.map(one => readCondition(one, environment, { ...reading, versionOf, startsEmpty: true }));
    return allOf(graph, all);
  };
  const relevant = changes.filter(change => mayChange(change, paths));
  return relevant.reduce(
    (unchanged, change, at) => {
      const [condition, changed] = [change.matches(), read(change, relevant.slice(0, at))];
      return {
        whenTrue: graph.choice(condition, changed.whenTrue, unchanged.whenTrue),
        whenFalse: graph.choice(condition, changed.whenFalse, unchanged.whenFalse),
      };
    },
    read(undefined, []),
  );
}

/**
 * Relates the URL after a rewrite to the one that was received, if nothing else changed it before. Only for well-formed traffic: lint, which asks
 * about any, has little to gain and more to ask.
 */
function noteRewrite(
  session: SolverSession,
  phase: Phase,
  { last, before }: { readonly last: RuleChange; readonly before: readonly RuleChange[] },
): void {
  const reading = session.reading(phase);
  const url = [...reading.facts.values()].find(({ role }) => role === 'url');
  if (last.rewrite === undefined || url === undefined || !reading.knowsNames) return;
  if (before.some(change => mayChange(change, [url.path]))) return;
  const steps = withoutStringKey(url.path).split('.');
  cellOf({ ...reading, versionOf: () => '' }, { steps, role: 'url' }, 'string');
  session.vocabulary.noteRewrite(`@${last.id}`, last.rewrite);
}

function mayChange({ paths }: RuleChange, read: readonly string[]): boolean {
  if (paths === undefined) return read.length > 0;
  return paths.some(path => read.some(one => `${one}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${one}.`)));
}

/** Returns what a rule changes for later conditions; undefined if it changes nothing or ends the evaluation. */
export function changeBy(
  session: SolverSession,
  rule: Rule,
  { id, matches }: Omit<RuleChange, 'paths'>,
): RuleChange | undefined {
  if (endsEvaluation(rule)) return undefined;
  const { profile, endpoint } = session.context;
  const variables = variablesAt(profile, { endpoint, phase: rule.phase });
  const paths = pathsChangedBy(rule, variables);
  const rewrite = rewriteBy(rule);
  return paths?.length === 0 ? undefined : { id, matches, paths, ...(rewrite && { rewrite }) };
}

/** Returns the rewrite of a rule with a single action that changes something. */
function rewriteBy({ actions }: Rule): UrlRewrite | undefined {
  const changing = actions.filter(({ fact }) => fact?.changes?.length !== 0);
  const [only] = changing;
  if (only?.type.value !== 'url-rewrite' || changing.length > 1) return undefined;
  const { from, to } = only.config;
  return typeof from === 'string' && !from.includes('${') && typeof to === 'string' ? { from, to } : undefined;
}

function pathsChangedBy({ actions }: Rule, variables: readonly VariableFact[]): readonly string[] | undefined {
  const found: string[] = [];
  for (const { fact, type } of actions) {
    if (fact?.changes === undefined) return undefined;
    found.push(...fact.changes);
    for (const variable of variables) if (variable.setBy === type.value) found.push(variable.path);
  }
  return found;
}

/** Returns true if a matching rule certainly ends the evaluation. */
export function endsEvaluation({ actions }: Rule): boolean {
  return actions.some(action => terminationOf(action) === 'always');
}

const ALWAYS = () => TRUE;

/** Returns what the rules of an earlier phase may have changed: whether they were reached is left open. */
export function changesOfPhase(session: SolverSession, phase: Phase, rules: readonly Rule[]): readonly RuleChange[] {
  const changes = rules.flatMap(rule => changeBy(session, rule, { id: '', matches: ALWAYS }) ?? []);
  if (changes.length === 0) return [];
  const paths = changes.every(change => change.paths !== undefined)
    ? changes.flatMap(change => change.paths!).filter(path => path !== VARIABLES)
    : undefined;
  if (paths?.length === 0) return [];
  return [{ id: phase, matches: ALWAYS, paths }];
}
