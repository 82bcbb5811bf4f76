import {
  type ActionFact,
  type ConfigField,
  type ConfigType,
  type EndpointKind,
  FINAL_ACTIONS,
  isAvailable,
  type Phase,
  type Profile,
  type ProfileSwitches,
  terminationOf,
} from '@tollgate/catalog';
import { check, parse } from '@tollgate/cel';
import { ownValue, type Range, type TextEdit } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  entryOf,
  type ListNode,
  type MapEntryNode,
  type MapNode,
} from '../document/document-node.ts';
import { applyEdits, editScalar, removeEntries, removeItems, replaceScalar, sortEdits } from '../document/edits.ts';
import { documentRange, type MappedText } from '../document/scalar-text.ts';
import { findInterpolations } from '../expressions/interpolation.ts';
import type { PhaseEnvironments } from '../expressions/phase-environment.ts';
import type { Action, Policy, Rule } from '../rules/policy.ts';
import { givenValue } from '../rules/read-shape.ts';
import { type Counterparts, type Loss, type RewrittenExpression, rewriteExpression } from './rewrite-expression.ts';

/** Migrates the policy in a document. */
export function migrateDocument(migrating: MigrationState, policy: Policy): void {
  const body = policy.node;
  if (!migrating.isPart && isInside(migrating.document, policy)) reportRequest(migrating, policy);
  const removed = body.entries.filter(entry => isRemoved(migrating, entry));
  // A document must not be empty.
  const emptied = removed.length === body.entries.length ? removed.at(-1) : undefined;
  if (emptied) migrating.edits.push(emptiedEntry(migrating, emptied));
  const edits = removeEntries(
    migrating.document,
    body,
    removed.filter(entry => entry !== emptied),
  );
  edits.forEach((edit, index) => {
    editOrGiveUp(migrating, edit, removed[index]!.keyRange, `\`${removed[index]!.key}\``);
  });
  for (const phase of migrating.from.phases) migratePhase(migrating, body, policy.rules[phase], phase);
  reportResponsePhase(migrating, policy);
}

