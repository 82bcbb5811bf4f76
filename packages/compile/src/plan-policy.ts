/** Policies as plans: the conditions, in order, under which rules end the evaluation. All targets are written from a plan. */
import { type Phase, type Profile, phasesAt, terminationOf } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import {
  type CharSet,
  childrenOf,
  compilePattern,
  inlineBodies,
  type PatternNode,
  parseCidr,
  patternTree,
} from '@tollgate/cel/tooling';
import type { Range } from '@tollgate/diagnostics';
import {
  type Action,
  checkCondition,
  type ExpressionContext,
  type PhaseEnvironments,
  type Policy,
  type Rule,
} from '@tollgate/policy';
import { createSimulation, type Outcome } from '@tollgate/simulator';
import { type Exchange, NO_HEADER_KNOWN, TLS_UNKNOWN } from '@tollgate/traffic';
import {
  type Condition,
  type Input,
  inputsOf,
  type Leaf,
  leavesOf,
  readsOf,
  someNode,
  type Unsupported,
  UnsupportedError,
} from './condition.ts';
import { lowerCondition } from './lower-condition.ts';

/** A policy as a list of conditions; the first one that holds decides. */
export interface PolicyPlan {
  readonly rules: readonly PlannedRule[];
  /** In the order in which they are first read. */
  readonly inputs: readonly Input[];
  /** The form of the names in maps of headers. */
  readonly headerNames: Profile['headerNames'];
}

/** A rule that ends the evaluation if its condition holds. */
export interface PlannedRule {
  readonly rule: Rule;
  /** The action that ends it. */
  readonly action: Action;
  /** Phase and one-based number: `inbound 2`. */
  readonly label: string;
  /** One for each expression of the rule; all must hold. */
  readonly conditions: readonly Condition[];
  /** When the action ends the evaluation, if not always. */
  readonly when: Condition | undefined;
  readonly outcome: Outcome;
}

/** A plan, or the first construct that has no exact equivalent, with its place. */
export type PlanResult = { readonly plan: PolicyPlan } | { readonly unsupported: UnsupportedConstruct };

/** A construct that is not supported. */
export interface UnsupportedConstruct {
  readonly construct: string;
  /** The rule that contains it. */
  readonly rule: Rule;
  /** In the source of this expression; in the document if it is undefined. */
  readonly expression: Rule['expressions'][number] | undefined;
  readonly range: UnsupportedError['unsupported']['range'];
  /** What to do about it, as an imperative. */
  readonly remedy?: string | undefined;
}

/** The context that a policy was analysed with. */
export interface PlanContext {
  readonly profile: Profile;
  readonly environments: PhaseEnvironments;
}

/** Lowers a policy without errors. */
export function planPolicy(policy: Policy, context: PlanContext): PlanResult {
  const rules: PlannedRule[] = [];
  const changes: Action[] = [];
  if (policy.enabled)
    for (const rule of phasesAt(context.profile, policy.endpoint).flatMap(phase => policy.rules[phase])) {
      const lowered = lowerRule(rule, { ...context, policy, changes: [...changes] });
      if ('construct' in lowered) return { unsupported: lowered };
      rules.push(...lowered);
      if (!RESPONSE_PHASES.has(rule.phase)) changes.push(...rule.actions.filter(neverEnds));
    }
  const { headerNames, variables } = context.profile;
  const roles = new Map(variables.map(({ path, role }) => [path, role]));
  const inputs = inputsOf(rules.map(endingCondition)).map(input => ({ ...input, role: roles.get(input.path) }));
  return { plan: { rules, inputs, headerNames } };
}

/** Returns when a rule ends the evaluation. Its action does not run after an evaluation error in the conditions. */
export function endingCondition({ conditions, when }: PlannedRule): Condition {
  const all: Condition = { kind: 'and', parts: conditions };
  return when === undefined ? all : { kind: 'and', parts: [{ kind: 'holds', part: all }, when] };
}

interface RuleContext extends PlanContext {
  readonly policy: Policy;
  /** What has run before. */
  readonly changes: readonly Action[];
}

