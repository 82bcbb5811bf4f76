import type { Phase } from '@tollgate/catalog';
import type { Policy, Rule } from '@tollgate/policy';
import { type OutcomeKind, SIDES } from '@tollgate/simulator';
import type { Definition } from '../inputs/reader-context.ts';
import { FALSE, type Signal, TRUE } from '../logic/graph.ts';
import { endsEvaluation } from '../policy/rule-history.ts';
import { labelOf } from './decision-values.ts';
import { type EndContext, endsOf, type RuleEnd, reachedSignal } from './rule-ends.ts';

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
        ...{ request: end, response: last },
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
  return end.outcome === undefined ? undefined : false;
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