/** Returns true if anything but comments and markers precedes the policy in its document. */
function isInside(document: string, { range }: Policy): boolean {
  const marker = document.lastIndexOf('\n---', range.start);
  const before = document.slice(Math.max(marker, 0), range.start).replace(/^\ufeff/, '');
  return before.replace(/^(?:#|---|%).*$|[ \t]#.*$/gm, '').trim() !== '';
}

function reportRequest(migrating: MigrationState, { range }: Policy): void {
  lose(migrating, {
    code: 'migrate/request',
    message:
      'policy inside a request, which stays unchanged; put the migrated policy in `traffic_policy` as one string',
    range: { start: range.start, end: range.start },
  });
}

/** Returns true if the new profile has no such entry, and reports the loss. */
function isRemoved(migrating: MigrationState, entry: MapEntryNode): boolean {
  const { from, to } = migrating;
  if (entry.key === 'enabled' && !to.documentKeys.includes('enabled')) {
    reportDisabled(migrating, entry);
    return true;
  }
  const phase = from.phases.find(one => one === entry.key);
  if (phase === undefined || newPhase(migrating, phase) !== undefined) return false;
  reportPhase(migrating, entry);
  return true;
}

function reportDisabled(migrating: MigrationState, entry: MapEntryNode): void {
  if (entry.value.kind !== 'scalar' || entry.value.value !== false) return;
  lose(migrating, {
    code: 'migrate/enabled',
    message: 'the new profile cannot disable a policy in its document; detach it, or it will be applied',
    range: entry.keyRange,
  });
}

/** Connections have no response; response rules could only log. */
function reportPhase(migrating: MigrationState, entry: MapEntryNode): void {
  if (entry.value.kind !== 'list' || entry.value.items.length === 0) return;
  lose(migrating, {
    code: 'migrate/dropped-phase',
    message: `\`${entry.key}\` has no counterpart on \`${migrating.endpoint}\`, so its rules are removed`,
    range: entry.keyRange,
    args: { phase: entry.key, endpoint: migrating.endpoint },
  });
}

/** Returns the edit that turns the entry into a phase without rules. */
function emptiedEntry(migrating: MigrationState, { keyRange, value }: MapEntryNode): TextEdit {
  const { document } = migrating;
  const end = keyRange.end + document.slice(keyRange.end, Math.max(value.range.end, keyRange.end)).trimEnd().length;
  const quote = /["']/.exec(document[keyRange.start - 1] ?? '')?.[0] ?? '';
  // An omitted value may come without a colon.
  const isWhole = document.slice(keyRange.end, end).includes(':');
  const range = { start: keyRange.start, end: isWhole ? end : endOfColon(document, keyRange.end) };
  return { range, newText: `${newPhase(migrating, 'inbound')}${quote}: []` };
}

function endOfColon(document: string, from: number): number {
  return document.indexOf(':', from) + 1;
}

function migratePhase(migrating: MigrationState, body: MapNode, rules: readonly Rule[], phase: Phase): void {
  const entry = entryOf(body, phase);
  const target = newPhase(migrating, phase);
  if (!entry || target === undefined) return;
  if (target !== phase) migrating.edits.push({ range: entry.keyRange, newText: target });
  const list = entry.value;
  if (list.kind !== 'list') return;
  const removed = rules.flatMap(rule => migrateRule(migrating, list, rule, target) ?? []);
  removeItems(migrating.document, list, removed).forEach((edit, index) => {
    editOrGiveUp(migrating, edit, removed[index]!.range, 'this rule');
  });
}

/** Migrates a rule. Returns its list item if no action is left. */
function migrateRule(migrating: MigrationState, list: ListNode, rule: Rule, phase: Phase): MapNode | undefined {
  const item = list.items.find(one => one.range.start === rule.range.start);
  if (item?.kind !== 'map') return undefined;
  if (migrateActions(migrating, rule, item, phase)) return item;
  for (const { typed, text } of rule.expressions) {
    if (!typed) continue;
    const rewritten = rewriteExpression(typed, migrating.environments[rule.phase], migrating.counterparts);
    addExpression(migrating, text, rewritten);
  }
  return undefined;
}

/** Profiles differ in whether response rules run on the edge's own answers. */
function reportResponsePhase({ from, to, ...migrating }: MigrationState, policy: Policy): void {
  if (from.switches.responsePhaseAfterAnswer === to.switches.responsePhaseAfterAnswer) return;
  if (policy.rules.outbound.length === 0) return;
  const answer = policy.rules.inbound.flatMap(rule => rule.actions).find(mayAnswer);
  if (!answer) return;
  lose(
    { from, to, ...migrating },
    {
      code: 'migrate/response-phase',
      message: 'response rules did not run on this answer, and now do',
      range: answer.type.range,
    },
  );
}

function mayAnswer(action: Action): boolean {
  return !FINAL_ACTIONS.has(action.type.value) && action.fact !== undefined && terminationOf(action) !== 'never';
}

/** The state of a migration: its input, and the edits and losses so far. */
export interface MigrationState {
  readonly document: string;
  readonly from: Profile;
  readonly to: Profile;
  readonly endpoint: EndpointKind;
  /** The environments of the old profile. */
  readonly environments: PhaseEnvironments;
  readonly counterparts: Counterparts;
  /** True if the policy is a part of a larger document. */
  readonly isPart: boolean;
  /** With ranges of the document. */
  readonly edits: TextEdit[];
  readonly losses: Loss[];
}

/** Returns the new profile's counterpart of a phase, or undefined. */
function newPhase({ to, endpoint }: MigrationState, phase: Phase): Phase | undefined {
  if (to.phases.includes(phase)) return phase;
  if (phase === 'outbound') return endpoint === 'https-route' ? 'on_http_response' : undefined;
  return endpoint === 'https-route' ? 'on_http_request' : 'on_tcp_connect';
}

/** Adds the edits and losses of an expression, mapped to the document. */
function addExpression(migrating: MigrationState, text: MappedText, { edits, losses }: RewrittenExpression): void {
  migrating.edits.push(...editScalar(migrating.document, text, edits));
  for (const loss of losses) migrating.losses.push({ ...loss, range: documentRange(text, loss.range) });
}

/** Records a loss. */
function lose(migrating: MigrationState, loss: Omit<Loss, 'severity' | 'args'> & Partial<Loss>): void {
  migrating.losses.push({ severity: 'warning', args: {}, ...loss });
}

/** Adds an edit, or reports that it must be made by hand. */
function editOrGiveUp(migrating: MigrationState, edit: TextEdit | undefined, range: Range, what: string): void {
  if (edit) migrating.edits.push(edit);
  else
    lose(migrating, {
      code: 'migrate/by-hand',
      severity: 'error',
      message: `cannot remove ${what} safely; remove it by hand`,
      range,
    });
}

/** Migrates the actions of a rule. Returns true if none is left, so that the rule must be removed. */
function migrateActions(migrating: MigrationState, rule: Rule, node: MapNode, phase: Phase): boolean {
  const dropped = rule.actions.filter(action => isWithoutEffect(action, rule.phase, migrating.from.name));
  for (const action of dropped) {
    const message = `removed \`${action.type.value}\`, which had no effect in \`${rule.phase}\``;
    lose(migrating, {
      code: 'migrate/dropped-action',
      message,
      range: action.type.range,
      args: { action: action.type.value },
    });
  }
  if (dropped.length === rule.actions.length && dropped.length > 0) return true;
  removeActions(migrating, dropped, node);
  for (const action of rule.actions) {
    if (!dropped.includes(action)) migrateAction(migrating, action, { from: rule.phase, to: phase });
  }
  return false;
}

/** Compressing a response that does not exist yet was accepted and did nothing. */
function isWithoutEffect(action: Action, phase: Phase, profile: string): boolean {
  return profile.startsWith('edge-v2') && action.type.value === 'compress-response' && phase === 'inbound';
}

function removeActions(migrating: MigrationState, dropped: readonly Action[], rule: MapNode): void {
  const list = givenValue(rule, 'actions');
  if (list?.kind !== 'list') return;
  const items = list.items.filter(item => dropped.some(action => action.range.start === item.range.start));
  removeItems(migrating.document, list, items).forEach((edit, index) => {
    editOrGiveUp(migrating, edit, items[index]!.range, 'this action');
  });
}

function migrateAction(migrating: MigrationState, action: Action, phases: { from: Phase; to: Phase }): void {
  const { type, fact, configNode } = action;
  const target = migrating.to.actions.find(one => one.type === type.value);
  if (!fact) return;
  if (!target || !isAvailable(target, { endpoint: migrating.endpoint, phase: phases.to })) {
    const message = `\`${type.value}\` has no counterpart in \`${phases.to}\``;
    lose(migrating, { code: 'migrate/no-counterpart', severity: 'error', message, range: type.range });
    return;
  }
  migrateConfig(migrating, configNode, { from: fact, to: target, phases, range: type.range });
  reportUserAgent(migrating, action);
}

/** In the new profile, actions cannot change this header. */
function reportUserAgent(migrating: MigrationState, { type, configNode }: Action): void {
  if (!['add-headers', 'remove-headers'].includes(type.value) || migrating.to.name !== 'modern') return;
  const headers = configNode && givenValue(configNode, 'headers');
  const ranges =
    headers?.kind === 'map'
      ? headers.entries.filter(one => one.key.toLowerCase() === 'user-agent').map(one => one.keyRange)
      : headers?.kind === 'list'
        ? headers.items.flatMap(one => (one.kind === 'scalar' && isUserAgent(one.value) ? [one.range] : []))
        : [];
  for (const range of ranges) {
    const message = `\`${type.value}\` can no longer change \`User-Agent\``;
    lose(migrating, { code: 'migrate/no-counterpart', severity: 'error', message, range });
  }
}

function isUserAgent(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'user-agent';
}

/** Keys with another name in the new profile, by action. */
export const RENAMED_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'custom-response': { content: 'body' },
};

/** An action that both profiles have, and its phases. */
interface ActionPair {
  readonly from: ActionFact;
  readonly to: ActionFact;
  /** Its phase in the old and in the new profile. */
  readonly phases: { readonly from: Phase; readonly to: Phase };
  /** Range of its type. */
  readonly range: Range;
}

/** Migrates the configuration of an action. */
function migrateConfig(migrating: MigrationState, config: MapNode | undefined, pair: ActionPair): void {
  for (const entry of config?.entries ?? []) {
    const field = pair.from.config.find(one => one.name === entry.key);
    const name = ownValue(ownValue(RENAMED_KEYS, pair.from.type) ?? {}, entry.key) ?? entry.key;
    const target = pair.to.config.find(one => one.name === name);
    if (name !== entry.key) migrating.edits.push({ range: entry.keyRange, newText: name });
    if (field && target) migrateValue(migrating, entry.value, { from: field, to: target, pair });
  }
  for (const field of pair.from.config) {
    if (!config || !givenValue(config, field.name)) migrateDefault(migrating, config, { field, pair });
  }
}

interface FieldPair {
  readonly from: ConfigField;
  readonly to: ConfigField;
  readonly pair: ActionPair;
}

function migrateValue(migrating: MigrationState, node: DocumentNode, fields: FieldPair): void {
  const { from, to, pair } = fields;
  if (node.kind === 'scalar' && typeof node.value === 'number') migrateNumber(migrating, node, fields);
  else if (from.type.kind === 'object' && to.type.kind === 'object' && node.kind === 'map') {
    migrateFields(migrating, node, [from.type, to.type], pair);
  } else if (from.type.kind === 'list' && to.type.kind === 'list' && node.kind === 'list') {
    const item = { from: { ...from, type: from.type.of }, to: { ...to, type: to.type.of }, pair };
    for (const one of node.items) migrateValue(migrating, one, item);
  } else for (const text of stringsOf(node)) migrateText(migrating, text, fields);
}

function migrateFields(
  migrating: MigrationState,
  { entries }: MapNode,
  [from, to]: readonly [ConfigType & { kind: 'object' }, ConfigType & { kind: 'object' }],
  pair: ActionPair,
): void {
  for (const { key, value } of entries) {
    const field = from.fields.find(one => one.name === key);
    const target = to.fields.find(one => one.name === key);
    if (field && target) migrateValue(migrating, value, { from: field, to: target, pair });
  }
}

type StringNode = Extract<DocumentNode, { kind: 'scalar' }>;

/** Returns the strings in a value, without keys. */
function stringsOf(node: DocumentNode): readonly StringNode[] {
  if (node.kind === 'list') return node.items.flatMap(stringsOf);
  if (node.kind === 'map') return node.entries.flatMap(entry => stringsOf(entry.value));
  return node.kind === 'scalar' && node.text ? [node] : [];
}

function migrateText(migrating: MigrationState, node: StringNode, { from, to, pair }: FieldPair): void {
  const { value, text } = node;
  if (!text || typeof value !== 'string') return;
  if (to.type.kind === 'expression') migrateBareExpression(migrating, node, pair.phases.from);
  else if (from.interpolation?.endsWith('expressions')) {
    const hasVariables = from.interpolation.startsWith('captures');
    migrateInterpolatedString(migrating, node, { phase: pair.phases.from, hasVariables });
  } else if (from.interpolation === 'captures-and-request') {
    migrating.edits.push(...replaceScalar(migrating.document, text, convertReplacement(value, false)));
  } else if (from.interpolation === 'path-templates') migrateTemplate(migrating, node);
  else if (from.interpolation === undefined && to.interpolation !== undefined) {
    const escaped = escapeString(value, migrating.to.switches.interpolationEscape);
    migrating.edits.push(...replaceScalar(migrating.document, text, escaped));
  }
}

/** Migrates a string that is an expression, such as a rate limit's key. */
function migrateBareExpression(migrating: MigrationState, { value, text }: StringNode, phase: Phase): void {
  const environment = migrating.environments[phase];
  const { typed, diagnostics } = check(parse(String(value), environment).ast, environment);
  if (diagnostics.length > 0) return;
  addExpression(migrating, text!, rewriteExpression(typed, environment, migrating.counterparts));
}

function migrateTemplate(migrating: MigrationState, { value, text }: StringNode): void {
  const converted = convertTemplate(String(value), migrating.to.switches.interpolationEscape);
  migrating.edits.push(...replaceScalar(migrating.document, text!, converted.text));
  for (const { written, why } of converted.losses) {
    const start = String(value).indexOf(written);
    lose(migrating, {
      code: why === undefined ? 'migrate/no-counterpart' : 'migrate/template',
      severity: why === undefined ? 'error' : 'warning',
      message:
        why === undefined ? `\`${written}\` has no counterpart` : `the counterpart of \`${written}\` differs: ${why}`,
      range: documentRange(text!, { start, end: start + written.length }),
      args: { written },
    });
  }
}

/** Replaces a number that the new profile does not allow by its default. */
function migrateNumber(migrating: MigrationState, { value, range }: StringNode, { from, to }: FieldPair): void {
  if (takesNumber(to.type, Number(value)) || to.default === undefined) return;
  migrating.edits.push({ range, newText: String(to.default) });
  lose(migrating, {
    code: 'migrate/number',
    message: `\`${from.name}\` can no longer be ${value}, and becomes ${to.default}`,
    range,
    args: { key: from.name, before: String(value), after: String(to.default) },
  });
}

function takesNumber(type: ConfigType, value: number): boolean {
  if (type.kind !== 'int' && type.kind !== 'number') return true;
  const values = type.kind === 'int' ? type.values : undefined;
  return value >= type.min && value <= type.max && (values?.includes(value) ?? true);
}

/** Adds an omitted key whose default has changed. */
function migrateDefault(
  migrating: MigrationState,
  config: MapNode | undefined,
  { field, pair }: { readonly field: ConfigField; readonly pair: ActionPair },
): void {
  const target = pair.to.config.find(one => one.name === field.name);
  const isHere = field.endpoints?.includes(migrating.endpoint) ?? true;
  if (!target || !isHere || typeof field.default !== 'number' || target.default === field.default) return;
  const entry: MapEntryNode | undefined = config?.entries[0];
  lose(migrating, {
    code: 'migrate/default',
    message: `\`${field.name}\` of \`${pair.from.type}\` defaulted to ${field.default}, and now defaults to ${target.default}`,
    range: config && entry ? entry.keyRange : pair.range,
    args: { key: field.name, before: String(field.default), after: String(target.default) },
  });
}

/**
 * Returns the edits without duplicates and nested ones, which aliases cause. If two edits of one range
 * conflict, keeps the first and reports the other.
 */
export function separateEdits(migrating: MigrationState): readonly TextEdit[] {
  const kept: TextEdit[] = [];
  for (const edit of sortEdits(migrating.edits)) {
    const last = kept.at(-1);
    if (!last || edit.range.start >= last.range.end) kept.push(edit);
    else if (isRemoval(last) && edit.range.end <= last.range.end) continue;
    else if (isRemoval(edit) && edit.range.start === last.range.start) kept[kept.length - 1] = edit;
    else if (!isSame(edit, last)) reportConflict(migrating, edit);
  }
  return kept;
}

/** What is removed leaves nothing behind but its comments. */
function isRemoval({ newText }: TextEdit): boolean {
  return newText.replaceAll(/#.*/g, '').trim() === '';
}

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.range.start === b.range.start && a.range.end === b.range.end && a.newText === b.newText;
}

function reportConflict(migrating: MigrationState, { range }: TextEdit): void {
  const message = 'the value behind an alias would need two different edits; write it out instead of using an alias';
  lose(migrating, { code: 'migrate/by-hand', severity: 'error', message, range });
}

/** A string converted to the new profile, and the parts without a counterpart. */
interface ConvertedString {
  readonly text: string;
  readonly losses: readonly { readonly written: string; readonly why?: string }[];
}

const AUTHORITY = 'req.url.host + (has(req.url.port) ? ":" + string(req.url.port) : "")';

/** The variables of `edge-v2` URL replacements, as expressions. */
const REQUEST_VARIABLES: Readonly<Record<string, string>> = {
  args: 'req.url.query',
  query_string: 'req.url.query',
  is_args: 'req.url.query != "" ? "?" : ""',
  uri: 'req.url.uri',
  scheme: 'req.url.scheme',
  host: 'req.url.host',
  port: 'has(req.url.port) ? string(req.url.port) : ""',
  authority: AUTHORITY,
  user: 'req.url.user_password',
  is_user: 'req.url.user_password != "" ? "@" : ""',
};

/** In a string that already has expressions: variables without braces. */
const VARIABLE_OUTSIDE = /\$\$|\$([\p{L}\p{Nd}_]+)/gu;

const REFERENCE = /\$\$|\$([\p{L}\p{Nd}_]+)|\$\{([\p{L}\p{Nd}_]+)\}|\$(?=\{)/gu;

/**
 * Converts a URL replacement to `modern`: request variables become expressions. Capture groups stay: expressions are
 * filled in first, then the replacement is expanded, as variables were.
 */
function convertReplacement(to: string, isFilled: boolean): string {
  return to.replace(
    isFilled ? VARIABLE_OUTSIDE : REFERENCE,
    (written, name: string | undefined, braced: string | undefined, offset: number) => {
      const next = to[offset + written.length] ?? '';
      if (name !== undefined) return variable(name) ?? written;
      if (braced !== undefined) return /[\p{L}\p{Nd}_]/u.test(next) ? literal(written) : `$${braced}`;
      return next === '{' ? literal(written) : written;
    },
  );
}

function variable(name: string): string | undefined {
  if (Object.hasOwn(REQUEST_VARIABLES, name)) return `\${${REQUEST_VARIABLES[name]}}`;
  if (!name.startsWith('arg_')) return undefined;
  const parameter = JSON.stringify(name.slice('arg_'.length));
  return `\${hasQueryParam(${parameter}) ? getQueryParam(${parameter})[0] : ""}`;
}

/** Returns an interpolation of a literal string, which keeps `$` and braces as they are. */
function literal(text: string): string {
  return `\${${JSON.stringify(text)}}`;
}

/** The paths in header templates, as expressions of `modern`. */
const TEMPLATE_PATHS: Readonly<Record<string, string>> = {
  'conn.bytes_in': 'conn.bytes_in',
  'conn.bytes_out': 'conn.bytes_out',
  'conn.client_ip': 'conn.client_ip',
  'conn.server_ip': 'conn.server_ip',
  'conn.server_port': 'conn.server_port',
  'conn.start_ts': 'conn.ts.start',
  'http.request.method': 'req.method',
  'http.request.url.host': 'req.url.host',
  'http.request.url.path': 'req.url.path',
  'http.request.url.query': 'req.url.query',
  'http.request.url.raw': 'req.url',
  'http.request.user_agent': 'hasReqHeader("user-agent") ? getReqHeader("user-agent")[0] : ""',
  'http.request.version': 'req.version',
  'http.response.status_code': 'res.status_code',
  'ngrok.client_ip': 'conn.client_ip',
  'ngrok.geo.country_code': 'conn.geo.country_code',
  'ngrok.geo.lat_long_radius_km': 'conn.geo.radius',
  'ngrok.geo.latitude': 'conn.geo.latitude',
  'ngrok.geo.longitude': 'conn.geo.longitude',
  'oauth.user.email': 'actions.ngrok.oauth.identity.email',
  'tls.cipher_suite': 'conn.tls.cipher_suite',
  'tls.client_cert.serial_number': 'conn.tls.client.serial_number',
  'tls.client_cert.subject': 'conn.tls.client.subject',
  'tls.client_cert.subject.cn': 'has(conn.tls.client.subject.common_name) ? conn.tls.client.subject.common_name : ""',
  'tls.version': 'conn.tls.version',
};

/** Differences between a path and its counterpart. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'oauth.user.email': 'it requires an earlier `oauth` action',
  'tls.version': 'its format changes from `TLS 1.3` to `1.3`',
};

/** Converts a header value to `modern`: templates become expressions, everything else stays literal. */
function convertTemplate(text: string, escapeStyle: ProfileSwitches['interpolationEscape']): ConvertedString {
  const losses: { written: string; why?: string }[] = [];
  const parts = text.split(/(\$\{\.[^}]*\})/).map(part => {
    const path = /^\$\{\.([^}]*)\}$/.exec(part)?.[1];
    if (path === undefined) return escapeString(part, escapeStyle);
    const expression = Object.hasOwn(TEMPLATE_PATHS, path) ? TEMPLATE_PATHS[path] : undefined;
    const why = expression === undefined ? undefined : DIFFERENCES[path];
    if (expression === undefined) losses.push({ written: part });
    else if (why !== undefined) losses.push({ written: part, why });
    return expression === undefined ? part : `\${${expression}}`;
  });
  return { text: parts.join(''), losses };
}

/** Escapes a literal string for a field that allows expressions. */
function escapeString(text: string, escapeStyle: ProfileSwitches['interpolationEscape']): string {
  return text.replaceAll('${', () => (escapeStyle === 'none' ? literal('${') : escapeStyle));
}

/** How a string is interpolated. */
interface Interpolating {
  /** In the old profile. */
  readonly phase: Phase;
  /** Whether variables such as `$args` are allowed outside expressions. */
  readonly hasVariables: boolean;
}

/** Migrates a string that contains expressions, as in `edge-v2-snake`: rewrites them, and turns variables into expressions. */
function migrateInterpolatedString(
  migrating: MigrationState,
  { value, text }: Extract<DocumentNode, { kind: 'scalar' }>,
  { phase, hasVariables }: Interpolating,
): void {
  if (typeof value !== 'string' || !text) return;
  const { expressions, unclosed } = findInterpolations(value, migrating.from.switches.interpolationEscape);
  if (unclosed) return;
  let result = '';
  let at = 0;
  const outside = (part: string) => (hasVariables ? convertReplacement(part, true) : part);
  for (const { start, end } of expressions) {
    result += outside(value.slice(at, start)) + rewritten(migrating, value.slice(start, end), phase, place);
    at = end;
    function place({ start: from, end: to }: Range): Range {
      return documentRange(text!, { start: start + from, end: start + to });
    }
  }
  result += outside(value.slice(at));
  migrating.edits.push(...replaceScalar(migrating.document, text, result));
}

/** @param place maps a range of the expression to the document */
function rewritten(migrating: MigrationState, source: string, phase: Phase, place: (range: Range) => Range): string {
  const environment = migrating.environments[phase];
  const { typed, diagnostics } = check(parse(source, environment).ast, environment);
  // Expressions that need a conversion of open values have no renamed variables.
  if (diagnostics.some(one => one.severity === 'error')) return source;
  const { edits, losses } = rewriteExpression(typed, environment, migrating.counterparts);
  for (const loss of losses) migrating.losses.push({ ...loss, range: place(loss.range) });
  return applyEdits(source, edits);
}
