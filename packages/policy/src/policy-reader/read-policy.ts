import { type EndpointKind, type Phase, PROFILES, type Profile, phasesAt } from '@tollgate/catalog';
import type { Diagnostic, Range } from '@tollgate/diagnostics';
import { type DocumentNode, entryOf, type MapNode } from '../document/model/document-node.ts';
import { contentRange } from '../document/model/mapped-text.ts';
import { Reporter } from '../document/model/reporter.ts';
import { checkCached } from '../expression/expression-cache.ts';
import { reportExpression } from '../expression/report-expression.ts';
import { reportTooMany } from '../model/list-limits.ts';
import type { Expression, Policy, Rule } from '../model/policy.ts';
import { asItems, asMap, asText, checkKeys, givenValue, isNothing, listed, reportType } from '../model/read-shape.ts';
import type { PolicyReading } from './policy-context.ts';
import { readActions } from './read-actions.ts';

/** Whole requests of the API and of its clients hold the policy under one of these keys. */
export const WRAPPERS = ['policy', 'module'];

const NO_RULES: Policy['rules'] = {
  inbound: [],
  outbound: [],
  on_tcp_connect: [],
  on_http_request: [],
  on_http_response: [],
  on_event_stream_message: [],
};

/** A rule of a document, and all that is wrong with it. */
export interface RuleReading {
  readonly phase: Phase;
  readonly range: Range;
  /** Undefined when it is no map. */
  readonly rule: Rule | undefined;
  readonly findings: readonly Diagnostic[];
}

/** A policy with what was found in each of its rules; what was found beside them is in the reporter of the reading. */
export interface PolicyInParts {
  readonly policy: Policy;
  readonly rules: readonly RuleReading[];
}

