import type { ActionFact, ConfigField, ConfigType, Deprecation, EvaluationContext, Profile } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  describeNode,
  entryOf,
  type ListNode,
  limitOf,
  type MapEntryNode,
  type MapNode,
  type Reporter,
} from '../document/document-node.ts';
import { type ExpressionContext, unavailableMessage } from '../expressions/check-expression.ts';
import type { ExpressionCache } from '../expressions/expression-cache.ts';
import {
  checkInterpolations,
  checkString,
  contextOf,
  named,
  reportNumberTrap,
  reportStringTraps,
  reportValue,
  type ValueContext,
} from './check-string.ts';
import type { EmbeddedExpression } from './policy.ts';
import { givenValue, isNothing, listed, reportUnknown } from './read-shape.ts';

/** What checking an action's configuration depends on. */
interface ConfigContext {
  readonly fact: ActionFact;
  /** Context for expressions in the configuration. */
  readonly expressions: ExpressionContext;
  /** Where to report a missing key if there is no configuration. */
  readonly typeRange: Range;
  readonly reporter: Reporter;
  /** The source text. */
  readonly document: string;
  readonly cache: ExpressionCache | undefined;
  /** Collects the expressions in the configuration. */
  readonly embedded: EmbeddedExpression[];
}

/** Checks an action's configuration against the catalog: keys, types, ranges and choices. */
export function checkConfig(config: MapNode | undefined, context: ConfigContext): void {
  const { fact, typeRange, expressions, reporter, document, cache, embedded } = context;
  const inner: ValueContext = {
    ...{ what: `\`${fact.type}\``, expressions, interpolation: undefined },
    ...{ reporter, document, isBody: false, refusals: undefined, cache, embedded },
  };
  const elsewhere = fieldsElsewhere(fact, expressions.place);
  if (elsewhere.length === 0) {
    checkFields(config, { fields: fact.config, open: fact.openConfig }, inner, typeRange);
    return;
  }
  const fields = fact.config.filter(field => !elsewhere.includes(field));
  const known = config && {
    ...config,
    entries: config.entries.filter(entry => !reportElsewhere(entry, elsewhere, context)),
  };
  checkFields(known, { fields, open: fact.openConfig }, inner, typeRange);
}

/** Returns the keys that exist only on other endpoint kinds or in other phases. */
function fieldsElsewhere({ config }: ActionFact, { endpoint, phase }: EvaluationContext): readonly ConfigField[] {
  let found: ConfigField[] | undefined;
  for (const field of config) {
    if (field.endpoints?.includes(endpoint) !== false && field.phases?.includes(phase) !== false) continue;
    found ??= [];
    found.push(field);
  }
  return found ?? NO_FIELDS;
}

const NO_FIELDS: readonly ConfigField[] = [];

function reportElsewhere(
  { key, keyRange }: MapNode['entries'][number],
  elsewhere: readonly ConfigField[],
  { expressions: { place }, reporter, fact }: ConfigContext,
): boolean {
  const field = elsewhere.find(candidate => candidate.name === key);
  if (!field) return false;
  const area = field.endpoints?.includes(place.endpoint) === false ? 'endpoint' : 'phase';
  const available = (area === 'endpoint' ? field.endpoints : field.phases) ?? [];
  reporter.report({
    code: `${area}/config-unavailable`,
    message: unavailableMessage(`${key}\` of \`${fact.type}`, place, area, available),
    range: keyRange,
    args: { key, action: fact.type, [area]: place[area], available },
  });
  return true;
}

interface KnownFields {
  readonly fields: readonly ConfigField[];
  readonly open?: true | undefined;
}

/** @param range where to report missing keys if the map is left out */
function checkFields(
  map: MapNode | undefined,
  { fields, open }: KnownFields,
  context: ValueContext,
  range: Range,
): void {
  const meant = map && checkFieldNames(map, { fields, open }, context);
  if (meant) checkRelatedKeys(meant, fields, context);
  for (const field of fields) {
    const value = meant && givenValue(meant, field.name);
    if (value) {
      const interpolation = field.interpolation ?? context.interpolation;
      const isBody = field.role === 'body';
      const { refusals } = field;
      const inner = contextOf(context, { what: `\`${field.name}\``, interpolation, isBody, refusals });
      checkValue(value, field.type, inner);
      if (field.limits) checkLimits(value, field.limits, inner);
    } else if (field.required) reportMissing(field, map?.entries[0]?.keyRange ?? range, context);
  }
}