/** Returns a rule for each action that may end the evaluation. Others change nothing that an outcome depends on, except what is read later. */
function lowerRule(rule: Rule, context: RuleContext): readonly PlannedRule[] | UnsupportedConstruct {
  const { profile, environments, changes } = context;
  if (profile.switches.evaluationError === 'fail-request')
    return { construct: 'failing requests on errors', rule, expression: undefined, range: rule.range };
  const ending = rule.actions.filter(action => !neverEnds(action));
  const [first] = ending;
  if (first === undefined) return [];
  if (RESPONSE_PHASES.has(rule.phase)) return unsupportedAction(rule, first);
  const parts: Condition[] = [];
  for (const expression of rule.expressions) {
    const environment = environments[rule.phase];
    const lowered = lowerOrRefuse(() => lowerCondition(inlineBodies(expression.typed!, environment), environment));
    const refused = 'construct' in lowered ? lowered : readAfter(changes, lowered, expression.typed!.ast.root.range);
    if (refused) return unsupportedIn(rule, expression, refused);
    if (!('construct' in lowered)) parts.push(lowered);
  }
  const rules: PlannedRule[] = [];
  for (const action of ending) {
    const before = rule.actions.slice(0, rule.actions.indexOf(action)).filter(neverEnds);
    const ends = endingOf(action, rule, context);
    if (ends === undefined) return unsupportedAction(rule, action);
    if (ends.outcome === undefined) continue;
    const refused = ends.when && readAfter([...changes, ...before], ends.when, action.type.range);
    if (refused) return { ...refused, rule, expression: undefined };
    const label = `${rule.phase} ${rule.index + 1}`;
    rules.push({ rule, action, label, conditions: parts, when: ends.when, outcome: ends.outcome });
  }
  return rules;
}

function unsupportedAction(rule: Rule, { type }: Action): UnsupportedConstruct {
  return { construct: `action \`${type.value}\``, rule, expression: undefined, range: type.range };
}

function lowerOrRefuse(lower: () => Condition): Condition | Unsupported {
  try {
    return lower();
  } catch (error) {
    if (error instanceof UnsupportedError) return error.unsupported;
    throw error;
  }
}

interface ActionEnding {
  /** Undefined if the action never ends the evaluation. */
  readonly outcome: Outcome | undefined;
  /** Undefined if the action always ends it. */
  readonly when?: Condition;
}

/** Undefined if the outcome depends on something that a condition does not express. */
function endingOf(action: Action, rule: Rule, context: RuleContext): ActionEnding | undefined {
  const condition = ENDS_WHEN[action.type.value];
  if (condition === undefined && terminationOf(action) !== 'always') return undefined;
  // What is known of an answer is what the simulator makes of it.
  const alone = only({ ...rule, actions: [action] }, context.policy);
  const { outcomes, rules } = createSimulation(alone, context).decide(ANY);
  const outcome = outcomes.find(({ kind }) => kind !== 'passed');
  if (outcomes.length === 1 && !rules.some(({ status }) => status === 'undetermined')) return { outcome };
  const place = { endpoint: context.policy.endpoint, phase: rule.phase };
  const when = condition?.(action, { ...context, place, environment: context.environments[rule.phase] });
  return outcomes.length === 2 && outcome !== undefined && when !== undefined ? { outcome, when } : undefined;
}

const ENDS_WHEN: Readonly<Record<string, typeof redirectsWhen>> = {
  redirect: redirectsWhen,
  'restrict-ips': refusesWhen,
};

/** Returns an unsupported construct with its place. A function with a body is named as people call it. */
function unsupportedIn(
  rule: Rule,
  expression: Rule['expressions'][number] | undefined,
  { construct, range, remedy }: Unsupported,
): UnsupportedConstruct {
  const named = expression && remedy === undefined ? functionAt(expression.typed!, range) : undefined;
  return { construct: named ?? construct, range, remedy, rule, expression };
}

/** Returns the function with a body that was called at a range, because its body is not what people wrote. */
function functionAt({ ast, references }: TypedAst, range: Range): string | undefined {
  const find = (expr: Expr): string | undefined => {
    const reference = references[expr.id];
    const isHere = expr.range.start === range.start && expr.range.end === range.end;
    if (isHere && reference?.kind === 'function' && reference.overloads.some(({ body }) => body))
      return `\`${reference.name}\``;
    return childrenOf(expr)
      .map(find)
      .find(one => one !== undefined);
  };
  return find(ast.root);
}

/** Whether the next action always runs, and it is known what this one changes. */
function neverEnds(action: Action): boolean {
  return terminationOf(action) === 'never' && action.fact?.changes !== undefined;
}

