// The ways that the evaluation of a policy can go, and the points at which a rule may end it.

import { type EvaluationContext, type Phase, terminationOf, variablesAt } from '@tollgate/catalog';
import { type TypedAst, Unknown } from '@tollgate/cel';
import { compileRe2 } from '@tollgate/cel/tooling';
import { once } from '@tollgate/diagnostics';
import { type Action, checkExpression, type Policy, type Rule } from '@tollgate/policy';
import { type Decision, hasResponse, type OutcomeKind, type RuleResult, SIDES } from '@tollgate/simulator';
import { FALSE, type Signal, TRUE } from '../logic/formula.ts';
import { endsEvaluation, type RuleConditions } from '../policy/rule-conditions.ts';
import type { SolverSession } from '../policy/session.ts';
import type { Definition } from '../reader/reader-context.ts';
import { patternLanguage } from '../values/language.ts';

/** A way that the evaluation of a policy can go: where it ends. All decisions of one path have the same outcome. */
export interface DecisionPath {
  /** The ends that take place, in order. */
  readonly taken: readonly RuleEnd[];
  /** The ends that do not take place although they are reached, in order. */
  readonly passed: readonly RuleEnd[];
  /** Returns what is known of the decision: by path, as in invariants. */
  readonly definitionOf: (path: string) => Definition | undefined;
}

/** Returns all ways that the evaluation of a policy can go. Together they are everything that can happen. */
export function decisionPaths(policy: Policy, context: EndContext): readonly DecisionPath[] {
  const parts = partsOf(policy, context);
  return requestPaths(parts).map(path => ({
    taken: path.taken,
    passed: path.passed,
    definitionOf: name => definitionOn(path, name, { ...context, parts }),
  }));
}

/** The rules of the phases before the upstream is asked, and of those after. */
interface Parts {
  readonly request: Part;
  readonly response: Part;
  /** Whether the second part also runs where the first one ended with an answer. */
  readonly isResumed: boolean;
}

interface Part {
  readonly rules: readonly Rule[];
  readonly ends: readonly RuleEnd[];
}

function partsOf(policy: Policy, context: EndContext): Parts {
  const { profile } = context.session.context;
  const rules = policy.enabled ? profile.phases.flatMap(phase => policy.rules[phase]) : [];
  const partIn = (isIn: (phase: Phase) => boolean): Part => {
    const own = rules.filter(({ phase }) => isIn(phase));
    return { rules: own, ends: own.flatMap(rule => endsOf(rule, context)) };
  };
  const isBefore = (phase: Phase) => SIDES[phase] === 'connection' || SIDES[phase] === 'request';
  const isResumed = profile.switches.responsePhaseAfterAnswer === 'run';
  return { request: partIn(isBefore), response: partIn(phase => !isBefore(phase)), isResumed };
}

interface Path {
  /** Undefined if the request passes. */
  readonly request: RuleEnd | undefined;
  /** Null if the response part does not run; undefined if nothing ends it. */
  readonly response: RuleEnd | null | undefined;
  readonly taken: readonly RuleEnd[];
  readonly passed: readonly RuleEnd[];
}

/** After these, no rule runs. */
const FINAL: ReadonlySet<OutcomeKind | undefined> = new Set(['closed', 'denied', 'failed'] as const);

function requestPaths({ request, response, isResumed }: Parts): readonly Path[] {
  const before = (ends: readonly RuleEnd[], end: RuleEnd | undefined) =>
    end === undefined ? ends : ends.slice(0, ends.indexOf(end));
  return [...request.ends, undefined].flatMap(end => {
    const passed = before(request.ends, end);
    const own = end === undefined ? [] : [end];
    const runsOn = end === undefined || (isResumed && !FINAL.has(end.outcome));
    // Where the outcome is not known, both are possible.
    const stops = end !== undefined && (!runsOn || end.outcome === undefined);
    const stopped: readonly Path[] = stops ? [{ request: end, response: null, taken: own, passed }] : [];
    if (!runsOn) return stopped;
    const going = [...response.ends, undefined].map(
      (last): Path => ({
        request: end,
        response: last,
        taken: last === undefined ? own : [...own, last],
        passed: [...passed, ...before(response.ends, last)],
      }),
    );
    return [...stopped, ...going];
  });
}

