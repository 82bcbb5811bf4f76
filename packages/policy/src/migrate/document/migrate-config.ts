import type { ActionFact, ConfigField, ConfigType, Phase } from '@tollgate/catalog';
import { check, parse } from '@tollgate/cel';
import { ownValue, type Range } from '@tollgate/diagnostics';
import type { DocumentNode, MapEntryNode, MapNode } from '../../document/model/document-node.ts';
import { documentRange } from '../../document/model/mapped-text.ts';
import { replaceScalar } from '../../edits/edit-scalar.ts';
import { givenValue } from '../../model/read-shape.ts';
import { rewriteExpression } from '../expression/rewrite-expression.ts';
import { convertReplacement, convertTemplate, escapeString } from './interpolated-strings.ts';
import { migrateInterpolatedString } from './migrate-interpolations.ts';
import { addExpression, lose, type MigrationState } from './migration-state.ts';

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
export function migrateConfig(migrating: MigrationState, config: MapNode | undefined, pair: ActionPair): void {
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