const RESPONSE_PHASES: ReadonlySet<Phase> = new Set([
  'outbound',
  'on_http_response',
  'on_event_stream_message',
] as const);

/** Returns the policy with this rule alone, which always matches. */
function only(rule: Rule, policy: Policy): Policy {
  return { ...policy, rules: { ...NO_RULES, [rule.phase]: [{ ...rule, expressions: [] }] } };
}

const NO_RULES: Policy['rules'] = {
  ...{ inbound: [], outbound: [], on_tcp_connect: [], on_http_request: [], on_http_response: [] },
  on_event_stream_message: [],
};

const ANY: Exchange = {
  ...{ place: { file: '', number: 1, unit: 'entry' }, time: undefined, clientIp: undefined, tls: TLS_UNKNOWN },
  ...{ method: undefined, target: undefined, url: undefined, protocol: undefined, requestHeaders: NO_HEADER_KNOWN },
  response: undefined,
};

/** Returns when `redirect` ends the evaluation: if the URL changes. Undefined if that is not known to be when the pattern matches. */
function redirectsWhen({ config, expressions }: Action, context: ExpressionContext): Condition | undefined {
  const { from, to = '' } = config;
  if (expressions.length > 0 || typeof from !== 'string' || typeof to !== 'string') return undefined;
  if (!alwaysChanges(from, to)) return undefined;
  return lowered(url => `${url}.matches(${JSON.stringify(from)})`, ['req.URL', 'req.url'], context);
}

/** Returns when `restrict-ips` refuses. Undefined if that depends on more than ranges in the policy. */
function refusesWhen({ config, expressions }: Action, context: ExpressionContext): Condition | undefined {
  const { allow = [], deny = [], ip_policies: policies = [] } = config;
  const isEmpty = Array.isArray(policies) && policies.length === 0;
  const [allowed, denied] = [rangesOf(allow), rangesOf(deny)];
  if (expressions.length > 0 || !isEmpty || allowed === undefined || denied === undefined) return undefined;
  const [inAllowed, inDenied] = [allowed, denied].map(list => JSON.stringify(list));
  const refusal = (address: string) =>
    `!inCidrRanges(${address}, ${inAllowed}) || inCidrRanges(${address}, ${inDenied})`;
  return lowered(refusal, ['conn.ClientIP', 'conn.client_ip'], context);
}

/** Returns addresses and ranges as ranges; undefined if one is neither. */
function rangesOf(list: unknown): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const ranges = list.map(one =>
    String(one).includes('/') ? String(one) : `${one}/${String(one).includes(':') ? 128 : 32}`,
  );
  return ranges.every(range => parseCidr(range) !== undefined) ? ranges : undefined;
}

/** Lowers a condition on the first of these names that the profile has. */
function lowered(
  source: (name: string) => string,
  names: readonly string[],
  context: ExpressionContext,
): Condition | undefined {
  for (const name of names) {
    const { typed } = checkCondition(source(name), context);
    if (typed === undefined) continue;
    try {
      return lowerCondition(inlineBodies(typed, context.environment), context.environment);
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
    }
  }
  return undefined;
}

/**
 * Returns true if replacing all matches of a pattern certainly changes every string that has one. Sufficient but not necessary: either no
 * match begins as its replacement does, or the replacement is constant and no match, and there is at most one match or all have one length.
 */
export function alwaysChanges(pattern: string, replacement: string): boolean {
  const tree = patternTree(pattern)?.whole;
  if (tree === undefined) return false;
  const items = tree.kind === 'concat' ? tree.items : [tree];
  // The rest of a template is not known.
  const [start = ''] = replacement.split('$', 1);
  if (beginsOtherwise(items, start)) return true;
  const isConstant = start.length === replacement.length;
  const isAnchored = items[0]?.kind === 'assertion' && items[0].what === 'text-start';
  return isConstant && (isAnchored || lengthOf(tree) !== undefined) && !matchesAll(pattern, tree, replacement);
}

/** Whether some character of every match certainly differs from the one of the string. */
function beginsOtherwise(items: readonly PatternNode[], start: string): boolean {
  const rest = items.filter(({ kind }) => kind !== 'assertion');
  for (const [at, character] of [...start].entries()) {
    const item = rest[at];
    const first = item?.kind === 'repeat' && item.min > 0 ? item.body : item;
    if (first?.kind !== 'set') return false;
    if (!contains(first.set, character.codePointAt(0)!)) return true;
    if (item?.kind !== 'set') return false;
  }
  return false;
}