interface DefinitionContext extends EndContext {
  readonly parts: Parts;
}

function definitionOn(path: Path, name: string, context: DefinitionContext): Definition | undefined {
  switch (name) {
    case 'decision.reachesUpstream':
      return value(reachesUpstream(path.request));
    case 'decision.outcome':
      return value(lastEnd(path)?.outcome ?? (lastEnd(path) === undefined ? 'passed' : undefined));
    case 'decision.status': {
      const last = lastEnd(path);
      if (last === undefined) return { kind: 'upstream-status' };
      return last.status === undefined ? undefined : value(BigInt(last.status));
    }
    case 'decision.actions':
      return members(stepsOn(path, context).flatMap(ranActions));
    case 'decision.rules':
      return members(stepsOn(path, context).map(({ rule, matches }) => ({ text: labelOf(rule), when: matches })));
    case 'decision.names':
      return members(stepsOn(path, context).flatMap(nameOf));
    case 'decision.failed':
      return members(stepsOn(path, context).map(({ rule, fails }) => ({ text: labelOf(rule), when: fails() })));
    case 'decision.action': {
      const last = lastEnd(path);
      if (last !== undefined && last.outcome === undefined) return undefined;
      return value(last === undefined || last.actions === 0 ? '' : last.rule.actions[last.actions - 1]!.type.value);
    }
    default:
      return undefined;
  }
}

function value(known: boolean | string | bigint | undefined): Definition | undefined {
  return known === undefined ? undefined : { kind: 'value', value: known };
}

function members(found: readonly { readonly text: string; readonly when: Signal }[]): Definition {
  return { kind: 'members', members: found };
}

function lastEnd({ request, response }: Path): RuleEnd | undefined {
  return response ?? request;
}

function reachesUpstream(end: RuleEnd | undefined): boolean | undefined {
  if (end === undefined) return true;
  return end.outcome === undefined ? undefined : end.outcome === 'forwarded';
}

/** A rule that is reached on a path, and when it matches and fails there. */
interface Step {
  readonly rule: Rule;
  /** The number of its actions that run if it matches. */
  readonly actions: number;
  readonly matches: Signal;
  readonly fails: () => Signal;
}

function stepsOn(path: Path, context: DefinitionContext): readonly Step[] {
  const { request, response } = context.parts;
  const later = path.response === null ? [] : stepsIn(response, path.response, context);
  const steps = [...stepsIn(request, path.request, context), ...later];
  return steps.filter(({ rule }) => !context.modules?.has(rule));
}

function stepsIn({ rules }: Part, end: RuleEnd | undefined, context: DefinitionContext): readonly Step[] {
  const reached = end === undefined ? rules : rules.slice(0, rules.indexOf(end.rule) + 1);
  return reached.map(rule => (rule === end?.rule ? endingStep(end) : passingStep(rule, context)));
}

function endingStep({ rule, actions, outcome }: RuleEnd): Step {
  const isFailed = outcome === 'failed';
  return { rule, actions, matches: isFailed ? FALSE : TRUE, fails: () => (isFailed ? TRUE : FALSE) };
}

function passingStep(rule: Rule, { session, conditions }: DefinitionContext): Step {
  const { graph } = session.vocabulary;
  const reached = reachedSignal(rule, session);
  // A rule that would have ended the evaluation does not match on this path.
  const matches = endsEvaluation(rule) ? FALSE : graph.and([reached, conditions.matches(rule)]);
  const fails = () => graph.and([reached, conditions.fails(rule)]);
  return { rule, actions: rule.actions.length, matches, fails };
}

function ranActions({ rule, actions, matches }: Step) {
  return rule.actions.slice(0, actions).map(({ type }) => ({ text: type.value, when: matches }));
}

function nameOf({ rule: { name }, matches }: Step) {
  return name === undefined ? [] : [{ text: name.value, when: matches }];
}

