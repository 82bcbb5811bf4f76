import { type EndpointKind, type Phase, PROFILES, type Profile, phasesAt } from '@tollgate/catalog';
import { type Diagnostic, type Fix, type Range, singleQuoted } from '@tollgate/diagnostics';
import { type DocumentNode, entryOf, type MapNode, Reporter } from '../document/document-node.ts';
import { contentRange, type MappedText } from '../document/scalar-text.ts';
import { type Shift, shiftMap, shiftNode, shiftRange, shiftString } from '../document/select-part.ts';
import { reportExpression } from '../expressions/check-expression.ts';
import { checkCached } from '../expressions/expression-cache.ts';
import {
  type Action,
  type EmbeddedExpression,
  type Expression,
  type Policy,
  type PolicyContext,
  type Rule,
  reportTooMany,
  type Written,
} from './policy.ts';
import { readActions } from './read-actions.ts';
import { asItems, asMap, asString, checkKeys, givenValue, isNothing, listed, reportType } from './read-shape.ts';

/** API requests contain the policy under one of these keys. */
export const WRAPPERS = ['policy', 'module'];

/** The rules of an empty policy. */
export const NO_RULES: Policy['rules'] = {
  inbound: [],
  outbound: [],
  on_tcp_connect: [],
  on_http_request: [],
  on_http_response: [],
  on_event_stream_message: [],
};

/** A rule with its diagnostics. */
export interface RuleWithDiagnostics {
  readonly phase: Phase;
  readonly range: Range;
  /** The item of the list. */
  readonly node: DocumentNode;
  /** Undefined if it is not a map. */
  readonly rule: Rule | undefined;
  readonly findings: readonly Diagnostic[];
}

/** A policy with the diagnostics of each rule; all others are in the context's reporter. */
export interface PolicyInParts {
  readonly policy: Policy;
  readonly rules: readonly RuleWithDiagnostics[];
}

/** Reads the policy in a document. Returns the parts that could be read, and reports the rest. */
export function readPolicy(root: DocumentNode, reading: PolicyContext): PolicyInParts | undefined {
  const { reporter, profile, uri, endpoint } = reading;
  const map = asMap(root, 'a policy', reporter);
  if (!map) return undefined;
  const written = unwrap(map, profile, reporter);
  const known = keysOf(reading);
  const explain = (key: string) => phaseElsewhere(key, reading);
  const body = checkKeys(written, known, { what: 'a policy', reporter, explain });
  const rules = profile.phases.flatMap(phase => readRules(body, phase, reading));
  reportTooMany(rules, 'maxRules', reading);
  const enabled = readEnabled(body, reporter);
  const policy = { uri, endpoint, range: body.range, node: body, enabled, rules: rulesByPhase(rules) };
  return { policy, rules };
}

/** Returns the keys that a policy may have: those of all profiles if the profile is only a guess. */
function keysOf({ profile, isGuessed }: PolicyContext): readonly string[] {
  const profiles = isGuessed ? PROFILES : [profile];
  return [...new Set(profiles.flatMap(one => [...one.documentKeys, ...one.phases]))];
}

/** Explains a key that only policies of another profile have. */
function phaseElsewhere(key: string, { profile: { name, phases } }: PolicyContext): string | undefined {
  const other = PROFILES.find(one => one.phases.some(phase => phase === key));
  if (!other || phases.some(phase => phase === key)) return undefined;
  return `\`${key}\` is a phase of the profile \`${other.name}\`, and this policy is read as \`${name}\`, which has ${listed(phases, 'and')}`;
}

/** Groups rules by phase, in order. */
export function rulesByPhase(readings: readonly RuleWithDiagnostics[]): Policy['rules'] {
  const found = new Map<Phase, Rule[]>();
  for (const { phase, rule } of readings) {
    const rules = found.get(phase) ?? [];
    if (rule) rules.push(rule);
    found.set(phase, rules);
  }
  return { ...NO_RULES, ...Object.fromEntries(found) };
}

function unwrap(map: MapNode, profile: Profile, reporter: Reporter): MapNode {
  if (map.entries.some(({ key }) => [...profile.documentKeys, ...profile.phases].includes(key as Phase))) return map;
  const wrapper = WRAPPERS.find(key => givenValue(map, key)?.kind === 'map');
  if (wrapper === undefined) return map;
  const inner = asMap(entryOf(map, wrapper)!.value, `\`${wrapper}\``, reporter)!;
  checkKeys(map, [wrapper, 'id', 'edge_id'], { what: 'a request with a policy', reporter });
  return inner;
}

function readEnabled(body: MapNode, reporter: Reporter): boolean {
  const node = givenValue(body, 'enabled');
  if (!node) return true;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  reportType(reporter, node, { what: '`enabled`', expected: '`true` or `false`' });
  return true;
}

function readRules(body: MapNode, phase: Phase, reading: PolicyContext): readonly RuleWithDiagnostics[] {
  const node = givenValue(body, phase);
  if (!node) return [];
  reportUnavailablePhase(entryOf(body, phase)!.keyRange, phase, reading);
  const items = asItems(node, `\`${phase}\``, reading);
  return items.map((item, index) => readRule(item, { phase, index }, reading));
}

