// Whether anybody can see what a mutant changes. Later rules may decide alike all that it changes, and rules next to each other may do the same in either order.

import { type Phase, terminationOf, variablesAt } from '@tollgate/catalog';
import { readsOf } from '@tollgate/cel';
import { inlineBodies } from '@tollgate/cel/tooling';
import type { Action, Policy, Rule } from '@tollgate/policy';
import { SIDES } from '@tollgate/simulator';
import { actionsOf } from '../compare/compare-policies.ts';
import { FALSE, type Signal } from '../logic/formula.ts';
import { changedPaths, endsEvaluation, type RuleConditions } from '../policy/rule-conditions.ts';
import type { SolverSession } from '../policy/session.ts';
import type { Mutant } from './mutate-policy.ts';

/** Where an action has an effect. */
interface Effect {
  readonly signal: Signal;
  /** Whether the rule has no effect elsewhere. */
  readonly isAll: boolean;
}

/** What changes of one policy can be seen, by the rules of all phases. */
export class UnseenChanges {
  readonly #session: SolverSession;
  readonly #conditions: RuleConditions;
  readonly #rules: readonly Rule[];
  readonly #reads = new Map<Rule, readonly string[]>();
  /** Whether a condition that fails ends the request. */
  readonly #failuresEnd: boolean;

  constructor(session: SolverSession, policy: Policy, conditions: RuleConditions) {
    const { phases, switches } = session.context.profile;
    this.#session = session;
    this.#conditions = conditions;
    this.#rules = phases.flatMap(phase => policy.rules[phase]);
    this.#failuresEnd = switches.evaluationError === 'fail-request';
  }

  /** Returns where the actions of a rule that runs have an effect, or, if they are what differs, may have another one; undefined if that is not known. */
  effectOf({ rule, changed, kind }: Mutant): Effect | undefined {
    if (kind === 'order') return undefined;
    const own = this.#rules[rule]!;
    const isOnly = own.actions.length === 1 && changed.actions.length === 1 && !this.#isResultRead(own);
    const at = own.actions.findIndex(({ config }) => typeof config.from === 'string');
    if (at >= 0) return this.#rewriteEffect(own, changed, { at, isAll: isOnly && kind === 'condition' });
    if (!isOnly) return undefined;
    const [one, other] = [own.actions[0]!, changed.actions[0]!];
    if (one.type.value === 'remove-headers') return this.#removalEffect(own, [one, other], kind);
    return one.type.value === 'restrict-ips' ? this.#admissionEffect(own, [one, other], kind) : undefined;
  }

  /** An action that searches the URL finds something, or two that differ do not both do so. */
  #rewriteEffect(own: Rule, changed: Rule, { at, isAll }: { readonly at: number; readonly isAll: boolean }) {
    const { graph } = this.#session.vocabulary;
    const [from, other] = [own, changed].map(({ actions }) => actions[at]?.config.from);
    const [before, after] = [from, other].map(one => this.#conditions.findsInUrl(own, one)?.whenTrue);
    if (before === undefined) return undefined;
    const isSame = from === other || after === undefined || before === after;
    return { signal: isSame ? before : graph.difference(before, after), isAll };
  }