/** Reports unknown keys, and returns the map with each renamed to the key that was probably meant. */
function checkFieldNames(map: MapNode, { fields, open }: KnownFields, context: ValueContext): MapNode {
  const { what, reporter } = context;
  const renamed = new Map<MapEntryNode, string>();
  for (const entry of map.entries) {
    const { key, keyRange } = entry;
    const field = fieldNamed(key, fields);
    if (!field) {
      if (open) continue;
      const known = fields.map(({ name }) => name);
      const meant = reportUnknown(reporter, { code: 'config/unknown-key', key, keyRange, known, what });
      if (meant !== undefined && !map.entries.some(one => one.key === meant)) renamed.set(entry, meant);
    } else if (field.deprecated) reportDeprecated(field.deprecated, { key, range: keyRange, reporter });
  }
  if (renamed.size === 0) return map;
  return { ...map, entries: map.entries.map(entry => ({ ...entry, key: renamed.get(entry) ?? entry.key })) };
}

function fieldNamed(name: string, fields: readonly ConfigField[]): ConfigField | undefined {
  for (const field of fields) if (field.name === name) return field;
  return undefined;
}

function checkValue(node: DocumentNode, type: ConfigType, context: ValueContext): void {
  if (node.kind === 'broken') return;
  if (type.kind === 'any') checkAnything(node, context);
  else if (type.kind === 'bool') checkBool(node, context);
  else if (type.kind === 'int' || type.kind === 'number') checkNumber(node, type, context);
  else if (type.kind === 'list') checkList(node, type, context);
  else if (type.kind === 'map') checkMap(node, type, context);
  else if (type.kind === 'object') checkObject(node, type, context);
  else checkString(node, type, context);
}

/** Strings inside may contain expressions. */
function checkAnything(node: DocumentNode, context: ValueContext): void {
  if (node.kind === 'scalar') {
    reportNumberTrap(node, context);
    if (!checkInterpolations(node, context)) reportStringTraps(node, contextOf(context, { ...context, isBody: true }));
  }
  if (node.kind === 'list') for (const item of node.items) checkAnything(item, context);
  if (node.kind === 'map') for (const { value } of node.entries) checkAnything(value, context);
}

function checkBool(node: DocumentNode, context: ValueContext): void {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return;
  reportConfigType(node, '`true` or `false`', context);
}

function checkObject(node: DocumentNode, known: KnownFields, context: ValueContext): void {
  if (node.kind === 'map') checkFields(node, known, context, node.range);
  else reportConfigType(node, 'a map', context);
}

function checkList(node: DocumentNode, type: Extract<ConfigType, { kind: 'list' }>, context: ValueContext): void {
  if (type.orOne && node.kind === 'scalar') {
    checkValue(node, type.of, context);
    return;
  }
  if (node.kind !== 'list') {
    reportConfigType(node, 'a list', context);
    return;
  }
  checkLength(node, node.items.length, { ...type, code: 'config/list-length' }, context);
  if (type.unique) checkUnique(node, context);
  for (const item of node.items) checkItem(item, type.of, named(context, `an item of ${context.what}`));
}

interface Length {
  readonly code: string;
  readonly min?: number;
  readonly max?: number;
}

function checkLength(
  node: DocumentNode,
  count: number,
  { code, min = 0, max = Number.POSITIVE_INFINITY }: Length,
  context: ValueContext,
): void {
  if (count >= min && count <= max) return;
  const bound = count < min ? `at least ${min}` : `at most ${max}`;
  reportValue(context, {
    code,
    message: `${context.what} must have ${bound} ${(count < min ? min : max) === 1 ? 'item' : 'items'}, found ${count}`,
    range: node.range,
    args: { found: count, min, ...(Number.isFinite(max) && { max }) },
  });
}

function checkUnique(node: ListNode, context: ValueContext): void {
  const seen = new Set<unknown>();
  for (const item of node.items) {
    const value = item.kind === 'scalar' ? item.value : undefined;
    if (typeof value === 'string' && seen.has(value)) {
      const message = `${context.what} has \`${value}\` twice`;
      reportValue(context, { code: 'config/duplicate-item', message, range: item.range, args: { found: value } });
    }
    seen.add(value);
  }
}

function checkMap(node: DocumentNode, type: Extract<ConfigType, { kind: 'map' }>, context: ValueContext): void {
  if (node.kind !== 'map') {
    reportConfigType(node, 'a map', context);
    return;
  }
  checkLength(node, node.entries.length, { ...type, code: 'config/map-size' }, context);
  for (const { key, keyRange, value } of node.entries) {
    const keyNode = { kind: 'scalar', range: keyRange, value: key, style: 'plain', text: undefined } as const;
    if (type.key)
      checkString(
        keyNode,
        { kind: type.key },
        contextOf(context, { ...context, what: `a key of ${context.what}`, interpolation: undefined }),
      );
    checkItem(value, type.value, named(context, `\`${key}\``));
    if (type.key) checkHeaderLengths({ key, keyRange, value }, context);
  }
}