function reportUnavailablePhase(range: Range, phase: Phase, { profile, endpoint, reporter }: PolicyContext): void {
  const available = phasesAt(profile, endpoint);
  if (available.includes(phase)) return;
  const message = `no phase \`${phase}\` on \`${endpoint}\`; use ${listed(available, 'or')}`;
  reporter.report({
    code: 'endpoint/phase-unavailable',
    message,
    range,
    args: { phase, endpoint, available, ...refusedAt(endpoint, phase) },
  });
}

/** Two endpoint kinds that read HTTP have their own error numbers for the connection phase. */
function refusedAt(endpoint: EndpointKind, phase: Phase): { readonly refusal?: number } {
  if (phase !== 'on_tcp_connect') return {};
  if (endpoint === 'https-route') return { refusal: 2248 };
  return endpoint === 'internal-http-endpoint' ? { refusal: 2262 } : {};
}

/** Reads one rule. Its diagnostics are returned, not sent to the context's reporter. */
export function readRule(
  node: DocumentNode,
  at: { readonly phase: Phase; readonly index: number },
  reading: PolicyContext,
): RuleWithDiagnostics {
  const reporter = new Reporter(reading.uri, reading.reporter.limit);
  const rule = ruleOf(node, at, { ...reading, reporter });
  const findings = reporter.isEmpty ? NO_DIAGNOSTICS : findingsOf(reporter, at.phase, reading);
  return { phase: at.phase, range: node.range, node, rule, findings };
}

const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

function findingsOf({ found }: Reporter, phase: Phase, { profile, endpoint }: PolicyContext): readonly Diagnostic[] {
  const isThere = phasesAt(profile, endpoint).includes(phase);
  return isThere ? found : found.filter(one => !FOLLOWING.test(one.code));
}

/** Codes of errors that an unavailable phase causes, which are therefore not reported again. */
const FOLLOWING = /^(?:endpoint|phase|name)\//;

const RULE_KEYS = ['name', 'expressions', 'actions'];

function ruleOf(node: DocumentNode, at: { phase: Phase; index: number }, reading: PolicyContext): Rule | undefined {
  const { reporter } = reading;
  const written = asMap(node, 'a rule', reporter);
  if (!written) return undefined;
  const map = checkKeys(actionInside(written, reporter), RULE_KEYS, { what: 'a rule', reporter });
  const nameNode = givenValue(map, 'name');
  const name = nameNode && asString(nameNode, '`name`', reporter);
  return {
    ...at,
    name: name && { value: name.value, range: contentRange(name.text) },
    range: map.range,
    expressions: readExpressions(map, at.phase, reading),
    actions: readActions(map, at.phase, reading),
  };
}

/** Returns a rule that is written like an action with that action moved below `actions`. */
function actionInside(rule: MapNode, reporter: Reporter): MapNode {
  const type = entryOf(rule, 'type');
  if (!type || entryOf(rule, 'actions')) return rule;
  reporter.report({
    code: 'policy/unknown-key',
    message: '`type` belongs to an action; put it below `actions`, after a `-`',
    range: type.keyRange,
    args: { key: 'type', known: RULE_KEYS },
  });
  const ofAction = rule.entries.filter(({ key }) => key === 'type' || key === 'config');
  const { range } = rule;
  const item: DocumentNode = { kind: 'map', range, entries: ofAction };
  const actions: DocumentNode = { kind: 'list', range, items: [item] };
  const others = rule.entries.filter(entry => !ofAction.includes(entry));
  return { ...rule, entries: [...others, { key: 'actions', keyRange: type.keyRange, value: actions }] };
}

function readExpressions(rule: MapNode, phase: Phase, reading: PolicyContext): readonly Expression[] {
  const node = givenValue(rule, 'expressions');
  if (!node) return [];
  const items = asItems(node, '`expressions`', reading);
  reportTooMany(items, 'maxExpressions', reading);
  const expressions: Expression[] = [];
  for (const item of items) {
    const expression = readExpression(item, phase, reading);
    if (expression) expressions.push(expression);
  }
  return expressions;
}

function readExpression(node: DocumentNode, phase: Phase, reading: PolicyContext): Expression | undefined {
  const { reporter, profile, endpoint, environments } = reading;
  const unquoted = isUnquoted(node);
  if (unquoted) reportUnquoted(node, reading);
  const written = unquoted ? undefined : asString(node, 'an expression', reporter);
  if (!written) return undefined;
  const { value: source, range, text } = written;
  const place = { endpoint, phase };
  const { typed, diagnostics } = checkCached(
    source,
    { profile, place, environment: environments[phase] },
    reading.expressions,
  );
  if (diagnostics.length === 0) return { source, range, text, typed };
  const cut = diagnostics.some(one => one.code.startsWith('syntax/')) && cutOff(node, reading.document);
  if (cut) reportCutOff(range, cut, reading);
  else for (const diagnostic of diagnostics) reportExpression(diagnostic, text, reading);
  return { source, range, text, typed };
}

