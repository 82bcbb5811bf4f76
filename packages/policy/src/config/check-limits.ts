import type { ConfigField, Profile } from '@tollgate/catalog';
import { limitOf } from '../document/model/document-limits.ts';
import type { DocumentNode, MapNode } from '../document/model/document-node.ts';
import { reportValue, type ValueContext } from './value-context.ts';

/** Checks a value against the profile's limits on items and nesting depth. */
export function checkLimits(
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
export function checkHeaderLengths({ key, keyRange, value }: MapNode['entries'][number], context: ValueContext): void {
  const { profile } = context.expressions;
  const name = { length: key.length, limit: 'maxHeaderNameLength', refusal: 2208 };
  checkLength(name, { what: 'a header name', range: keyRange, profile }, context);
  if (value.kind !== 'scalar' || typeof value.value !== 'string' || value.value.includes('${')) return;
  const text = { length: value.value.length, limit: 'maxHeaderValueLength', refusal: 2209 };
  checkLength(text, { what: `the value of \`${key}\``, range: value.range, profile }, context);
}

function checkLength(
  { length, limit, refusal }: { readonly length: number; readonly limit: string; readonly refusal: number },
  { what, range, profile }: { readonly what: string; readonly range: DocumentNode['range']; readonly profile: Profile },
  context: ValueContext,
): void {
  const max = limitOf(profile, limit, Number.POSITIVE_INFINITY);
  if (length <= max) return;
  const message = `${what} must have at most ${max} characters (${limit}), found ${length}`;
  reportValue(context, { code: 'config/too-long', message, range, args: { max, found: length, limit, refusal } });
}
