import { nearest } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { type DocumentNode, describeNode, entryOf, type MapNode } from '../document/document-node.ts';
import type { MappedText } from '../document/mapped-text.ts';
import type { Reporter } from '../reporter.ts';

/** A text with where its parts stand. */
export interface TextValue {
  readonly value: string;
  readonly range: Range;
  readonly text: MappedText;
}

/** Whether there is nothing: null stands for a value that is left out. */
export function isNothing(node: DocumentNode | undefined): boolean {
  return node === undefined || (node.kind === 'scalar' && node.value === null);
}

/** The value of a key, unless it is left out or null. */
export function givenValue(map: MapNode, key: string): DocumentNode | undefined {
  const node = entryOf(map, key)?.value;
  return isNothing(node) ? undefined : node;
}

/** The node as a map, or a diagnostic. `what` names it: `a rule`. */
export function asMap(node: DocumentNode, what: string, reporter: Reporter): MapNode | undefined {
  if (node.kind === 'map') return node;
  reportType(reporter, node, { what, expected: 'a map' });
  return undefined;
}

/** The items of a list, or a diagnostic. */
export function asItems(node: DocumentNode, what: string, reporter: Reporter): readonly DocumentNode[] {
  if (node.kind === 'list') return node.items;
  reportType(reporter, node, { what, expected: 'a list' });
  return [];
}

/** The node as a text, or a diagnostic. */
export function asText(node: DocumentNode, what: string, reporter: Reporter): TextValue | undefined {
  if (node.kind === 'scalar' && node.text && typeof node.value === 'string') {
    return { value: node.value, range: node.range, text: node.text };
  }
  reportType(reporter, node, { what, expected: 'a text' });
  return undefined;
}

/** Reports that a value is not of the kind it must be. */
export function reportType(
  reporter: Reporter,
  node: DocumentNode,
  { what, expected }: { what: string; expected: string },
): void {
  if (node.kind === 'broken') return;
  const found = describeNode(node);
  reporter.report({
    code: 'policy/wrong-type',
    message: `${what} must be ${expected}, found ${found}`,
    range: node.range,
    args: { expected, found },
  });
}

/** Reports the keys of a map that are none of the known ones. */
export function checkKeys(
  map: MapNode,
  known: readonly string[],
  { what, reporter }: { what: string; reporter: Reporter },
): void {
  for (const { key, keyRange } of map.entries) {
    if (!known.includes(key)) reportUnknown(reporter, { code: 'policy/unknown-key', key, keyRange, known, what });
  }
}

/** A name that is none of the known ones, with the one that was probably meant. */
export interface UnknownKey {
  readonly code: string;
  readonly key: string;
  readonly keyRange: Range;
  readonly known: readonly string[];
  /** Whose key it is: `a rule`. */
  readonly what: string;
}

/** Reports a key that does not exist, and offers the one that was probably meant. */
export function reportUnknown(reporter: Reporter, { code, key, keyRange, known, what }: UnknownKey): void {
  const suggestion = nearest(key, known);
  const hint = suggestion === undefined ? `; it has ${listed(known, 'and')}` : `; did you mean \`${suggestion}\`?`;
  const edits = [{ range: keyRange, newText: suggestion ?? '' }];
  reporter.report({
    code,
    message: `${what} has no key \`${key}\`${known.length === 0 ? '' : hint}`,
    range: keyRange,
    args: { key, known, ...(suggestion !== undefined && { suggestion }) },
    ...(suggestion !== undefined && {
      fixes: [{ title: `change to \`${suggestion}\``, applicability: 'suggestion', edits }],
    }),
  });
}

/** `` `a`, `b` or `c` ``. */
export function listed(names: readonly string[], conjunction: 'and' | 'or'): string {
  const quoted = names.map(name => `\`${name}\``);
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} ${conjunction} ${quoted.at(-1)}`;
}
