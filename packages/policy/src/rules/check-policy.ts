import { type ActionGroup, hasUpstream, type Profile, phasesAt, terminationOf, variablesAt } from '@tollgate/catalog';
import type { Expr, TypedAst } from '@tollgate/cel';
import { childrenOf, nearest } from '@tollgate/cel/tooling';
import type { Diagnostic, Range } from '@tollgate/diagnostics';
import { entryOf, Reporter } from '../document/document-node.ts';
import { documentRange } from '../document/scalar-text.ts';
import type { Action, Policy, Rule } from './policy.ts';

/** Returns the errors that only show when all rules of a policy are considered together. */
export function checkPolicyAsWhole(policy: Policy, profile: Profile, limit: number): readonly Diagnostic[] {
  const reporter = new Reporter(policy.uri, limit);
  reportConflictingActions(policy, reporter);
  reportUnhandledTraffic(policy, profile, reporter);
  reportUnsetVariables(policy, profile, reporter);
  return reporter.found;
}

/** Returns true if {@link checkPolicyAsWhole} has to see a rule: its findings are the same without all others. */
export function mayConcernOthers(rule: Rule): boolean {
  const isInGroup = rule.actions.some(({ fact }) => fact?.onlyOneOf !== undefined);
  return isInGroup || mayUseVariables(rule) || handlesAll(rule);
}

const GROUPS: Readonly<Record<ActionGroup, { readonly what: string; readonly refusal: number }>> = {
  authentication: { what: 'authentication action', refusal: 2239 },
  'ai-gateway': { what: '`ai-gateway`', refusal: 2266 },
};

/** Reports every action after the first in a group of which the service accepts only one per endpoint. */
function reportConflictingActions({ rules }: Policy, reporter: Reporter): void {
  const earlier = new Map<ActionGroup, PlacedAction[]>();
  for (const rule of Object.values(rules).flat()) {
    for (const action of rule.actions) {
      const group = action.fact?.onlyOneOf;
      if (group === undefined) continue;
      const placed = { action, rule };
      const before = earlier.get(group) ?? [];
      if (before.length > 0) report(placed, before, group, reporter);
      earlier.set(group, [...before, placed]);
    }
  }
}

interface PlacedAction {
  readonly action: Action;
  readonly rule: Rule;
}

function report(
  { action, rule }: PlacedAction,
  earlier: readonly PlacedAction[],
  group: ActionGroup,
  reporter: Reporter,
): void {
  const { what, refusal } = GROUPS[group];
  const certain = earlier.find(before => group !== 'authentication' || !mayBeForOthers(before.rule, rule));
  const isForOthers = certain === undefined;
  const before = certain ?? earlier[0]!;
  const first = before.action.type.value;
  const remedy = isForOthers
    ? `\`ERR_NGROK_${refusal}\` documents one for each endpoint, and does not say whether rules for different requests may have one each`
    : 'remove one of them';
  reporter.report({
    code: 'policy/conflicting-actions',
    ...(isForOthers && { severity: 'warning' }),
    message: `second ${what} after \`${first}\`; ${remedy}`,
    range: action.type.range,
    args: { action: action.type.value, first, refusal },
    related: [{ range: before.action.type.range, message: 'first one here' }],
  });
}

/** Returns true if two rules can be for different requests: both have conditions, and not the same. */
function mayBeForOthers(a: Rule, b: Rule): boolean {
  const conditions = ({ expressions }: Rule) =>
    expressions.map(({ source }) => source.trim()).filter(one => one !== 'true');
  const [first, second] = [conditions(a), conditions(b)];
  return first.length > 0 && second.length > 0 && first.join('\n') !== second.join('\n');
}

/** Reports a policy for an endpoint without an upstream if no rule handles all remaining traffic. */
function reportUnhandledTraffic(policy: Policy, profile: Profile, reporter: Reporter): void {
  const { endpoint, rules } = policy;
  if (hasUpstream(endpoint)) return;
  const phases = phasesAt(profile, endpoint).filter(
    phase => !variablesAt(profile, { endpoint, phase }).some(({ path }) => path.startsWith('res.')),
  );
  if (phases.some(phase => rules[phase].some(handlesAll))) return;
  const last = phases.flatMap(phase => entryOf(policy.node, phase)?.keyRange ?? []).at(-1);
  reporter.report({
    code: 'policy/unhandled-traffic',
    message: `no rule handles the remaining traffic of a \`${endpoint}\`, which has no upstream; end with an unconditional rule and a terminating action`,
    range: last ?? startOf(policy.range),
    args: { endpoint },
  });
}

function startOf({ start, end }: Range): Range {
  return { start, end: Math.min(start + 1, end) };
}

/** Returns true if no traffic gets past a rule. Unknown actions count as terminating: they have been reported already. */
function handlesAll({ expressions, actions }: Rule): boolean {
  return expressions.every(({ source }) => source.trim() === 'true') && actions.some(handles);
}

function handles(action: Action): boolean {
  return action.fact === undefined || terminationOf(action) === 'always';
}

/** Reports every `vars.name` that no earlier action can have set. */
function reportUnsetVariables({ rules }: Policy, profile: Profile, reporter: Reporter): void {
  if (!profile.variables.some(({ path }) => path === VARIABLES)) return;
  const all = profile.phases.flatMap(phase => rules[phase]);
  // An unknown action has been reported, and might be a misspelled `set-vars`.
  if (!all.some(mayReadVariables) || all.some(rule => rule.actions.some(({ fact }) => fact === undefined))) return;
  const settings = all.flatMap(rule => rule.actions.flatMap(settingsIn));
  const scope: VariableScope = { known: new Set(), settings, reporter };
  for (const rule of all) checkRule(rule, scope);
}