/** Returns the value of `decision` in invariants. What the simulator does not know is unknown. */
export function decisionValues(decision: Decision, rules: readonly Rule[]): Readonly<Record<string, unknown>> {
  const { outcomes, needs, upstream, response } = decision;
  const unknown = new Unknown(needs.length > 0 ? needs : ['the decision']);
  const [outcome] = outcomes;
  const results = decision.rules.map((result, at) => ({ result, rule: rules[at]! }));
  const open = results.flatMap(({ result }) => (result.status === 'undetermined' ? result.needs : []));
  const listed = (values: readonly string[]) => (open.length > 0 ? new Unknown(open) : values);
  const rulesThat = (status: RuleResult['status']) =>
    results.flatMap(({ result, rule }) => (result.status === status ? [rule] : []));
  const ran = results.flatMap(({ result, rule }) =>
    result.status === 'matched' ? rule.actions.slice(0, result.actions.length).map(({ type }) => type.value) : [],
  );
  return {
    reachesUpstream: upstream.isAsked ?? unknown,
    outcome: outcomes.length === 1 ? outcome!.kind : unknown,
    status: outcomes.length > 1 ? unknown : (response?.status ?? 0),
    action: outcomes.length === 1 ? (outcome!.action ?? '') : unknown,
    actions: listed(ran),
    rules: listed(rulesThat('matched').map(labelOf)),
    names: listed(rulesThat('matched').flatMap(({ name }) => name?.value ?? [])),
    failed: listed(rulesThat('failed').map(labelOf)),
  };
}

/** Returns phase and number of a rule: `inbound 2`. */
export function labelOf({ phase, index }: Rule): string {
  return `${phase} ${index + 1}`;
}

/** A point at which a reached rule may end the evaluation. */
export interface RuleEnd {
  readonly rule: Rule;
  /** The number of actions that have run then. */
  readonly actions: number;
  /** Holds where it ends the evaluation, if nothing did before. */
  readonly holds: () => Signal;
  /** Undefined if it is not known. */
  readonly outcome: OutcomeKind | undefined;
  /** The status that the client receives; undefined if it is not known. */
  readonly status: number | undefined;
}

/** What points at which a rule may end the evaluation depend on. */
interface EndContext {
  readonly session: SolverSession;
  readonly conditions: RuleConditions;
  /** Rules that are modules of a route. */
  readonly modules?: ReadonlySet<Rule>;
}

/** Returns the points at which a rule may end the evaluation, in order. */
function endsOf(rule: Rule, context: EndContext): readonly RuleEnd[] {
  const { session, conditions } = context;
  const { graph } = session.vocabulary;
  const found: RuleEnd[] = [];
  const reached = reachedSignal(rule, session);
  if (session.context.profile.switches.evaluationError === 'fail-request') {
    const holds = once(() => graph.and([reached, conditions.fails(rule)]));
    found.push({ rule, actions: 0, holds, outcome: 'failed', status: 500 });
  }
  for (const [at, action] of rule.actions.entries()) {
    const termination = terminationOf(action);
    if (termination === 'never') continue;
    const holds = once(() => {
      const ends = termination === 'always' ? TRUE : endSignal(action, at, { ...context, rule });
      return graph.and([reached, conditions.matches(rule), ends]);
    });
    found.push({ rule, actions: at + 1, holds, ...answerOf(action, { session, rule }) });
    if (termination === 'always') break;
  }
  return found;
}

/** Returns the signal that holds where the phase of a rule runs: whether a stream has events is not known. */
function reachedSignal({ phase }: Rule, session: SolverSession): Signal {
  return SIDES[phase] === 'events' ? freeSignal(session, 'whether the response is a stream of events') : TRUE;
}

function freeSignal({ vocabulary }: SolverSession, what: string): Signal {
  const cell = vocabulary.cell(`free:${what}`, () => ({
    sort: 'free' as const,
    steps: [],
    role: undefined,
    version: '',
    universe: { preferred: [] },
    uninterpreted: what,
  }));
  return vocabulary.atom({ kind: 'free', cell });
}

interface ActionScope {
  readonly session: SolverSession;
  readonly rule: Rule;
}

type Answer = Pick<RuleEnd, 'outcome' | 'status'>;

const UNKNOWN: Answer = { outcome: undefined, status: undefined };

interface KnownOutcome {
  readonly kind: OutcomeKind;
  readonly status?: number;
}