  /** There is one of the headers. */
  #removalEffect(own: Rule, actions: readonly Action[], kind: Mutant['kind']): Effect | undefined {
    const [names, others] = actions.map(one => (isPlain(one) ? headersOf(one) : undefined));
    if (names === undefined || others === undefined) return undefined;
    const relevant = [...names, ...others].filter(
      name => kind === 'condition' || !names.has(name) || !others.has(name),
    );
    const signals = relevant.map(name => this.#conditions.hasHeader(own, name)?.whenTrue);
    if (signals.includes(undefined)) return undefined;
    return { signal: this.#session.vocabulary.graph.or(signals as readonly Signal[]), isAll: true };
  }

  /** The address is not admitted, or only by one of two lists. */
  #admissionEffect(own: Rule, actions: readonly Action[], kind: Mutant['kind']): Effect | undefined {
    const { graph } = this.#session.vocabulary;
    const [one, other] = actions as [Action, Action];
    const keys = Object.keys({ ...one.config, ...other.config });
    const differing = keys.filter(key => JSON.stringify(one.config[key]) !== JSON.stringify(other.config[key]));
    const isOnlyLists = [...(kind === 'condition' ? keys : []), ...differing].every(key =>
      /^(?:allow|deny|enforce)$/.test(key),
    );
    if (!isOnlyLists || differing.includes('enforce')) return undefined;
    const isIn = (key: string): readonly [Signal, Signal] | undefined => {
      const [a, b] = [one, other].map(({ config }) => this.#conditions.isInRanges(own, config[key] ?? [])?.whenTrue);
      return a === undefined || b === undefined ? undefined : [a, b];
    };
    const [allow, deny] = [isIn('allow'), isIn('deny')];
    if (allow === undefined || deny === undefined) return undefined;
    const signal =
      kind === 'condition'
        ? graph.or([-allow[0], deny[0]])
        : graph.or([graph.difference(...allow), graph.difference(...deny)]);
    return { signal, isAll: true };
  }

  /** Returns a signal that holds only where both policies decide alike after a rule that certainly differs; false if later rules do not show it. */
  decidedAlike({ rule, changed, kind }: Mutant): Signal {
    const own = this.#rules[rule]!;
    if (SIDES[own.phase] !== 'request' || kind === 'order') return FALSE;
    const both = [own, changed];
    if (both.every(isHidden)) return this.#taken(own, changed);
    return kind === 'condition' && both.every(isFinal) ? this.#endedAlike(own) : FALSE;
  }

  /**
   * Where later rules end what the rule changes for the upstream only. They must not read what it changes, nor what those change that do.
   */
  #taken(own: Rule, changed: Rule): Signal {
    const paths = [own, changed].map(one => changedPaths(this.#session, one));
    const names = removable([...own.actions, ...changed.actions]);
    const same = isRepeatable(own) && actionsOf(own) === actionsOf(changed) ? actionsOf(own) : undefined;
    const affected = [...(paths[0] ?? []), ...(paths[1] ?? [])];
    const found: Signal[] = [];
    let isErasable = true;
    for (const later of this.#after(own)) {
      if (!later.actions.every(isPlain)) break;
      const isErasing = (names !== undefined && removes(later, names)) || actionsOf(later) === same;
      const isRead = this.#isReading(later, affected);
      if (!isRead && isErasable && isErasing) {
        found.push(this.#conditions.matches(later));
      } else if (isRead || searchesIn(later, affected)) {
        // Whether it matches differs, and what it changes then does, too.
        if (this.#failuresEnd || !isHidden(later)) break;
        affected.push(...(changedPaths(this.#session, later) ?? []));
        isErasable = false;
      } else if (isFinal(later)) {
        found.push(this.#conditions.matches(later));
      }
    }
    return this.#isReadLater(own.phase, affected) ? FALSE : this.#session.vocabulary.graph.or(found);
  }

  /** Where the rule ends the evaluation, or else a later one with the same actions does, before anything else can be seen. */
  #endedAlike(own: Rule): Signal {
    const { graph } = this.#session.vocabulary;
    const same = actionsOf(own);
    const found: Signal[] = [];
    const through: Signal[] = [];
    for (const later of this.#after(own)) {
      const { whenTrue, whenFalse } = this.#conditions.of(later);
      const isSame = isFinal(later) && actionsOf(later) === same;
      if (isSame) found.push(graph.and([...through, whenTrue]));
      const isUnseen =
        isSame || (isHidden(later) && !this.#isReadLater(own.phase, changedPaths(this.#session, later) ?? []));
      if (!isUnseen) through.push(this.#failuresEnd ? whenFalse : -whenTrue);
      else if (this.#failuresEnd) through.push(graph.or([whenTrue, whenFalse]));
    }
    return graph.or(found);
  }

  /** Whether two neighbours do the same in either order where both match. */
  areInterchangeable(own: Rule, next: Rule): boolean {
    // Whichever fails first ends the request.
    if (this.#failuresEnd) return false;
    if (SIDES[own.phase] !== 'request' || ![own, next].every(({ actions }) => actions.every(isPlain))) return false;
    if (!this.leavesAlone(own, next) || !this.leavesAlone(next, own)) return false;
    if (actionsOf(own) === actionsOf(next)) return own.actions.every(one => one.type.value !== 'url-rewrite');
    const [hidden, other] = isHidden(own) ? [own, next] : [next, own];
    if (!isHidden(hidden)) return false;
    if (isHidden(other)) return hidden.actions.every(one => other.actions.every(two => commute(one, two)));
    if (searchesIn(other, changedPaths(this.#session, hidden) ?? [])) return false;
    // What ends the evaluation does not show what the other one changes, and what logs does not read it.
    return other.actions.every(
      one => terminationOf(one) === 'never' || !this.#isReadLater(own.phase, changedPaths(this.#session, hidden) ?? []),
    );
  }

  /** Whether what a rule does certainly changes no condition of another one. */
  leavesAlone(rule: Rule, other: Rule): boolean {
    const paths = changedPaths(this.#session, rule);
    return paths !== undefined && !this.#isReading(other, paths);
  }

  /** Whether a later rule may read what the only action of a rule says about itself. */
  #isResultRead({ phase, index, actions }: Rule): boolean {
    const { profile, endpoint } = this.#session.context;
    const results = variablesAt(profile, { endpoint, phase }).filter(({ setBy }) => setBy === actions[0]!.type.value);
    const paths = results.map(({ path }) => path);
    const { phases } = profile;
    const isLater = (one: Rule) =>
      one.phase === phase ? one.index > index : phases.indexOf(one.phase) > phases.indexOf(phase);
    return (
      paths.length > 0 &&
      this.#rules.some(one => isLater(one) && (this.#isReading(one, paths) || one.actions.some(hasExpressions)))
    );
  }

  #after(own: Rule): readonly Rule[] {
    return this.#rules.filter(({ phase, index }) => phase === own.phase && index > own.index);
  }

  /** Rules of later phases read the request, whoever answers. */
  #isReadLater(phase: Phase, paths: readonly string[]): boolean {
    const { phases } = this.#session.context.profile;
    const later = this.#rules.filter(one => phases.indexOf(one.phase) > phases.indexOf(phase));
    return later.some(one => !one.actions.every(isPlain) || this.#isReading(one, paths));
  }

  #isReading(rule: Rule, paths: readonly string[]): boolean {
    let reads = this.#reads.get(rule);
    if (reads === undefined) {
      const environment = this.#session.context.environments[rule.phase];
      reads = rule.expressions.flatMap(({ typed }) =>
        readsOf(inlineBodies(typed!, environment)).map(({ variable, steps }) =>
          [variable, ...steps.map(step => (step.kind === 'field' ? step.name : String(step.key.value)))].join('.'),
        ),
      );
      this.#reads.set(rule, reads);
    }
    return paths.some(path => reads.some(one => `${one}.`.startsWith(`${path}.`) || `${path}.`.startsWith(`${one}.`)));
  }
}

/** Actions whose effect depends on nothing but their configuration, the URL and the address. */
const CONFIGURED_ONLY: ReadonlySet<string> = new Set([
  ...['add-headers', 'custom-response', 'deny', 'log', 'redirect', 'remove-headers', 'restrict-ips', 'url-rewrite'],
]);

function isPlain(action: Action): boolean {
  return CONFIGURED_ONLY.has(action.type.value) && !hasExpressions(action);
}

function hasExpressions({ config }: Action): boolean {
  return JSON.stringify(config).includes('${');
}

const FOR_UPSTREAM: ReadonlySet<string> = new Set(['add-headers', 'remove-headers', 'url-rewrite']);

/** Whether only the upstream sees what a rule for requests does. */
function isHidden({ actions }: Rule): boolean {
  return actions.every(action => isPlain(action) && FOR_UPSTREAM.has(action.type.value));
}

/** Whether an action of a rule searches the URL, and the URL may be among what was changed. */
function searchesIn({ actions }: Rule, paths: readonly string[]): boolean {
  const isSearching = actions.some(({ type }) => type.value === 'url-rewrite' || type.value === 'redirect');
  return isSearching && paths.some(path => /^req[.]url(?:[.]|$)/i.test(path));
}

/** Whether a rule ends the evaluation with an answer that is always the same. */
function isFinal(rule: Rule): boolean {
  return rule.actions.every(isPlain) && endsEvaluation(rule);
}

/** Whether a rule does nothing more when it runs again: its only action replaces a word, and the replacement makes no such word with what is around it. */
function isRepeatable({ actions }: Rule): boolean {
  const [{ type, config }] = actions as [Action];
  const { from, to } = config;
  if (actions.length > 1 || type.value !== 'url-rewrite' || typeof from !== 'string' || typeof to !== 'string')
    return false;
  if (!/^[\w/-]+$/.test(from) || to.includes('$') || from === '' || to.includes(from)) return false;
  const overlaps = (left: string, right: string) =>
    Array.from({ length: Math.min(left.length, right.length) }, (_, at) => left.endsWith(right.slice(0, at + 1))).some(
      Boolean,
    );
  return !from.includes(to) && !overlaps(to, from) && !overlaps(from, to);
}

/** Returns the headers that actions change, in lower case; undefined if they change something else. */
function removable(actions: readonly Action[]): ReadonlySet<string> | undefined {
  const names = actions.map(headersOf);
  return names.includes(undefined) ? undefined : new Set(names.flatMap(one => [...one!]));
}

function removes({ actions }: Rule, names: ReadonlySet<string>): boolean {
  const removed = new Set(actions.flatMap(one => (one.type.value === 'remove-headers' ? [...headersOf(one)!] : [])));
  return actions.every(one => one.type.value === 'remove-headers') && [...names].every(name => removed.has(name));
}

function headersOf({ type, config: { headers } }: Action): ReadonlySet<string> | undefined {
  if (type.value === 'url-rewrite' || typeof headers !== 'object' || headers === null) return undefined;
  const names = Array.isArray(headers) ? headers : Object.keys(headers);
  const lower = names.map(name => String(name).toLowerCase());
  return lower.includes('host') ? undefined : new Set(lower);
}

/** Whether two actions that the upstream sees do the same in either order. */
function commute(one: Action, other: Action): boolean {
  const [own, others] = [headersOf(one), headersOf(other)];
  const isHeader = own !== undefined || others !== undefined;
  if (own === undefined || others === undefined) return isHeader && one.type.value !== other.type.value;
  const bothRemove = one.type.value === 'remove-headers' && other.type.value === 'remove-headers';
  return bothRemove || [...own].every(name => !others.has(name));
}