const VARIABLES = 'vars';

interface Setting {
  readonly name: string;
  /** The range of the name and its value. */
  readonly range: Range;
}

interface VariableScope {
  /** Variables set so far. */
  readonly known: Set<string>;
  /** All assignments of the policy. */
  readonly settings: readonly Setting[];
  readonly reporter: Reporter;
}

/** Returns true if a rule may set or read variables; that of an unknown action counts. */
function mayUseVariables(rule: Rule): boolean {
  const maySet = rule.actions.some(({ fact }) => !fact || fact.config.some(({ role }) => role === 'variables'));
  return maySet || mayReadVariables(rule);
}

function mayReadVariables({ expressions, actions }: Rule): boolean {
  const isRead = ({ source }: { readonly source: string }) => source.includes(VARIABLES);
  return expressions.some(isRead) || actions.some(action => action.expressions.some(isRead));
}

/** Variables in another shape than a list of maps have been reported, but it is clear what they are to be called. */
function settingsIn({ fact, configNode }: Action): readonly Setting[] {
  const field = fact?.config.find(({ role }) => role === 'variables');
  const node = field && configNode && (entryOf(configNode, field.name)?.value ?? configNode);
  const items = node?.kind === 'list' ? node.items : node ? [node] : [];
  return items.flatMap(item =>
    item.kind === 'map'
      ? item.entries.map(({ key, keyRange, value }) => ({
          name: key,
          range: { start: keyRange.start, end: value.range.end },
        }))
      : [],
  );
}

function checkRule({ expressions, actions }: Rule, scope: VariableScope): void {
  const guarded = new Set<string>();
  for (const { typed, text } of expressions) {
    if (typed) checkReads(typed, { guarded, known: scope.known, place: range => documentRange(text, range) }, scope);
  }
  for (const action of actions) {
    const own = settingsIn(action);
    for (const { typed, text, offset } of action.expressions) {
      if (!typed) continue;
      const place = ({ start, end }: Range) => documentRange(text, { start: start + offset, end: end + offset });
      const at = place(typed.ast.root.range).start;
      // An action sets its variables in order.
      const before = own.filter(({ range }) => range.end <= at).map(({ name }) => name);
      checkReads(typed, { guarded, known: new Set([...scope.known, ...before]), place }, scope);
    }
    for (const { name } of own) scope.known.add(name);
  }
}

interface GuardedReads {
  /** Names whose presence the rule checks. */
  readonly guarded: Set<string>;
  readonly known: ReadonlySet<string>;
  readonly place: (range: Range) => Range;
}

function checkReads(
  typed: TypedAst,
  { guarded, known, place }: GuardedReads,
  { settings, reporter }: VariableScope,
): void {
  const found = readsIn(typed.ast.root, typed);
  for (const { name, isGuard } of found) if (isGuard) guarded.add(name);
  for (const { name, isGuard, range } of found) {
    if (isGuard || guarded.has(name) || known.has(name)) continue;
    const later = settings.find(one => one.name === name);
    const suggestion = later ? undefined : nearest(name, known);
    const why = later
      ? 'is set only later; move its `set-vars` to the front'
      : `is never set; ${suggestion === undefined ? 'set it in an earlier `set-vars`' : `did you mean \`${VARIABLES}.${suggestion}\`?`}`;
    reporter.report({
      code: 'policy/unset-variable',
      message: `\`${VARIABLES}.${name}\` ${why}`,
      range: place(range),
      args: { name, ...(suggestion !== undefined && { suggestion }) },
      ...(later && { related: [{ range: later.range, message: 'set here' }] }),
    });
  }
}

interface VariableRead {
  readonly name: string;
  readonly isGuard: boolean;
  readonly range: Range;
}

function readsIn(expr: Expr, typed: TypedAst): readonly VariableRead[] {
  const read = readOf(expr, typed);
  return [...(read ? [read] : []), ...childrenOf(expr).flatMap(child => readsIn(child, typed))];
}

/** Recognizes `vars.name`, `vars['name']`, and the guards `has(vars.name)` and `'name' in vars`. */
function readOf(expr: Expr, typed: TypedAst): VariableRead | undefined {
  const { range } = expr;
  if (expr.kind === 'select' && isVariables(expr.operand, typed))
    return { name: expr.field, isGuard: expr.testOnly, range };
  if (expr.kind !== 'call') return undefined;
  const [left, right] = expr.args;
  if (expr.function === '_[_]' && isVariables(left, typed)) return named(right, { isGuard: false, range });
  if (expr.function === '@in' && isVariables(right, typed)) return named(left, { isGuard: true, range });
  return undefined;
}

function named(key: Expr | undefined, read: Omit<VariableRead, 'name'>): VariableRead | undefined {
  if (key?.kind !== 'literal' || key.literal.type !== 'string') return undefined;
  return { name: key.literal.value, ...read };
}

function isVariables(expr: Expr | undefined, typed: TypedAst): boolean {
  return expr?.kind === 'ident' && expr.name === VARIABLES && typed.references[expr.id]?.kind === 'variable';
}