/** Inside lists and maps, null does not mean the default. */
function checkItem(node: DocumentNode, type: ConfigType, context: ValueContext): void {
  if (isNothing(node) && type.kind !== 'any') reportConfigType(node, 'given', context);
  else checkValue(node, type, context);
}

function reportConfigType(node: DocumentNode, expected: string, context: ValueContext): void {
  const found = describeNode(node);
  const message = `${context.what} must be ${expected}, found ${found}`;
  reportValue(context, { code: 'config/wrong-type', message, range: node.range, args: { expected, found } });
}

interface DeprecatedKey {
  readonly key: string;
  readonly range: Range;
  readonly reporter: Reporter;
}

function reportDeprecated({ use, since }: Deprecation, { key, range, reporter }: DeprecatedKey): void {
  const when = since === undefined ? '' : ` since ${since}`;
  reporter.report({
    code: 'config/deprecated-key',
    severity: 'info',
    message: `\`${key}\` is deprecated${when}; ${use === undefined ? 'remove it' : `use \`${use}\``}`,
    range,
    args: { key, ...(use !== undefined && { use }), ...(since !== undefined && { since }) },
    tags: ['deprecated'],
    ...(use !== undefined && {
      fixes: [{ title: `change to \`${use}\``, applicability: 'safe', edits: [{ range, newText: use }] }],
    }),
  });
}

function reportMissing(
  field: ConfigField,
  range: Range,
  { what, reporter }: Pick<ValueContext, 'what' | 'reporter'>,
): void {
  const message = `${what} needs \`${field.name}\``;
  reporter.report({ code: 'config/missing-key', message, range, args: { key: field.name } });
}

/** Checks a value against the profile's limits on items and nesting depth. */
function checkLimits(
  node: DocumentNode,
  { items, depth }: NonNullable<ConfigField['limits']>,
  context: ValueContext,
): void {
  if (node.kind !== 'list') return;
  const { profile } = context.expressions;
  if (items !== undefined) checkCount(node.items, items, context);
  if (depth === undefined) return;
  const max = limitOf(profile, depth, Number.POSITIVE_INFINITY);
  for (const item of node.items) {
    if (item.kind !== 'map') continue;
    for (const { key, value } of item.entries) {
      const deep = nodeBelow(value, max);
      if (!deep) continue;
      const message = `the value of \`${key}\` has more than ${max} nested levels (${depth})`;
      const args = { limit: depth, value: max };
      reportValue(context, { code: 'config/too-deep', message, range: deep.range, args });
    }
  }
}

function checkCount(items: readonly DocumentNode[], limit: string, context: ValueContext): void {
  const max = limitOf(context.expressions.profile, limit, Number.POSITIVE_INFINITY);
  const first = items[max];
  if (!first) return;
  const message = `${context.what} must have at most ${max} items (${limit}), found ${items.length}`;
  const args = { found: items.length, min: 0, max, limit };
  reportValue(context, { code: 'config/list-length', message, range: first.range, args });
}

/** The first list or map at this nesting depth. */
function nodeBelow(node: DocumentNode, levels: number): DocumentNode | undefined {
  if (node.kind !== 'list' && node.kind !== 'map') return undefined;
  if (levels === 0) return node;
  const inner = node.kind === 'list' ? node.items : node.entries.map(entry => entry.value);
  for (const one of inner) {
    const found = nodeBelow(one, levels - 1);
    if (found) return found;
  }
  return undefined;
}

/** Checks the lengths of a header's name and value. */
function checkHeaderLengths({ key, keyRange, value }: MapNode['entries'][number], context: ValueContext): void {
  const { profile } = context.expressions;
  const name = { length: key.length, limit: 'maxHeaderNameLength', refusal: 2208 };
  checkListedLength(name, { what: 'a header name', range: keyRange, profile }, context);
  if (value.kind !== 'scalar' || typeof value.value !== 'string' || value.value.includes('${')) return;
  const text = { length: value.value.length, limit: 'maxHeaderValueLength', refusal: 2209 };
  checkListedLength(text, { what: `the value of \`${key}\``, range: value.range, profile }, context);
}

function checkListedLength(
  { length, limit, refusal }: { readonly length: number; readonly limit: string; readonly refusal: number },
  { what, range, profile }: { readonly what: string; readonly range: DocumentNode['range']; readonly profile: Profile },
  context: ValueContext,
): void {
  const max = limitOf(profile, limit, Number.POSITIVE_INFINITY);
  if (length <= max) return;
  const message = `${what} must have at most ${max} characters (${limit}), found ${length}`;
  reportValue(context, { code: 'config/too-long', message, range, args: { max, found: length, limit, refusal } });
}

