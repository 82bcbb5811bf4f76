import type { ConfigField } from '@tollgate/catalog';
import { entryOf, type MapEntryNode, type MapNode } from '../document/model/document-node.ts';
import { givenValue } from '../model/read-shape.ts';
import type { ValueContext } from './value-context.ts';

/** Checks keys that require another key, and pairs of keys whose values must be in order. */
export function checkRelatedKeys(map: MapNode, fields: readonly ConfigField[], context: ValueContext): void {
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
