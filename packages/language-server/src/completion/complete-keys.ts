import {
  type ActionFact,
  type ConfigField,
  type ConfigType,
  PARAMETER_PREFIX,
  REPLACEMENT_VARIABLES,
  type Sample,
  STATUS_CODES,
} from '@tollgate/catalog';
import { lineStart, type Range } from '@tollgate/diagnostics';
import { COUNTRY_CODES, HTTP_METHODS } from '@tollgate/lint';
import { LINT_PRESETS, OUTCOMES, type Policy } from '@tollgate/policy';
import { CompletionItemKind } from 'vscode-languageserver-types';
import { actionsIn, fieldsIn, type Shape, type ShapedDocument } from '../cursor/document-shape.ts';
import type { PositionContext } from '../cursor/position-context.ts';
import { describeAction, describeField } from '../features/describe.ts';
import { RULE_KEYS, ruleNames, type Snapshot } from '../snapshot.ts';

/** A position outside of expressions. */
interface Position {
  readonly snapshot: Snapshot;
  readonly document: ShapedDocument;
  readonly context: PositionContext;
  readonly shape: Shape;
  readonly offset: number;
  /** Files that may be named as a policy. */
  readonly files: readonly string[];
  /** The key or scalar to replace. */
  readonly word: Range;
}

/** Returns the keys that a map may have and does not have yet. */
export function completeKeys(position: Position): readonly Suggestion[] {
  const { shape, context, snapshot, word } = position;
  const { type, role } = shape;
  const written = snapshot.source.text.slice(word.start, word.end);
  const present = new Set([...context.siblings().keys()].filter(key => key !== written));
  if (type.kind === 'map') return mapKeys(position).filter(({ label }) => !present.has(label));
  if (type.kind !== 'object') return [];
  const fields = type.fields.filter(({ name }) => !present.has(name));
  const keys = fields.map(field => keySuggestion(field, position));
  const isNewAction = role === 'action' && !present.has('type') && !context.isFlow && shape.phase !== undefined;
  return isNewAction
    ? [...keys, ...actionsIn(position.document, shape.phase!).map(fact => actionSuggestion(fact, position))]
    : keys;
}

/** A map whose keys are free: names of headers, lint rules, or rules of the tested policy. */
function mapKeys({ shape, snapshot, document, context, word }: Position): readonly Suggestion[] {
  const { type, field } = shape;
  const isHeaders = (type.kind === 'map' && type.key === 'header-name') || field?.name === 'headers';
  const names = isHeaders
    ? HEADER_NAMES.map(name => ({ name, detail: 'header' }))
    : field?.name === 'rules' && snapshot.kind === 'project'
      ? snapshot.project.rules().map(({ id, summary }) => ({ name: id, detail: summary }))
      : field?.name === 'rules' && snapshot.tested
        ? ruleNames(snapshot.tested.policy).map(name => ({ name, detail: 'rule' }))
        : [];
  const isCanonical = document.profile.headerNames === 'canonical';
  return names.map(({ name, detail }) => {
    const label = isHeaders && isCanonical ? name.replace(/(?:^|-)[a-z]/g, part => part.toUpperCase()) : name;
    return { label, detail, range: word, kind: CompletionItemKind.Property, text: keyText(label, context, '') };
  });
}