/** Returns the comment right after an unquoted expression, which is probably the rest of it. */
function cutOff(node: DocumentNode, document: string): Range | undefined {
  if (node.kind !== 'scalar' || node.style !== 'plain') return undefined;
  const { end } = node.range;
  const comment = /^( +)#[^\r\n]*/.exec(document.slice(end, end + LONGEST_COMMENT));
  return comment ? { start: end + comment[1]!.length, end: end + comment[0].trimEnd().length } : undefined;
}

const LONGEST_COMMENT = 1000;

function reportCutOff({ start }: Range, comment: Range, { reporter, document }: PolicyContext): void {
  const whole = { start, end: comment.end };
  const edits = [{ range: whole, newText: singleQuoted(document.slice(start, comment.end)) }];
  reporter.report({
    code: 'yaml/comment-in-text',
    message: 'expression cut off by ` #`, which begins a comment in YAML; put quotes around it',
    range: comment,
    args: {},
    fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits }],
  });
}

/** Returns true if YAML reads an expression as another type: `- true` as a boolean, `- a == ': '` as a map. */
function isUnquoted(node: DocumentNode): boolean {
  if (node.kind === 'scalar') return !isNothing(node) && typeof node.value !== 'string';
  return node.kind === 'map' && node.entries.length === 1 && node.entries[0]!.keyRange.start === node.range.start;
}

function reportUnquoted({ kind, range }: DocumentNode, { reporter, document }: PolicyContext): void {
  const written = document.slice(range.start, range.end).trimEnd();
  const why =
    kind === 'map' ? ', found a map; put quotes around an expression that contains `: `' : '; put quotes around it';
  const edit = { range: { start: range.start, end: range.start + written.length }, newText: singleQuoted(written) };
  reporter.report({
    code: 'policy/unquoted-expression',
    message: `an expression must be a string${why}`,
    range: edit.range,
    args: { value: written },
    ...(written.includes('\n')
      ? {}
      : { fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits: [edit] }] }),
  });
}

/** Returns a rule and its diagnostics with their ranges shifted. */
export function shiftReading(
  { phase, range, node, rule, findings }: RuleWithDiagnostics,
  shift: Shift,
): RuleWithDiagnostics {
  return {
    phase,
    range: shiftRange(range, shift),
    node: shiftNode(node, shift),
    rule: rule && shiftRule(rule, shift),
    findings: findings.map(finding => shiftDiagnostic(finding, shift)),
  };
}

/** Returns a diagnostic with all its ranges shifted. */
export function shiftDiagnostic(diagnostic: Diagnostic, shift: Shift): Diagnostic {
  const { range, related, fixes } = diagnostic;
  return {
    ...diagnostic,
    range: shiftRange(range, shift),
    ...(related && { related: related.map(one => ({ ...one, range: shiftRange(one.range, shift) })) }),
    ...(fixes && { fixes: fixes.map(fix => shiftFix(fix, shift)) }),
  };
}

function shiftFix(fix: Fix, shift: Shift): Fix {
  return { ...fix, edits: fix.edits.map(edit => ({ ...edit, range: shiftRange(edit.range, shift) })) };
}

function shiftRule({ phase, index, name, range, expressions, actions }: Rule, shift: Shift): Rule {
  return {
    phase,
    index,
    name: name && shiftWritten(name, shift),
    range: shiftRange(range, shift),
    expressions: expressions.map(expression => shiftExpression(expression, shift)),
    actions: actions.map(action => shiftAction(action, shift)),
  };
}

function shiftWritten({ value, range }: Written, shift: Shift): Written {
  return { value, range: shiftRange(range, shift) };
}

/** The tree is unchanged: its ranges are relative to the expression. */
function shiftExpression({ source, range, text, typed }: Expression, shift: Shift): Expression {
  return { source, range: shiftRange(range, shift), text: shiftString(text, shift), typed };
}

function shiftAction({ type, range, fact, config, configNode, expressions }: Action, shift: Shift): Action {
  const shifted = configNode && shiftMap(configNode, shift);
  return {
    type: shiftWritten(type, shift),
    range: shiftRange(range, shift),
    fact,
    config,
    configNode: shifted,
    expressions: expressions.length === 0 ? expressions : inTexts(expressions, textsIn(configNode), textsIn(shifted)),
  };
}

/** Returns the expressions with the strings of the shifted configuration, which are in the same order. */
function inTexts(
  expressions: readonly EmbeddedExpression[],
  before: readonly MappedText[],
  after: readonly MappedText[],
): readonly EmbeddedExpression[] {
  return expressions.map(one => ({ ...one, text: after[before.indexOf(one.text)]! }));
}

function textsIn(node: DocumentNode | undefined): readonly MappedText[] {
  if (node?.kind === 'scalar') return node.text ? [node.text] : [];
  if (node?.kind === 'list') return node.items.flatMap(textsIn);
  return node?.kind === 'map' ? node.entries.flatMap(({ value }) => textsIn(value)) : [];
}