/** The outcomes of actions; those with a response have the configured status unless one is given. */
const OUTCOMES: Readonly<Record<string, KnownOutcome>> = {
  deny: { kind: 'denied' },
  redirect: { kind: 'redirected' },
  'forward-internal': { kind: 'forwarded' },
  'close-connection': { kind: 'closed' },
  'restrict-ips': { kind: 'refused', status: 403 },
  'rate-limit': { kind: 'refused', status: 429 },
  'circuit-breaker': { kind: 'refused', status: 503 },
  'jwt-validation': { kind: 'refused', status: 401 },
  'basic-auth': { kind: 'refused', status: 401 },
  'verify-webhook': { kind: 'refused', status: 403 },
  'user-agent-filter': { kind: 'refused', status: 403 },
  'websocket-tcp-converter': { kind: 'refused', status: 400 },
};

const CLOSED: Answer = { outcome: 'closed', status: 0 };

/** Returns how an action ends the evaluation, as far as its configuration says so. */
function answerOf({ type, fact, config }: Action, { session, rule }: ActionScope): Answer {
  const { endpoint } = session.context;
  const side = SIDES[rule.phase];
  const replacing: KnownOutcome = { kind: side === 'request' ? 'answered' : 'replaced' };
  const known = type.value === 'custom-response' ? replacing : OUTCOMES[type.value];
  if (known === undefined || side === 'events') return UNKNOWN;
  // The internal endpoint answers.
  if (known.kind === 'forwarded') return { outcome: 'forwarded', status: undefined };
  if (known.kind === 'closed' || !hasResponse({ place: { endpoint, phase: rule.phase }, side })) return CLOSED;
  const written = config.status_code ?? fact?.config.find(({ name }) => name === 'status_code')?.default;
  const status = known.status ?? (typeof written === 'number' ? written : undefined);
  return { outcome: known.kind, status };
}

interface ConditionedAction extends ActionScope, EndContext {}

/** Returns the signal that holds where a matching rule's action ends the evaluation; a free one as far as it is not modelled. */
function endSignal(action: Action, at: number, place: ConditionedAction): Signal {
  const isFirst = place.rule.actions.slice(0, at).every(({ fact }) => fact?.changes?.length === 0);
  const modelled = isFirst ? modelledEnd(action, place) : undefined;
  if (modelled?.isExact) return modelled.signal;
  const where = `action ${at + 1} of \`${place.rule.phase} ${place.rule.index + 1}\``;
  const what = place.modules?.has(place.rule) ? 'a module' : where;
  const free = freeSignal(place.session, `whether \`${action.type.value}\` (${what}) ends the policy`);
  if (modelled === undefined) return free;
  const { graph } = place.session.vocabulary;
  const { signal, certain } = modelled;
  return graph.and([signal, certain === undefined ? free : graph.or([certain, free])]);
}

/** A signal that holds wherever an action ends the evaluation; if it is exact, nowhere else. */
interface ModelledEnd {
  readonly signal: Signal;
  readonly isExact: boolean;
  /** Holds only where it ends the evaluation. */
  readonly certain?: Signal;
}

function modelledEnd(action: Action, place: ConditionedAction): ModelledEnd | undefined {
  switch (action.type.value) {
    case 'restrict-ips':
      return restrictedEnd(action, place);
    case 'redirect':
      return redirectedEnd(action, place);
    case 'user-agent-filter':
      return filteredEnd(action, place);
    default:
      return undefined;
  }
}

/** It refuses addresses that `deny` contains or `allow` does not. */
function restrictedEnd({ config }: Action, place: ConditionedAction): ModelledEnd | undefined {
  const [allow, deny] = [stringsOf(config.allow), stringsOf(config.deny)];
  const path = pathWith('client-address', place);
  if (path === undefined || config.ip_policies !== undefined || allow === undefined || deny === undefined) {
    return undefined;
  }
  const inside = (list: readonly string[]) =>
    list.length === 0 ? 'false' : `inCidrRanges(${path}, ${JSON.stringify(list.map(withPrefixLength))})`;
  const signal = signalOf(`${inside(deny)} || !${inside(allow)}`, place);
  return signal === undefined ? undefined : { signal, isExact: true };
}

