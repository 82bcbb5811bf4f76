// The semantic difference of policies of two profiles, one of which migrates to the other.

import { type EndpointKind, FINAL_ACTIONS, type Phase, type Profile, terminationOf } from '@tollgate/catalog';
import { type Action, canonicalHeaderName, type Rule, sharedVariables } from '@tollgate/policy';
import { type Decision, DecisionComparer, type DecisionPart } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import { changeBy, changesOfPhase, endsEvaluation, matchSignal, type RuleChange } from '../policy/rule-conditions.ts';
import { SolverSession } from '../policy/session.ts';
import type { SharedNames } from '../reader/reader-context.ts';
import { actionsOf, type OpenComparison, type PolicyComparison } from './compare-policies.ts';
import {
  type Blocker,
  changedEffect,
  compareStretch,
  exchangesMatching,
  type PolicyDifference,
  PolicySide,
  type ReadRule,
  searchDifference,
} from './compare-stretch.ts';
import type { PolicyInContext } from './search-exchanges.ts';

/**
 * Compares policies of two profiles for the traffic of an HTTP endpoint. Values that have the same meaning are the same in both, whatever they
 * are called; others may differ, so that what depends on them stays open. Undefined if nothing is known about what the profiles share.
 */
export function compareAcross(before: PolicyInContext, after: PolicyInContext): PolicyComparison | undefined {
  const isHttp = [before, after].every(({ context }) => HTTP_ENDPOINTS.has(context.endpoint));
  const pair = isHttp ? profilePair(before.context.profile, after.context.profile) : undefined;
  return pair && new AcrossComparer(before, after, pair).compare();
}

const HTTP_ENDPOINTS: ReadonlySet<EndpointKind> = new Set<EndpointKind>(['https-route', 'http-endpoint']);

/** The parts of decisions that the profiles write in the same way. */
const COMPARED: ReadonlySet<DecisionPart> = new Set(['outcome', 'status', 'url', 'target'] as const);

const FAILING_REQUESTS = 'an expression that fails ends the request in one of the profiles, which is not modelled';
const ANSWERED_RESPONSES = 'response rules run on responses of the policy itself in one of the profiles only';
const OTHER_PHASES = 'the phase has no counterpart in the other profile';
const INTERPOLATED = 'not compared: this setting is computed for each request';

/** One of the policies. */
interface Side extends PolicyInContext {
  readonly session: SolverSession;
  readonly decider: PolicySide;
  readonly name: 'before' | 'after';
  readonly names: ProfileNames;
  /** What earlier phases may have changed. */
  changes: readonly RuleChange[];
}

class AcrossComparer {
  readonly #before: Side;
  readonly #after: Side;
  readonly #pair: ProfilePair;
  readonly #comparer: DecisionComparer;
  readonly #differences: PolicyDifference[] = [];
  readonly #open: OpenComparison[] = [];
  readonly #tried: Exchange[] = [];
  #isComplete = true;

  constructor(before: PolicyInContext, after: PolicyInContext, pair: ProfilePair) {
    const session = new SolverSession(before.context, { names: pair.before });
    const other = new SolverSession(after.context, { names: pair.after, other: session });
    const sideOf = ({ policy, context }: PolicyInContext, own: SolverSession, name: Side['name']): Side => ({
      policy,
      context,
      session: own,
      decider: new PolicySide(policy, context),
      name,
      names: pair[name],
      changes: [],
    });
    this.#before = sideOf(before, session, 'before');
    this.#after = sideOf(after, other, 'after');
    this.#pair = pair;
    const side = ({ policy, context: { profile } }: PolicyInContext) => ({ policy, profile });
    this.#comparer = new DecisionComparer(side(before), side(after), true);
  }