function contains(set: CharSet, codePoint: number): boolean {
  return set.some((low, at) => at % 2 === 0 && low <= codePoint && codePoint <= set[at + 1]!);
}

/** Whether the whole string may be a match. Word boundaries are other ones there than in a longer string. */
function matchesAll(pattern: string, tree: PatternNode, text: string): boolean {
  const compiled = compilePattern(`^(?:${pattern})$`);
  return someNode(tree, isWordBoundary) || !('test' in compiled) || compiled.test(text);
}

function isWordBoundary(node: PatternNode): boolean {
  return node.kind === 'assertion' && (node.what === 'word-boundary' || node.what === 'no-word-boundary');
}

/** Returns the number of characters of each match; undefined if they differ. */
function lengthOf(node: PatternNode): number | undefined {
  switch (node.kind) {
    case 'set':
    case 'unicode-set':
      return 1;
    case 'concat':
      return node.items
        .map(lengthOf)
        .reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0);
    case 'alternate': {
      const [first, ...others] = node.branches.map(lengthOf);
      return others.every(one => one === first) ? first : undefined;
    }
    case 'repeat': {
      const length = lengthOf(node.body);
      return node.min === node.max && length !== undefined ? node.min * length : undefined;
    }
    default:
      return 0;
  }
}

/** Returns the first input that an earlier action may have changed, or that only actions set. */
function readAfter(changes: readonly Action[], condition: Condition, range: Range): Unsupported | undefined {
  for (const { input, key } of readsOf(condition)) {
    const { path } = input;
    const change = changes.find(action => isWithin(path, action.fact?.changes ?? []) && mayChange(action, path, key));
    if (change !== undefined) return { construct: `\`${path}\` after \`${change.type.value}\``, range };
    if (isWithin(path, ['actions', 'vars'])) return { construct: `\`${path}\``, range };
  }
  return undefined;
}

function isWithin(path: string, inputs: readonly string[]): boolean {
  return inputs.some(input => path === input || path.startsWith(`${input}.`));
}

/** Whether an action on headers may change what is read of an input. */
function mayChange(action: Action, path: string, key: string | undefined): boolean {
  const names = headersOf(action);
  if (names === undefined) return true;
  if (OF_TARGET.test(path)) return false;
  const header = key ?? HEADERS[path.toLowerCase().replaceAll(/[._]/g, '')];
  return header === undefined || names.includes(header.toLowerCase());
}

/** Parts of the URL that no header contributes to. */
const OF_TARGET = /^req[.]url[.](?:path|raw_path|query|uri|query_params)$/;

/** The only header that contributes to an input, by its path in lower case without dots and underscores. */
const HEADERS: Readonly<Record<string, string>> = {
  ...{ reqhost: 'host', requrl: 'host', reqcontentlength: 'content-length', requseragent: 'user-agent' },
  ...{ reqcontenttype: 'content-type', reqcontentencoding: 'content-encoding' },
};

/** Returns the names, in lower case, of the headers that an action sets or removes; undefined if it does something else. */
function headersOf({ type, config }: Action): readonly string[] | undefined {
  if (type.value !== 'add-headers' && type.value !== 'remove-headers') return undefined;
  const { headers } = config;
  const names = Array.isArray(headers) ? headers.map(String) : Object.keys((headers ?? {}) as object);
  return names.some(name => name.includes('$')) ? undefined : names.map(name => name.toLowerCase());
}

/** Returns the first construct that a target refuses: `refusal` says what a leaf needs that the target lacks. */
export function findUnsupported(
  rules: readonly PlannedRule[],
  refusal: (leaf: Leaf) => Unsupported | undefined,
): UnsupportedConstruct | undefined {
  for (const { rule, action, conditions, when } of rules) {
    for (const [at, condition] of conditions.entries())
      for (const leaf of leavesOf(condition)) {
        const found = refusal(leaf);
        if (found !== undefined) return unsupportedIn(rule, rule.expressions[at], found);
      }
    for (const leaf of when === undefined ? [] : leavesOf(when)) {
      const found = refusal(leaf);
      if (found !== undefined) return unsupportedIn(rule, undefined, { ...found, range: action.type.range });
    }
  }
  return undefined;
}
