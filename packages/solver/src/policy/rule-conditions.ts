// The conditions of rules, after what earlier rules may have changed.

import { type Phase, terminationOf, type ValueRole, type VariableFact, variablesAt } from '@tollgate/catalog';
import type { TypedAst } from '@tollgate/cel';
import { fieldPathsOf, inlineBodies, parseCidr, printLiteral } from '@tollgate/cel/tooling';
import { type Action, canonicalHeaderName, checkExpression, type Policy, type Rule } from '@tollgate/policy';
import { dialectOf, SIDES } from '@tollgate/simulator';
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
    const value = printLiteral({ type: 'string', value: pattern });
    return this.#written(rule, 'url', path => `${path}.matches(${value})`);
  }

  /** Returns the condition that the client's address is in one of some ranges; undefined if they are none. */
  isInRanges(rule: Rule, ranges: unknown): Condition | undefined {
    if (!Array.isArray(ranges) || !ranges.every(range => typeof range === 'string' && parseCidr(range) !== undefined))
      return undefined;
    const list = ranges.map(value => printLiteral({ type: 'string', value: value as string }));
    return this.#written(rule, 'client-address', path => `inCidrRanges(${path}, [${list.join(', ')}])`);
  }

  /** Returns the condition that the request has a header when a rule is reached. */
  hasHeader(rule: Rule, name: string): Condition | undefined {
    const key = dialectOf(this.#session.context.profile).headerKey(name);
    return this.#written(rule, 'request-headers', path => `${printLiteral({ type: 'string', value: key })} in ${path}`);
  }

  /** Returns the condition that the URL has an ordinary host, of which no pattern for paths finds a part; undefined if there is none. */
  hasOrdinaryHost(rule: Rule): Condition | undefined {
    return this.#written(rule, 'url', path => `${path}.startsWith('https://example.com/')`);
  }

  /** Returns the condition that the URL is a certain one when a rule is reached. */
  hasUrl(rule: Rule, url: string): Condition | undefined {
    return this.#written(rule, 'url', path => `${path} == ${printLiteral({ type: 'string', value: url })}`);
  }

  /** Returns where an expression does not fail when a rule is reached; undefined if that cannot be asked. */
  hasValue(rule: Rule, source: string): Signal | undefined {
    const condition = this.#checked(rule, `(\n${source}\n) == (\n${source}\n)`);
    // A number may differ from itself, and so may one that is drawn.
    return condition && this.#session.vocabulary.graph.or([condition.whenTrue, condition.whenFalse]);
  }

  /** Returns the condition of an expression about the variable with a role when a rule is reached. */
  #written(rule: Rule, role: ValueRole, sourceFor: (path: string) => string): Condition | undefined {
    const { profile, endpoint } = this.#session.context;
    const place = { endpoint, phase: rule.phase };
    const variable = variablesAt(profile, place).find(one => one.role === role);
    if (variable === undefined) return undefined;
    return this.#checked(rule, sourceFor(variable.path));
  }

  #checked(rule: Rule, source: string): Condition | undefined {
    const { profile, endpoint, environments } = this.#session.context;
    const place = { endpoint, phase: rule.phase };
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
  /** Headers that a message certainly has afterwards, or certainly lacks, by their paths in lower case. */
  readonly headers?: ReadonlyMap<string, boolean>;
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
    const presenceOf = (path: string) => last?.headers?.get(path.toLowerCase());
    const all = typed.map(one =>
      readCondition(one, environment, { ...reading, versionOf, presenceOf, startsEmpty: true }),
    );
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
  const paths = changedPaths(session, rule);
  const rewrite = rewriteBy(rule);
  const headers = headersAfter(rule);
  return paths?.length === 0 ? undefined : { id, matches, paths, headers, ...(rewrite && { rewrite }) };
}

/** Returns the paths of what a rule may change for conditions that are evaluated after it; undefined if any may be. */
export function changedPaths(session: SolverSession, rule: Rule): readonly string[] | undefined {
  if (endsEvaluation(rule)) return [];
  const { profile, endpoint } = session.context;
  return pathsChangedBy(rule, variablesAt(profile, { endpoint, phase: rule.phase }));
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
  for (const action of actions) {
    const { fact, type } = action;
    if (fact?.changes === undefined) return undefined;
    const names = changedHeaders(action);
    if (type.value === 'url-rewrite') found.push(...fact.changes.filter(path => !HEADER_MAP.test(path)));
    else if (names === undefined) found.push(...fact.changes);
    if (names !== undefined) found.push(...headerPaths(fact.changes, names));
    for (const variable of variables) if (variable.setBy === type.value) found.push(variable.path);
  }
  return found;
}

/** Returns the names of the headers that an action changes, if nothing is derived from them; undefined if it may change others. */
function changedHeaders({ type, config }: Action): readonly string[] | undefined {
  if (type.value === 'url-rewrite') return ['Host'];
  if (!CHANGES_HEADERS.has(type.value) || typeof config.headers !== 'object' || config.headers === null)
    return undefined;
  const { headers } = config;
  const names: readonly unknown[] = Array.isArray(headers) ? headers : Object.keys(headers);
  const isPlain = names.every(name => typeof name === 'string' && /^[\w-]+$/.test(name) && !DERIVED.test(name));
  return isPlain ? (names as readonly string[]) : undefined;
}

const CHANGES_HEADERS: ReadonlySet<string> = new Set(['add-headers', 'remove-headers']);
/** Headers from which other variables are derived. */
const DERIVED = /^(?:host|user-agent|(?:set-)?cookie|location|content-.*|trailers?|te|transfer-encoding)$/i;
const HEADER_MAP = /^re[qs][.]headers$/i;

/** Returns where headers are read, in each case in which profiles write their names. */
function headerPaths(changes: readonly string[], names: readonly string[]): readonly string[] {
  const spelled = names.flatMap(name => [name, canonicalHeaderName(name), name.toLowerCase()]);
  return changes.filter(path => HEADER_MAP.test(path)).flatMap(path => spelled.map(name => `${path}.${name}`));
}

/** Returns which headers there are certainly after a rule of a phase, or certainly not. */
function headersAfter({ actions, phase }: Rule): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const side = SIDES[phase] === 'request' ? 'req' : 'res';
  for (const action of actions) {
    const { type, fact } = action;
    if (type.value === 'url-rewrite' || fact?.changes?.length === 0) continue;
    const names = changedHeaders(action);
    if (names === undefined) found.clear();
    for (const name of names ?? []) found.set(`${side}.headers.${name.toLowerCase()}`, type.value === 'add-headers');
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