/** Returns a list of strings without interpolation; undefined for anything else. */
function stringsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return undefined;
  return value.every((one): one is string => typeof one === 'string' && !one.includes('$')) ? value : undefined;
}

function withPrefixLength(range: string): string {
  if (range.includes('/')) return range;
  return `${range}/${range.includes(':') ? 128 : 32}`;
}

/** It redirects where the pattern matches and the replacement changes the URL. */
function redirectedEnd({ config: { from, to } }: Action, place: ConditionedAction): ModelledEnd | undefined {
  const path = pathWith('url', place);
  if (path !== undefined && from === undefined && typeof to === 'string') return redirectedTo(to, path, place);
  if (path === undefined || typeof from !== 'string' || from.includes('${')) return undefined;
  const signal = signalOf(`${path}.matches(${JSON.stringify(from)})`, place);
  return signal === undefined ? undefined : { signal, isExact: alwaysChanges(from, to, place.session) };
}

/** Without a pattern the whole URL is replaced; what is computed begins with what precedes it. */
function redirectedTo(to: string, path: string, place: ConditionedAction): ModelledEnd | undefined {
  const [fixed = ''] = to.split('$');
  const isComputed = fixed !== to;
  const other = isComputed ? `!${path}.startsWith(${JSON.stringify(fixed)})` : `${path} != ${JSON.stringify(to)}`;
  const signal = signalOf(other, place);
  if (signal === undefined) return undefined;
  return isComputed ? { signal: TRUE, isExact: false, certain: signal } : { signal, isExact: true };
}

/** Returns true if the only match is certainly replaced by another string. */
function alwaysChanges(from: string, to: unknown, { vocabulary }: SolverSession): boolean {
  const isOnce = from.startsWith('^') || (from.endsWith('$') && !from.endsWith('\\$'));
  if (!isOnce || /\\[bB]/.test(from) || from.includes('|') || typeof to !== 'string' || to.includes('$')) return false;
  const language = patternLanguage(vocabulary.language.bind(vocabulary), `\\A(?:${from})\\z`);
  return language !== undefined && !language.test(to);
}

/** It refuses agents that `deny` matches or `allow` does not; a pattern with an error matches nothing. */
function filteredEnd({ config }: Action, place: ConditionedAction): ModelledEnd | undefined {
  const path = pathWith('request-headers', place);
  const [allow, deny] = [config.allow, config.deny].map(list => (Array.isArray(list) ? list.map(String) : []));
  if (path === undefined || allow === undefined || deny === undefined) return undefined;
  const name = place.session.context.profile.headerNames === 'canonical' ? 'User-Agent' : 'user-agent';
  const agent = `('${name}' in ${path} ? ${path}['${name}'][0] : '')`;
  const matches = (patterns: readonly string[]) =>
    patterns.filter(isPattern).map(pattern => `${agent}.matches(${JSON.stringify(pattern)})`);
  const allowed = allow.length === 0 ? 'true' : ['false', ...matches(allow)].join(' || ');
  const signal = signalOf(`${['false', ...matches(deny)].join(' || ')} || !(${allowed})`, place);
  return signal === undefined ? undefined : { signal, isExact: true };
}

function isPattern(pattern: string): boolean {
  return 'engine' in compileRe2(pattern);
}

function pathWith(
  role: 'url' | 'client-address' | 'request-headers',
  { session, rule }: ConditionedAction,
): string | undefined {
  const { profile, endpoint } = session.context;
  return variablesAt(profile, { endpoint, phase: rule.phase }).find(fact => fact.role === role)?.path;
}

function signalOf(source: string, { session, conditions, rule }: ConditionedAction): Signal | undefined {
  const typed = typedAt(source, session, { endpoint: session.context.endpoint, phase: rule.phase });
  return typed === undefined ? undefined : conditions.at(rule, [typed]).whenTrue;
}

function typedAt(source: string, { context }: SolverSession, place: EvaluationContext): TypedAst | undefined {
  const { profile, environments } = context;
  return checkExpression(source, { profile, place, environment: environments[place.phase] }).typed;
}
