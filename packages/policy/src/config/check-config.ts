import type { ActionFact, ConfigField, ConfigType, Deprecation, EvaluationContext } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import {
  type DocumentNode,
  describeNode,
  type ListNode,
  type MapEntryNode,
  type MapNode,
} from '../document/model/document-node.ts';
import type { Reporter } from '../document/model/reporter.ts';
import { unavailableMessage } from '../expression/availability.ts';
import type { ExpressionContext } from '../expression/check-expression.ts';
import type { ExpressionCache } from '../expression/expression-cache.ts';
import type { EmbeddedExpression } from '../model/policy.ts';
import { givenValue, isNothing, reportUnknown } from '../model/read-shape.ts';
import { checkInterpolations } from './check-embedded.ts';
import { checkHeaderLengths, checkLimits } from './check-limits.ts';
import { checkNumber } from './check-number.ts';
import { checkRelatedKeys } from './check-related-keys.ts';
import { checkString } from './check-string.ts';
import { reportNumberTrap, reportStringTraps } from './string-traps.ts';
import { contextOf, named, reportValue, type ValueContext } from './value-context.ts';

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
  return found ?? NONE;
}

const NONE: readonly ConfigField[] = [];

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
