// The semantic difference of two policies of one profile.

import type { ConfigField } from '@tollgate/catalog';
import { unparse } from '@tollgate/cel';
import type { Action, Policy, Rule } from '@tollgate/policy';
import { DecisionComparer } from '@tollgate/simulator';
import type { Exchange } from '@tollgate/traffic';
import type { Signal } from '../logic/formula.ts';
import { changeBy, changesOfPhase, endsEvaluation, matchSignal, type RuleChange } from '../policy/rule-conditions.ts';
import { type PolicyContext, SolverSession } from '../policy/session.ts';
import {
  type Blocker,
  changedEffect,
  compareStretch,
  exchangesMatching,
  keyOf,
  type OpenReason,
  type PolicyDifference,
  PolicySide,
  type ReadRule,
  searchDifference,
} from './compare-stretch.ts';

/** Changed rules for which it is open whether they make a difference. */
export interface OpenComparison extends OpenReason {
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
}

/** The semantic difference of two policies. */
export interface PolicyComparison {
  /** `same` is a proof for all well-formed traffic; `unknown` if no difference was found, but something is open. */
  readonly verdict: 'same' | 'different' | 'unknown';
  /** One for each combination of rules that decides differently, up to a limit. */
  readonly differences: readonly PolicyDifference[];
  readonly open: readonly OpenComparison[];
  /** False if there may be more differences than are listed. */
  readonly isComplete: boolean;
}

/** Options of {@link comparePolicies}. */
interface ComparisonOptions {
  /** Whether exchanges are tried before a comparison stays open, which may take a second. */
  readonly triesExchanges?: boolean;
}

/**
 * Compares what two policies do to all well-formed traffic. Equal rules are paired; only traffic that a changed rule would take can be
 * decided differently, so that unchanged rules cost next to nothing.
 */
export function comparePolicies(
  before: Policy,
  after: Policy,
  context: PolicyContext,
  { triesExchanges = true }: ComparisonOptions = {},
): PolicyComparison {
  return new PolicyComparer(before, after, context).compare(triesExchanges);
}

/** Rules whose conditions are read again for a search. */
const MAX_READ = 40;

/** Why a comparison stays open if failing expressions have effects. */
const FAILING_REQUESTS = 'an expression that fails ends the request in this profile, which is not modelled';

/** What happened before a rule: changes that it may see, and rules that may have ended the evaluation. */
interface Earlier {
  readonly changes: readonly RuleChange[];
  readonly blockers: readonly Blocker[];
}

class PolicyComparer {
  readonly #context: PolicyContext;
  readonly #session: SolverSession;
  readonly #before: PolicySide;
  readonly #after: PolicySide;
  readonly #comparer: DecisionComparer;
  readonly #differences: PolicyDifference[] = [];
  readonly #open: OpenComparison[] = [];
  readonly #changed: Rule[] = [];
  readonly #tried: Exchange[] = [];
  #isComplete = true;

  constructor(before: Policy, after: Policy, context: PolicyContext) {
    this.#context = context;
    this.#session = new SolverSession(context);
    this.#before = new PolicySide(before, context);
    this.#after = new PolicySide(after, context);
    const { profile } = context;
    this.#comparer = new DecisionComparer({ policy: before, profile }, { policy: after, profile }, true);
  }