/** Checks keys that require another key, and pairs of keys whose values must be in order. */
function checkRelatedKeys(map: MapNode, fields: readonly ConfigField[], context: ValueContext): void {
  for (const field of fields) {
    const { needs, onlyWith, atMost } = field;
    if (atMost !== undefined) checkOrder(map, { field, upper: fields.find(one => one.name === atMost)! }, context);
    if (needs === undefined && onlyWith === undefined) continue;
    const entry = givenValue(map, field.name) && entryOf(map, field.name);
    if (!entry) continue;
    if (needs !== undefined && !givenValue(map, needs)) reportAlone(entry, needs, context);
    if (onlyWith && !givenValue(map, onlyWith.key)) reportUnsupported(entry, onlyWith, context);
  }
}

function reportAlone({ key, keyRange }: MapEntryNode, needs: string, { reporter }: ValueContext): void {
  const message = `\`${key}\` without \`${needs}\`; add \`${needs}\``;
  reporter.report({ code: 'config/missing-companion', message, range: keyRange, args: { key, needs } });
}

function reportUnsupported(
  { key, keyRange }: MapEntryNode,
  { key: other, instead }: NonNullable<ConfigField['onlyWith']>,
  { reporter }: ValueContext,
): void {
  const message = `\`${key}\` is supported only together with \`${other}\`; ${instead}`;
  reporter.report({ code: 'config/unsupported-key', message, range: keyRange, args: { key, other } });
}

/** Both fields have the same choices, in ascending order. */
function checkOrder(
  map: MapNode,
  { field, upper }: { readonly field: ConfigField; readonly upper: ConfigField },
  { reporter }: ValueContext,
): void {
  const [low, high] = [field, upper].map(one => choiceIn(map, one));
  if (!low || !high || low.rank <= high.rank) return;
  const range = (entryOf(map, field.name) ?? entryOf(map, upper.name))!.value.range;
  const [lowText, highText] = [low, high].map(
    ({ value, isDefault }) => `\`${value}\`${isDefault ? ' by default' : ''}`,
  );
  const message = `\`${field.name}\` is ${lowText}, above \`${upper.name}\`, which is ${highText}; lower it or raise \`${upper.name}\``;
  const args = { key: field.name, upper: upper.name, found: low.value, max: high.value };
  reporter.report({ code: 'config/inverted-range', message, range, args });
}

interface Choice {
  readonly value: string;
  readonly rank: number;
  readonly isDefault: boolean;
}

function choiceIn(map: MapNode, { name, type, default: otherwise }: ConfigField): Choice | undefined {
  const node = givenValue(map, name);
  const value = node ? (node.kind === 'scalar' ? node.value : undefined) : otherwise;
  if (type.kind !== 'choice' || typeof value !== 'string') return undefined;
  const rank = type.values.indexOf(value);
  return rank < 0 ? undefined : { value, rank, isDefault: !node };
}

type NumberType = Extract<ConfigType, { kind: 'int' | 'number' }>;

/** Checks that a value is a number, or an integer, within its bounds. A number in quotes is an error with a safe fix. */
function checkNumber(node: DocumentNode, type: NumberType, context: ValueContext): void {
  const { what } = context;
  const value = node.kind === 'scalar' ? node.value : undefined;
  if (typeof value !== 'number' || (type.kind === 'int' && !Number.isInteger(value))) {
    reportNoNumber(node, type, context);
    return;
  }
  const { min, max } = type;
  const values = type.kind === 'int' ? type.values : undefined;
  if (value >= min && value <= max && (values?.includes(value) ?? true)) return;
  reportValue(context, {
    code: 'config/out-of-range',
    message: `${what} must be ${values ? listed(values.map(String), 'or') : `from ${min} to ${max}`}, found ${value}`,
    range: node.range,
    args: { min, max, ...(values && { values: values.map(String) }), found: value },
  });
}

function reportNoNumber(node: DocumentNode, { kind }: NumberType, context: ValueContext): void {
  const digits = node.kind === 'scalar' && typeof node.value === 'string' && NUMBER[kind].test(node.value);
  const found = digits ? 'a number in quotes' : describeNode(node);
  const newText = node.kind === 'scalar' ? String(node.value) : '';
  reportValue(context, {
    code: 'config/wrong-type',
    message: `${context.what} must be ${kind === 'int' ? 'an integer' : 'a number'}, found ${found}`,
    range: node.range,
    args: { expected: kind, found },
    ...(digits && {
      fixes: [{ title: 'remove the quotes', applicability: 'safe', edits: [{ range: node.range, newText }] }],
    }),
  });
}

const NUMBER = { int: /^-?\d{1,15}$/, number: /^-?\d{1,15}(?:\.\d{1,15})?$/ } as const;