/** Reads a policy out of a document. Gives what could be understood, and reports the rest. */
export function readPolicy(root: DocumentNode, reading: PolicyReading): PolicyInParts | undefined {
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

/** The keys that a policy may have: those of all profiles, where nothing says which one it is of. */
function keysOf({ profile, isGuessed }: PolicyReading): readonly string[] {
  const profiles = isGuessed ? PROFILES : [profile];
  return [...new Set(profiles.flatMap(one => [...one.documentKeys, ...one.phases]))];
}

/** What a key is that only policies of another profile have. */
function phaseElsewhere(key: string, { profile: { name, phases } }: PolicyReading): string | undefined {
  const other = PROFILES.find(one => one.phases.some(phase => phase === key));
  if (!other || phases.some(phase => phase === key)) return undefined;
  return `\`${key}\` is a phase of the profile \`${other.name}\`, and this policy is read as \`${name}\`, which has ${listed(phases, 'and')}`;
}

/** The rules of each phase, in their order. */
export function rulesByPhase(readings: readonly RuleReading[]): Policy['rules'] {
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

function readRules(body: MapNode, phase: Phase, reading: PolicyReading): readonly RuleReading[] {
  const node = givenValue(body, phase);
  if (!node) return [];
  reportUnavailablePhase(entryOf(body, phase)!.keyRange, phase, reading);
  const items = asItems(node, `\`${phase}\``, reading);
  return items.map((item, index) => readRule(item, { phase, index }, reading));
}

function reportUnavailablePhase(range: Range, phase: Phase, { profile, endpoint, reporter }: PolicyReading): void {
  const available = phasesAt(profile, endpoint);
  if (available.includes(phase)) return;
  const message = `there is no \`${phase}\` on \`${endpoint}\`, only ${listed(available, 'and')}`;
  reporter.report({
    code: 'endpoint/phase-unavailable',
    message,
    range,
    args: { phase, endpoint, available, ...refusedAt(endpoint, phase) },
  });
}

/** Two kinds of endpoint that do read HTTP have numbers of their own for the phase of connections. */
function refusedAt(endpoint: EndpointKind, phase: Phase): { readonly refusal?: number } {
  if (phase !== 'on_tcp_connect') return {};
  if (endpoint === 'https-route') return { refusal: 2248 };
  return endpoint === 'internal-http-endpoint' ? { refusal: 2262 } : {};
}

/** Reads one rule by itself; the reporter of the reading is not told what is wrong with it. */
export function readRule(
  node: DocumentNode,
  at: { readonly phase: Phase; readonly index: number },
  reading: PolicyReading,
): RuleReading {
  const reporter = new Reporter(reading.uri, reading.reporter.limit);
  const rule = ruleOf(node, at, { ...reading, reporter });
  const findings = reporter.isEmpty ? NONE : findingsOf(reporter, at.phase, reading);
  return { phase: at.phase, range: node.range, rule, findings };
}

const NONE: readonly Diagnostic[] = [];

function findingsOf({ found }: Reporter, phase: Phase, { profile, endpoint }: PolicyReading): readonly Diagnostic[] {
  const isThere = phasesAt(profile, endpoint).includes(phase);
  return isThere ? found : found.filter(one => !FOLLOWING.test(one.code));
}

/** What only follows from a phase that is not there. */
const FOLLOWING = /^(?:endpoint|phase|name)\//;

const RULE_KEYS = ['name', 'expressions', 'actions'];

function ruleOf(node: DocumentNode, at: { phase: Phase; index: number }, reading: PolicyReading): Rule | undefined {
  const { reporter } = reading;
  const written = asMap(node, 'a rule', reporter);
  if (!written) return undefined;
  const map = checkKeys(actionInside(written, reporter), RULE_KEYS, { what: 'a rule', reporter });
  const nameNode = givenValue(map, 'name');
  const name = nameNode && asText(nameNode, '`name`', reporter);
  return {
    ...at,
    name: name && { value: name.value, range: contentRange(name.text) },
    range: map.range,
    expressions: readExpressions(map, at.phase, reading),
    actions: readActions(map, at.phase, reading),
  };
}

/** A rule whose action stands in it directly, as if the action stood below `actions`. */
function actionInside(rule: MapNode, reporter: Reporter): MapNode {
  const type = entryOf(rule, 'type');
  if (!type || entryOf(rule, 'actions')) return rule;
  reporter.report({
    code: 'policy/unknown-key',
    message: '`type` belongs to an action; put it below `actions`, behind a `-`',
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

function readExpressions(rule: MapNode, phase: Phase, reading: PolicyReading): readonly Expression[] {
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

function readExpression(node: DocumentNode, phase: Phase, reading: PolicyReading): Expression | undefined {
  const { reporter, profile, endpoint, environments } = reading;
  const unquoted = isUnquoted(node);
  if (unquoted) reportUnquoted(node, reading);
  const written = unquoted ? undefined : asText(node, 'an expression', reporter);
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

/** The comment that stands right behind an expression without quotes: the rest of it, when what is left has a syntax error. */
function cutOff(node: DocumentNode, document: string): Range | undefined {
  if (node.kind !== 'scalar' || node.style !== 'plain') return undefined;
  const { end } = node.range;
  const comment = /^( +)#[^\r\n]*/.exec(document.slice(end, end + LONGEST_COMMENT));
  return comment ? { start: end + comment[1]!.length, end: end + comment[0].trimEnd().length } : undefined;
}

const LONGEST_COMMENT = 1000;

function reportCutOff({ start }: Range, comment: Range, { reporter, document }: PolicyReading): void {
  const whole = { start, end: comment.end };
  const edits = [{ range: whole, newText: quoted(document.slice(start, comment.end)) }];
  reporter.report({
    code: 'yaml/comment-in-text',
    message: '` #` begins a comment in YAML, which cuts the expression off; put quotes around it',
    range: comment,
    args: {},
    fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits }],
  });
}

/** Whether YAML took an expression for something else: `- true` for a bool, `- a == ': '` for a map. */
function isUnquoted(node: DocumentNode): boolean {
  if (node.kind === 'scalar') return !isNothing(node) && typeof node.value !== 'string';
  return node.kind === 'map' && node.entries.length === 1 && node.entries[0]!.keyRange.start === node.range.start;
}

function reportUnquoted({ kind, range }: DocumentNode, { reporter, document }: PolicyReading): void {
  const written = document.slice(range.start, range.end).trimEnd();
  const why = kind === 'map' ? '; `: ` makes this a map, unless there are quotes around it' : '; put quotes around it';
  const edit = { range: { start: range.start, end: range.start + written.length }, newText: quoted(written) };
  reporter.report({
    code: 'policy/unquoted-expression',
    message: `an expression must be a text${why}`,
    range: edit.range,
    args: { value: written },
    ...(written.includes('\n')
      ? {}
      : { fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits: [edit] }] }),
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
