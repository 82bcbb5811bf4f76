import type { ActionFact, ConfigField, ConfigType, Place } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { type DocumentNode, describeNode, type ListNode, type MapNode } from '../document/document-node.ts';
import { givenValue, isNothing, listed, reportUnknown } from '../model/read-shape.ts';
import type { Reporter } from '../reporter.ts';
import { checkNumber } from './check-number.ts';
import { checkText } from './check-text.ts';
import type { ValueContext } from './value-context.ts';

/** The action whose configuration is checked. */
export interface ConfigContext {
  readonly fact: ActionFact;
  readonly place: Place;
  /** Where to report a key that is missing without there being a configuration. */
  readonly typeRange: Range;
  readonly reporter: Reporter;
}

/** Checks an action's configuration against the catalog: keys, types, ranges, choices. */
export function checkConfig(config: MapNode | undefined, context: ConfigContext): void {
  const { fact, place, reporter, typeRange } = context;
  const isHere = (field: ConfigField) => field.endpoints?.includes(place.endpoint) ?? true;
  const fields = fact.config.filter(isHere);
  const elsewhere = fact.config.filter(field => !isHere(field));
  const known = config && {
    ...config,
    entries: config.entries.filter(entry => !reportElsewhere(entry, elsewhere, context)),
  };
  checkFields(known, fields, { what: `\`${fact.type}\``, range: typeRange, reporter });
}

function reportElsewhere(
  { key, keyRange }: MapNode['entries'][number],
  elsewhere: readonly ConfigField[],
  { place, reporter, fact }: ConfigContext,
): boolean {
  const field = elsewhere.find(candidate => candidate.name === key);
  if (!field) return false;
  const available = field.endpoints ?? [];
  reporter.report({
    code: 'endpoint/config-unavailable',
    message: `\`${key}\` of \`${fact.type}\` is not available on \`${place.endpoint}\`, only on ${listed(available, 'or')}`,
    range: keyRange,
    args: { key, action: fact.type, endpoint: place.endpoint, available },
  });
  return true;
}

interface FieldsContext {
  readonly what: string;
  /** Of what has the fields, where it has no place of its own. */
  readonly range: Range;
  readonly reporter: Reporter;
}

function checkFields(
  map: MapNode | undefined,
  fields: readonly ConfigField[],
  { what, range, reporter }: FieldsContext,
): void {
  const known = fields.map(field => field.name);
  for (const { key, keyRange } of map?.entries ?? []) {
    if (!known.includes(key)) reportUnknown(reporter, { code: 'config/unknown-key', key, keyRange, known, what });
  }
  for (const field of fields) {
    const value = map && givenValue(map, field.name);
    if (value) checkValue(value, field.type, { what: `\`${field.name}\``, reporter });
    else if (field.required) reportMissing(field, map?.entries[0]?.keyRange ?? range, { what, reporter });
  }
}

function checkValue(node: DocumentNode, type: ConfigType, context: ValueContext): void {
  if (type.kind === 'any' || node.kind === 'broken') return;
  if (type.kind === 'bool') checkBool(node, context);
  else if (type.kind === 'int' || type.kind === 'number') checkNumber(node, type, context);
  else if (type.kind === 'list') checkList(node, type, context);
  else if (type.kind === 'map') checkMap(node, type, context);
  else if (type.kind === 'object') checkObject(node, type.fields, context);
  else checkText(node, type, context);
}

function checkBool(node: DocumentNode, context: ValueContext): void {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return;
  reportConfigType(node, '`true` or `false`', context);
}

function checkObject(node: DocumentNode, fields: readonly ConfigField[], context: ValueContext): void {
  if (node.kind === 'map') checkFields(node, fields, { ...context, range: node.range });
  else reportConfigType(node, 'a map', context);
}

function checkList(node: DocumentNode, type: Extract<ConfigType, { kind: 'list' }>, context: ValueContext): void {
  if (node.kind !== 'list') {
    reportConfigType(node, 'a list', context);
    return;
  }
  checkLength(node, type, context);
  for (const item of node.items) checkItem(item, type.of, { ...context, what: `an item of ${context.what}` });
}

function checkLength(
  node: ListNode,
  { min = 0, max = Number.POSITIVE_INFINITY }: { min?: number; max?: number },
  context: ValueContext,
): void {
  const count = node.items.length;
  if (count >= min && count <= max) return;
  const bound = count < min ? `at least ${min}` : `at most ${max}`;
  context.reporter.report({
    code: 'config/list-length',
    message: `${context.what} must have ${bound} ${(count < min ? min : max) === 1 ? 'item' : 'items'}, found ${count}`,
    range: node.range,
    args: { found: count, min, ...(Number.isFinite(max) && { max }) },
  });
}

function checkMap(node: DocumentNode, type: Extract<ConfigType, { kind: 'map' }>, context: ValueContext): void {
  if (node.kind !== 'map') {
    reportConfigType(node, 'a map', context);
    return;
  }
  for (const { key, keyRange, value } of node.entries) {
    const keyNode = { kind: 'scalar', range: keyRange, value: key, text: undefined } as const;
    if (type.key) checkText(keyNode, { kind: type.key }, { ...context, what: `a key of ${context.what}` });
    checkItem(value, type.value, { ...context, what: `\`${key}\`` });
  }
}

/** Inside lists and maps null does not stand for a default. */
function checkItem(node: DocumentNode, type: ConfigType, context: ValueContext): void {
  if (isNothing(node) && type.kind !== 'any') reportConfigType(node, 'given', context);
  else checkValue(node, type, context);
}

function reportConfigType(node: DocumentNode, expected: string, { what, reporter }: ValueContext): void {
  const found = describeNode(node);
  const message = `${what} must be ${expected}, found ${found}`;
  reporter.report({ code: 'config/wrong-type', message, range: node.range, args: { expected, found } });
}

function reportMissing(field: ConfigField, range: Range, { what, reporter }: ValueContext): void {
  const message = `${what} needs \`${field.name}\``;
  reporter.report({ code: 'config/missing-key', message, range, args: { key: field.name } });
}