function keySuggestion(field: ConfigField, { context, word, snapshot }: Position): Suggestion {
  const { name, type, required, deprecated } = field;
  const hasColon = /^["']?\s*:/.test(snapshot.source.text.slice(word.end, word.end + 20));
  const tail = context.isFlow || hasColon ? undefined : snippetOf(type, field.default);
  return {
    label: name,
    kind: CompletionItemKind.Property,
    detail: required ? 'required' : type.kind,
    range: word,
    rank: required ? 0 : deprecated ? 5 : 1,
    text: hasColon ? name : keyText(name, context, ''),
    ...(tail !== undefined && { snippet: keyText(name, context, tail) }),
    documentation: () => describeField(field),
    ...(deprecated && { isDeprecated: true }),
    continues: ['bool', 'choice', 'int', 'expression'].includes(type.kind),
  };
}

/** Returns a key with its colon; in JSON, with quotes unless they are there. */
function keyText(name: string, { isFlow, style }: PositionContext, tail: string): string {
  if (style === 'double' || style === 'single') return name;
  const shown =
    /^[\w.](?:[\w ./-]*[\w./-])?$/.test(name) && !isFlow ? name : isFlow && style === undefined ? `"${name}"` : name;
  return tail.startsWith('\n') ? `${shown}:${tail}` : `${shown}: ${tail}`;
}

/** Returns what follows the colon, with a placeholder. */
function snippetOf(type: ConfigType, value: Sample | undefined): string {
  switch (type.kind) {
    case 'object':
    case 'map':
      return '\n  $0';
    case 'list':
      return '\n  - $0';
    case 'bool':
    case 'int':
    case 'number':
      return value === undefined ? '$0' : `\${1:${JSON.stringify(value)}}$0`;
    default:
      return '$0';
  }
}

/** An action with the keys that it requires, or those of its example. */
function actionSuggestion(fact: ActionFact, { word, document, shape }: Position): Suggestion {
  return {
    label: fact.type,
    kind: CompletionItemKind.Struct,
    detail: 'action',
    range: word,
    rank: fact.type === 'deny' ? 2 : 3,
    text: `type: ${fact.type}`,
    snippet: `type: ${fact.type}${configSnippet(fact, document, shape)}`,
    documentation: () => describeAction(fact),
  };
}

/** Returns the configuration of an action as a snippet, indented for a map that begins in the column of the cursor. */
function configSnippet(fact: ActionFact, document: ShapedDocument, { phase }: Pick<Shape, 'phase'>): string {
  const example = isRecord(fact.example) ? fact.example : {};
  const fields = fieldsIn(fact, document, phase).filter(({ name, required }) => required || name in example);
  if (fields.length === 0) return '';
  const lines = fields.map(({ name, type, default: usual }, index) => {
    const value = example[name] ?? usual;
    return `  ${name}: \${${index + 1}:${escaped(sampleText(type, value))}}`;
  });
  return `\nconfig:\n${lines.join('\n')}`;
}

function sampleText(type: ConfigType, value: Sample | undefined): string {
  if (value !== undefined) return JSON.stringify(value);
  if (type.kind === 'list') return '[]';
  if (type.kind === 'map' || type.kind === 'object') return '{}';
  return type.kind === 'choice' ? (type.values[0] ?? '') : '""';
}

/** Escapes a text for use in a placeholder. */
function escaped(text: string): string {
  return text.replaceAll(/[\\$}]/g, String.raw`\$&`);
}

function isRecord(value: Sample | undefined): value is { readonly [key: string]: Sample } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the values that a scalar may have. */
export function completeValue(position: Position): readonly Suggestion[] {
  const { shape, context } = position;
  const { type, role } = shape;
  if (role === 'action-type') return actionTypes(position);
  if (type.kind === 'object' && context.isFlow) return completeKeys(position);
  if (type.kind === 'list') return context.at === 'key' ? [item(position)] : listValues(type, position);
  const { claims } = position.snapshot;
  if (claims && RULE_KEYS.some(key => key === shape.field?.name)) return rulesOf(claims.tested.policy, position);
  if (shape.field?.name === 'policy' && type.kind === 'string')
    return position.files.map(label => ({ label, kind: CompletionItemKind.File, range: position.word }));
  const replacements = replacementVariables(position);
  return replacements.length > 0 ? replacements : scalarValues(type, position);
}

/** The rules of the policy that invariants are about. */
function rulesOf(policy: Policy, { word }: Position): readonly Suggestion[] {
  return ruleNames(policy).map(label => ({ label, kind: CompletionItemKind.Reference, detail: 'rule', range: word }));
}

function actionTypes(position: Position): readonly Suggestion[] {
  const { shape, document, word, context } = position;
  const { type } = shape;
  if (type.kind !== 'choice') return [];
  const siblings = context.path.at(-1)?.siblings();
  const origin = lineStart(position.snapshot.source.text, word.start) + context.column;
  const isAlone = !context.isFlow && !siblings?.has('config') && context.style === undefined;
  return document.profile.actions
    .filter(fact => type.values.includes(fact.type))
    .map(
      (fact): Suggestion => ({
        rank: fact.type === 'deny' ? 0 : 1,
        label: fact.type,
        kind: CompletionItemKind.Struct,
        range: word,
        detail: fact.outcome,
        documentation: () => describeAction(fact),
        ...(isAlone && { snippet: `${fact.type}${configSnippet(fact, document, shape)}`, origin }),
      }),
    );
}

/** Begins an item of a list whose key is on the line above. */
function item({ offset }: Position): Suggestion {
  return {
    label: '- ',
    kind: CompletionItemKind.Operator,
    detail: 'item',
    range: { start: offset, end: offset },
    continues: true,
  };
}

function listValues(type: Extract<ConfigType, { kind: 'list' }>, position: Position): readonly Suggestion[] {
  return type.orOne ? scalarValues(type.of, position) : [];
}