  compare(): PolicyComparison {
    this.#compareSettings();
    let blockers: readonly Blocker[] = [];
    for (const [earlier, later] of this.#pair.phases) {
      const rules = {
        before: earlier === undefined ? [] : this.#before.decider.rulesOf(earlier),
        after: later === undefined ? [] : this.#after.decider.rulesOf(later),
      };
      if (rules.before.length + rules.after.length === 0) continue;
      if (earlier === undefined || later === undefined) this.#open.push({ reason: OTHER_PHASES, ...rules });
      else blockers = this.#comparePhase(rules, blockers);
    }
    if (this.#differences.length === 0 && this.#open.length > 0) this.#searchDifference();
    const verdict = this.#differences.length > 0 ? 'different' : this.#open.length > 0 ? 'unknown' : 'same';
    return { verdict, differences: this.#differences, open: this.#open, isComplete: this.#isComplete };
  }

  /** Tries exchanges before it stays open whether there is a difference. */
  #searchDifference(): void {
    const sides = [this.#before, this.#after];
    const matching = sides.flatMap(side => rulesIn(side).map(rule => matchSignal(side.session, rule, [])));
    const found = searchDifference({
      sides: [this.#before.decider, this.#after.decider],
      seeds: [...this.#tried, ...exchangesMatching(this.#before.session, matching)],
      isDifferent: this.#areDifferent,
    });
    if (found === undefined) return;
    this.#differences.push(found);
    this.#isComplete = false;
  }

  readonly #areDifferent = (one: Decision, other: Decision): boolean => {
    const { isCertain, parts } = this.#comparer.ofDecisions(one, other);
    return isCertain && parts.some(part => COMPARED.has(part));
  };

  /** What the profiles themselves do in different ways. */
  #compareSettings(): void {
    const sides = [this.#before, this.#after];
    const all = { before: rulesIn(this.#before), after: rulesIn(this.#after) };
    const rules = [...all.before, ...all.after];
    const switches = sides.map(({ context }) => context.profile.switches);
    if (rules.length > 0 && switches.some(one => one.evaluationError === 'fail-request'))
      this.#open.push({ reason: FAILING_REQUESTS, ...all });
    const mayAnswer = rules.some(({ phase, actions }) => !isResponse(phase) && actions.some(answers));
    const isRun = new Set(switches.map(one => one.responsePhaseAfterAnswer));
    if (isRun.size > 1 && mayAnswer && rules.some(({ phase }) => isResponse(phase)))
      this.#open.push({ reason: ANSWERED_RESPONSES, ...all });
    if (rules.some(({ actions }) => JSON.stringify(actions.map(one => one.config)).includes('$')))
      this.#open.push({ reason: INTERPOLATED, ...all });
  }

  #comparePhase(
    rules: { readonly before: readonly Rule[]; readonly after: readonly Rule[] },
    blockers: readonly Blocker[],
  ): readonly Blocker[] {
    const read = { before: readAll(this.#before, rules.before), after: readAll(this.#after, rules.after) };
    const found = compareStretch({
      session: this.#before.session,
      sides: { before: this.#before.decider, after: this.#after.decider },
      rules: read,
      isChanged: changedEffect(this.#before.session.vocabulary.graph, read.before, read.after),
      blockers,
      areDifferent: this.#areDifferent,
    });
    this.#tried.push(...found.tried);
    this.#differences.push(...found.differences);
    this.#open.push(...found.open.map(open => ({ ...open, ...rules })));
    if (!found.isComplete) this.#isComplete = false;
    for (const side of [this.#before, this.#after]) {
      const own = rules[side.name];
      const phase = own[0]?.phase;
      if (phase === undefined) continue;
      // Both did the same so far: what was changed alike has one name.
      const changes = changesOfPhase(side.session, phase, own).map(change => ({ ...change, id: 'earlier' }));
      side.changes = [...side.changes, ...changes];
    }
    const ending = [...read.before, ...read.after].filter(({ rule }) => endsEvaluation(rule));
    return [...blockers, ...ending.map(({ rule, matches }) => ({ rule, matches: () => matches }))];
  }
}

/** Returns true if rules for responses may run on what an action responds. */
function answers(action: Action): boolean {
  return !FINAL_ACTIONS.has(action.type.value) && terminationOf(action) !== 'never';
}

function rulesIn({ context, decider }: Side): readonly Rule[] {
  return context.profile.phases.flatMap(phase => decider.rulesOf(phase));
}

function isResponse(phase: Rule['phase']): boolean {
  return phase === 'outbound' || phase === 'on_http_response';
}

function readAll({ session, changes, name, names }: Side, rules: readonly Rule[]): readonly ReadRule[] {
  const own: RuleChange[] = [];
  return rules.map((rule): ReadRule => {
    const matches = matchSignal(session, rule, [...changes, ...own]);
    const change = changeBy(session, rule, { id: `${rule.phase} ${name} ${rule.index}`, matches: () => matches });
    if (change !== undefined) own.push(change);
    return { rule, matches, actions: actionsIn(names, rule) };
  });
}

function actionsIn({ keyOf }: ProfileNames, rule: Rule): string {
  const actions = rule.actions.map(action => {
    const { type, fact, config } = action;
    const named = (key: string) => keyOf(type.value, key);
    const entries = Object.entries(config).map(([key, value]) => [named(key), value] as const);
    const fields = fact?.config.map(field => ({ ...field, name: named(field.name) })) ?? [];
    return { ...action, fact: fact && { ...fact, config: fields }, config: Object.fromEntries(entries) };
  });
  return actionsOf({ ...rule, actions });
}

/** How one profile calls what both have. */
interface ProfileNames extends SharedNames {
  /** Returns the key of a configuration. */
  readonly keyOf: (action: string, key: string) => string;
}

/** How policies of two profiles are compared. */
interface ProfilePair {
  readonly before: ProfileNames;
  readonly after: ProfileNames;
  /** Phases that run at the same time; undefined where a profile has none. */
  readonly phases: readonly (readonly [before: Phase | undefined, after: Phase | undefined])[];
}

/** Returns how policies for HTTP of two profiles are compared; undefined if nothing is known about what they share. */
function profilePair(before: Profile, after: Profile): ProfilePair | undefined {
  const forward = pairFrom(before, after);
  if (forward !== undefined) return forward;
  const backward = pairFrom(after, before);
  if (backward === undefined) return undefined;
  const phases = backward.phases.map(([earlier, later]) => [later, earlier] as const);
  return { before: backward.after, after: backward.before, phases };
}

/** As {@link profilePair}, for a profile and a later one. */
function pairFrom(earlier: Profile, later: Profile): ProfilePair | undefined {
  const shared = sharedVariables(earlier, later);
  if (shared === undefined) return undefined;
  const { renamed, headerMaps, absent, renamedKeys } = shared;
  const headers = new Set([...headerMaps].flatMap(path => [path, renamed.get(path) ?? path]));
  const isCanonical = earlier.headerNames === 'canonical';
  const laterName: SharedNames['nameOf'] = steps => headerKey(steps, headers, name => name === name.toLowerCase());
  const earlierName: SharedNames['nameOf'] = steps => {
    const named = headerKey(
      steps,
      headers,
      name => name === (isCanonical ? canonicalHeaderName(name) : name.toLowerCase()),
    );
    for (let end = named.length; end > 0; end--) {
      const path = renamed.get(named.slice(0, end).join('.'));
      if (path !== undefined) return [...path.split('.'), ...named.slice(end)];
    }
    return named;
  };
  const phases = [...earlier.phases.map(phase => [phase, LATER[phase]] as const)];
  const others = later.phases.filter(phase => !phases.some(([, other]) => other === phase));
  return {
    before: {
      nameOf: earlierName,
      absentAs: () => undefined,
      keyOf: (action, key) => renamedKeys[action]?.[key] ?? key,
    },
    after: { nameOf: laterName, absentAs: path => absent.get(path), keyOf: (_, key) => key },
    phases: [...phases, ...others.map(phase => [undefined, phase] as const)],
  };
}

const LATER: Partial<Record<Phase, Phase>> = { inbound: 'on_http_request', outbound: 'on_http_response' };

/** Writes the key of a header in lower case. One that the profile writes in another way has no header, and keeps a capital letter. */
function headerKey(
  steps: readonly (string | number)[],
  headers: ReadonlySet<string>,
  isUsual: (name: string) => boolean,
): readonly (string | number)[] {
  const [side, map, name, ...rest] = steps;
  if (typeof name !== 'string' || name.startsWith('?') || !headers.has(`${side}.${map}`)) return steps;
  return [side!, map!, isUsual(name) ? name.toLowerCase() : `N:${name}`, ...rest];
}
