import { type Phase, terminationOf, type VariableFact, variablesAt } from '@tollgate/catalog';
import { fieldPathsOf, inlineBodies } from '@tollgate/cel/tooling';
import type { Rule } from '@tollgate/policy';
import { type Signal, TRUE } from '../logic/graph.ts';
import { readCondition } from '../reader/read-condition.ts';
import type { Session } from './session.ts';

/** A rule that may change what later conditions read. */
export interface Change {
  /** Different for each rule whose changes may differ. */
  readonly id: string;
  /** Holds where the rule matches, if it is reached. */
  readonly matches: () => Signal;
  /** Paths that it may change; undefined if it may change any. */
  readonly paths: readonly string[] | undefined;
}

/**
 * Returns the signal that holds where a rule matches if it is reached, after earlier changes. What a matching rule may have changed is a
 * free value from then on.
 */
export function matchSignal(session: Session, rule: Rule, changes: readonly Change[]): Signal {
  const { environments } = session.context;
  const environment = environments[rule.phase];
  const reading = session.reading(rule.phase);
  const { graph } = session.vocabulary;
  const typed = rule.expressions.flatMap(expression => expression.typed ?? []);
  const paths = typed.flatMap(one => [...fieldPathsOf(inlineBodies(one, environment))]);
  const read = (last: Change | undefined, before: readonly Change[]): Signal => {
    const versionOf = (path: string) =>
      last !== undefined && [...before, last].some(change => mayChange(change, [path])) ? `@${last.id}` : '';
    return graph.and(typed.map(one => readCondition(one, environment, { ...reading, versionOf }).whenTrue));
  };
  const relevant = changes.filter(change => mayChange(change, paths));
  return relevant.reduce(
    (signal, change, at) => graph.choice(change.matches(), read(change, relevant.slice(0, at)), signal),
    read(undefined, []),
  );
}

function mayChange({ paths }: Change, read: readonly string[]): boolean {
  if (paths === undefined) return read.length > 0;
  return paths.some(path => read.some(one => `${one}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${one}.`)));
}

/** Returns what a rule changes for later conditions; undefined if it changes nothing or ends the evaluation. */
export function changeBy(session: Session, rule: Rule, { id, matches }: Omit<Change, 'paths'>): Change | undefined {
  if (endsEvaluation(rule)) return undefined;
  const { profile, endpoint } = session.context;
  const variables = variablesAt(profile, { endpoint, phase: rule.phase });
  const paths = pathsChangedBy(rule, variables);
  return paths?.length === 0 ? undefined : { id, matches, paths };
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
export function changesOfPhase(session: Session, phase: Phase, rules: readonly Rule[]): readonly Change[] {
  const changes = rules.flatMap(rule => changeBy(session, rule, { id: '', matches: ALWAYS }) ?? []);
  if (changes.length === 0) return [];
  const paths = changes.every(change => change.paths !== undefined)
    ? changes.flatMap(change => change.paths!)
    : undefined;
  return [{ id: phase, matches: ALWAYS, paths }];
}