function scalarValues(type: ConfigType, { shape, word, snapshot }: Position): readonly Suggestion[] {
  const { field } = shape;
  const documentation = () => field && describeField(field);
  const value = (label: string, detail?: string): Suggestion => ({
    label,
    kind: CompletionItemKind.Value,
    range: word,
    documentation,
    ...(detail !== undefined && { detail }),
    ...(isDefault(label, field?.default) && { rank: 0, detail: detail ?? 'default' }),
  });
  if (type.kind === 'bool') return [value('true'), value('false')];
  if (type.kind === 'choice') {
    // Algorithms with a shared secret are the exception.
    return type.values.map(one => (/^HS\d+$/.test(one) ? { ...value(one), rank: 2 } : value(one, outcomeOf(one))));
  }
  if (type.kind === 'int' && (field?.role === 'status' || field?.name === 'status' || field?.name === 'status_code')) {
    const isAllowed = (code: number) =>
      type.values ? type.values.includes(code) : code >= type.min && code <= type.max;
    return STATUSES.filter(one => isAllowed(Number(one.value))).map(one => value(one.value, one.meaning));
  }
  if (type.kind === 'int' && type.values) return type.values.map(one => value(String(one)));
  if (type.kind === 'duration') return ['30s', '60s', '10m', '1h'].map(one => value(one));
  if (snapshot.kind === 'project' && field?.name === 'extends') return LINT_PRESETS.map(one => value(one, 'preset'));
  if (type.kind === 'any' && snapshot.kind === 'project')
    return ['off', 'hint', 'info', 'warning', 'error'].map(one => value(one));
  return [];
}

function outcomeOf(value: string): string | undefined {
  return new Map<string, string>(Object.entries(OUTCOMES)).get(value);
}

function isDefault(label: string, value: Sample | undefined): boolean {
  return value !== undefined && String(value) === label;
}

/** After a `$` in the replacement of a pattern: groups of the pattern, and variables of the request. */
function replacementVariables({ shape, context, snapshot, offset }: Position): readonly Suggestion[] {
  const { interpolation } = shape;
  const found = /\$\{?(\w*)$/.exec(snapshot.source.text.slice(Math.max(context.start, offset - 100), offset));
  if (!found || !interpolation?.includes('captures')) return [];
  const range = { start: offset - found[1]!.length, end: offset };
  const pattern = context.path.at(-1)?.siblings().get('from') ?? '';
  const groups = pattern.match(/\((?!\?[^P<])/g)?.length ?? 0;
  const numbers = Array.from(
    { length: groups },
    (_, index): Suggestion => ({
      label: String(index + 1),
      kind: CompletionItemKind.Reference,
      detail: 'capture group',
      range,
    }),
  );
  if (!interpolation.includes('request')) return numbers;
  const named = REPLACEMENT_VARIABLES.map(
    ({ name, doc }): Suggestion => ({
      label: name,
      kind: CompletionItemKind.Variable,
      range,
      documentation: () => doc,
    }),
  );
  return [
    ...numbers,
    ...named,
    { label: PARAMETER_PREFIX, kind: CompletionItemKind.Variable, detail: 'query parameter', range },
  ];
}

/** A value with what it means. */
export interface KnownValue {
  readonly value: string;
  readonly meaning: string;
}

/** The registered status codes with their reason phrases. */
export const STATUSES: readonly KnownValue[] = Object.entries(STATUS_CODES).map(([value, meaning = '']) => ({
  value,
  meaning,
}));

/** Methods that policies usually mention come first. */
const COMMON_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** Returns the registered request methods. A function, because lint rules, which know them, may be loaded later than this module. */
export function methods(): readonly KnownValue[] {
  return [...new Set([...COMMON_METHODS, ...HTTP_METHODS])].map(value => ({ value, meaning: 'request method' }));
}

/** The country codes of ISO 3166-1 with their names. */
export function countries(): readonly KnownValue[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return [...COUNTRY_CODES].map(value => ({ value, meaning: names.of(value) ?? '' }));
}

/** Common header fields in lower case. */
export const HEADER_NAMES: readonly string[] =
  `accept accept-encoding accept-language access-control-allow-origin age allow authorization cache-control connection
content-disposition content-encoding content-language content-length content-location content-security-policy content-type cookie date
etag expires forwarded from host if-match if-modified-since if-none-match last-modified link location origin pragma proxy-authorization
range referer referrer-policy retry-after server set-cookie strict-transport-security te trailer transfer-encoding upgrade user-agent vary
via www-authenticate x-api-key x-content-type-options x-forwarded-for x-forwarded-host x-forwarded-proto x-frame-options x-real-ip
x-request-id`.split(/\s+/);

/** Versions of TLS as policies write them. */
export const TLS_VERSIONS: readonly KnownValue[] = ['1.0', '1.1', '1.2', '1.3'].map(value => ({
  value,
  meaning: `TLS ${value}`,
}));

/** Something that may be inserted at the cursor. */
export interface Suggestion {
  readonly label: string;
  readonly kind: CompletionItemKind;
  /** A few words next to the label. */
  readonly detail?: string;
  /** Replaces `range`; the label by default. */
  readonly text?: string;
  /** The same with placeholders, for clients that support them. */
  readonly snippet?: string;
  /** What to replace, in offsets. */
  readonly range: Range;
  /** The offset whose column the lines of the snippet are relative to; the start of the range by default. */
  readonly origin?: number;
  /** Returns the documentation in Markdown. */
  readonly documentation?: () => string | undefined;
  readonly isDeprecated?: boolean;
  /** Suggestions with smaller numbers come first. */
  readonly rank?: number;
  /** True if the next suggestions follow immediately. */
  readonly continues?: boolean;
}