  compare(triesExchanges: boolean): PolicyComparison {
    const { phases, switches } = this.#context.profile;
    const aligned = phases.map(phase => alignRules(this.#before.rulesOf(phase), this.#after.rulesOf(phase)));
    const last = aligned.findLastIndex(stretches => stretches.some(({ kind }) => kind === 'changed'));
    let earlier: Earlier = { changes: [], blockers: [] };
    phases.slice(0, last + 1).forEach((phase, at) => {
      const { blockers } = aligned[at]!.reduce((state, stretch) => this.#step(state, stretch), earlier);
      // What was reached in an earlier phase is not known later, so its changes are free values.
      const rules = [...this.#before.rulesOf(phase), ...this.#after.rulesOf(phase)];
      const changes = [...earlier.changes, ...changesOfPhase(this.#session, phase, rules)];
      earlier = { changes, blockers: switches.responsePhaseAfterAnswer === 'run' ? [] : blockers };
    });
    if (triesExchanges && this.#differences.length === 0 && this.#open.length > 0) this.#searchDifference();
    const [differences, open] = [distinct(this.#differences), this.#open];
    const verdict = differences.length > 0 ? 'different' : open.length > 0 ? 'unknown' : 'same';
    return { verdict, differences, open, isComplete: this.#isComplete };
  }

  /** Tries exchanges before it stays open whether there is a difference. */
  #searchDifference(): void {
    const sides = [this.#before, this.#after];
    const all = this.#context.profile.phases.flatMap(phase => sides.flatMap(side => side.rulesOf(phase)));
    // Other rules may decide the same as a changed one.
    const matching = [...this.#changed, ...all].slice(0, MAX_READ).map(rule => matchSignal(this.#session, rule, []));
    const found = searchDifference({
      sides: [this.#before, this.#after],
      seeds: [...this.#tried, ...exchangesMatching(this.#session, matching)],
      isDifferent: (one, other) => this.#comparer.ofDecisions(one, other).isCertain,
    });
    if (found === undefined) return;
    this.#differences.push(found);
    this.#isComplete = false;
  }

  #step(state: Earlier, stretch: Stretch): Earlier {
    return stretch.kind === 'shared' ? this.#pass(state, stretch.before) : this.#compareStretch(state, stretch);
  }

  /** A rule of both policies matches the same traffic in both, as long as they did the same before. */
  #pass({ changes, blockers }: Earlier, rule: Rule): Earlier {
    let signal: Signal | undefined;
    const matches = () => {
      signal ??= matchSignal(this.#session, rule, changes);
      return signal;
    };
    if (endsEvaluation(rule)) return { changes, blockers: [...blockers, { rule, matches }] };
    const change = changeBy(this.#session, rule, { id: `${rule.phase} ${rule.index}`, matches });
    return change === undefined ? { changes, blockers } : { changes: [...changes, change], blockers };
  }

  #compareStretch({ changes, blockers }: Earlier, stretch: Extract<Stretch, { kind: 'changed' }>): Earlier {
    const { before, after } = stretch;
    const [own, other] = [this.#readAll(before, changes, 'before'), this.#readAll(after, changes, 'after')];
    if (this.#context.profile.switches.evaluationError === 'fail-request') {
      this.#open.push({ reason: FAILING_REQUESTS, before, after });
    }
    const { graph } = this.#session.vocabulary;
    const found = compareStretch({
      session: this.#session,
      sides: { before: this.#before, after: this.#after },
      rules: { before: own.read, after: other.read },
      isChanged: changedEffect(graph, own.read, other.read),
      blockers,
      areDifferent: (one, other) => this.#comparer.ofDecisions(one, other).parts.length > 0,
    });
    this.#changed.push(...before, ...after);
    this.#tried.push(...found.tried);
    this.#differences.push(...found.differences);
    this.#open.push(...found.open.map(open => ({ ...open, before, after })));
    if (!found.isComplete) this.#isComplete = false;
    const ending = [...own.read, ...other.read].filter(({ rule }) => endsEvaluation(rule));
    return {
      // Later rules are compared for traffic for which both lists did the same so far.
      changes: [...changes, ...own.changes],
      blockers: [...blockers, ...ending.map(({ rule, matches }) => ({ rule, matches: () => matches }))],
    };
  }

  #readAll(rules: readonly Rule[], earlier: readonly RuleChange[], side: string) {
    const changes: RuleChange[] = [];
    const read = rules.map((rule): ReadRule => {
      const matches = matchSignal(this.#session, rule, [...earlier, ...changes]);
      const id = `${rule.phase} ${side} ${rule.index}`;
      const change = changeBy(this.#session, rule, { id, matches: () => matches });
      if (change !== undefined) changes.push(change);
      return { rule, matches, actions: actionsOf(rule) };
    });
    return { read, changes };
  }
}

/** Two stretches of rules may show the same difference. */
function distinct(differences: readonly PolicyDifference[]): readonly PolicyDifference[] {
  return [...new Map(differences.map(one => [keyOf(one), one])).values()];
}

/** A rule that both policies have, or rules of each policy between two such rules. */
type Stretch =
  | { readonly kind: 'shared'; readonly before: Rule; readonly after: Rule }
  | { readonly kind: 'changed'; readonly before: readonly Rule[]; readonly after: readonly Rule[] };

/** Returns the rules of two lists in order, equal ones paired. Names do not count: they decide nothing. */
function alignRules(before: readonly Rule[], after: readonly Rule[]): readonly Stretch[] {
  const [own, other] = [before.map(contentOf), after.map(contentOf)];
  const pairs = withoutMoved(pairEqual(own, other), own, other);
  const found: Stretch[] = [];
  let [from, to] = [0, 0];
  for (const [left, right] of [...pairs, [before.length, after.length] as const]) {
    const changed = { before: before.slice(from, left), after: after.slice(to, right) };
    if (changed.before.length + changed.after.length > 0) found.push({ kind: 'changed', ...changed });
    if (left < before.length) found.push({ kind: 'shared', before: before[left]!, after: after[right]! });
    [from, to] = [left + 1, right + 1];
  }
  return found;
}

type Pair = readonly [number, number];

/**
 * Leaves out pairs between the old and the new place of a rule that moved: only together do they show that it still handles what the rules
 * between do not take, and what both match.
 */
function withoutMoved(pairs: readonly Pair[], before: readonly string[], after: readonly string[]): readonly Pair[] {
  const [paired, matched] = [new Set(pairs.map(([at]) => at)), new Set(pairs.map(([, at]) => at))];
  const added = new Map<string, number[]>();
  after.forEach((content, at) => {
    if (!matched.has(at)) added.set(content, [...(added.get(content) ?? []), at]);
  });
  const moves = before.flatMap((content, from): readonly Pair[] => {
    const to = paired.has(from) ? undefined : added.get(content)?.shift();
    return to === undefined ? [] : [[from, to]];
  });
  return pairs.filter(([left, right]) => {
    const isBetween = ([from, to]: Pair) => left < from !== right < to;
    return !moves.some(move => Math.abs(move[0] - move[1]) <= MAX_MOVED && isBetween(move));
  });
}

/** Rules that move farther are compared at both places: the effect of many rules together is a large formula. */
const MAX_MOVED = 60;

/** Returns positions of equal keys, both ascending, as many as possible. */
function pairEqual(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end++;
  const middle = commonOf(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [
    ...Array.from({ length: start }, (_, at) => [at, at] as const),
    ...middle.map(([left, right]) => [left + start, right + start] as const),
    ...Array.from({ length: end }, (_, at) => [before.length - end + at, after.length - end + at] as const),
  ];
}

/** The longest common subsequence. */
function commonOf(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let left = before.length - 1; left >= 0; left--) {
    for (let right = after.length - 1; right >= 0; right--) {
      const at = left * width + right;
      lengths[at] =
        before[left] === after[right] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  const found: (readonly [number, number])[] = [];
  for (let left = 0, right = 0; left < before.length && right < after.length; ) {
    const at = left * width + right;
    if (before[left] === after[right]) found.push([left++, right++]);
    else if (lengths[at + width]! >= lengths[at + 1]!) left++;
    else right++;
  }
  return found;
}

function contentOf(rule: Rule): string {
  return `${rule.expressions.map(({ source, typed }) => (typed === undefined ? source : unparse(typed.ast))).join('\n')}\n${actionsOf(rule)}`;
}

/** Returns a string that is equal for rules with the same actions: spelled-out defaults and the order of keys do not count. */
export function actionsOf({ actions }: Rule): string {
  return JSON.stringify(actions.map(action => [action.type.value, completeConfig(action)]));
}

function completeConfig({ fact, config }: Action): unknown {
  const defaults = (fact?.config ?? []).flatMap(({ name, default: value }: ConfigField) =>
    value === undefined || (config[name] ?? null) !== null ? [] : [[name, value] as const],
  );
  return sorted({ ...config, ...Object.fromEntries(defaults) });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, one]) => [key, sorted(one)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
