import { nearest } from '@tollgate/cel';
import type { Fix, Range, TextEdit } from '@tollgate/diagnostics';
import { type DocumentNode, describeNode, entryOf, type MapNode } from '../document/model/document-node.ts';
import type { MappedText } from '../document/model/mapped-text.ts';
import type { Reporter } from '../document/model/reporter.ts';
import { meantKey } from './foreign-keys.ts';

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
export function asItems(
  node: DocumentNode,
  what: string,
  { document, reporter }: { readonly document: string; readonly reporter: Reporter },
): readonly DocumentNode[] {
  if (node.kind === 'list') return node.items;
  if (node.kind === 'map' && /^-[A-Za-z]/.test(node.entries[0]?.key ?? '')) {
    reportMissingSpace(node, reporter);
    return [];
  }
  const fix = listFix(node, document);
  reportType(reporter, node, { what, expected: 'a list', ...(fix && { fixes: [fix] }) });
  return [];
}

/** `-type: deny` is a map with the key `-type`. */
function reportMissingSpace({ entries }: MapNode, reporter: Reporter): void {
  const { keyRange } = entries[0]!;
  const at = keyRange.start + 1;
  reporter.report({
    code: 'policy/wrong-type',
    message: 'missing space after `-`, which makes this a key instead of a list item; add it',
    range: keyRange,
    args: { expected: 'a list', found: 'a map' },
    fixes: [
      { title: 'add the space', applicability: 'suggestion', edits: [{ range: { start: at, end: at }, newText: ' ' }] },
    ],
  });
}

/** Makes a value the only item of a list. */
function listFix({ kind, range }: DocumentNode, document: string): Fix | undefined {
  const written = document.slice(range.start, range.end).trimEnd();
  const whole = { start: range.start, end: range.start + written.length };
  const fix = (edits: readonly TextEdit[]): Fix => ({ title: 'make it a list', applicability: 'safe', edits });
  if (/^[{"']/.test(written)) return fix([{ range: whole, newText: `[${written}]` }]);
  if (kind === 'scalar' && /^[^|>&*!\n]+$/.test(written))
    return fix([{ range: whole, newText: `[${JSON.stringify(written)}]` }]);
  const indent = document.slice(document.lastIndexOf('\n', range.start - 1) + 1, range.start);
  // What stands in lines moves to the right by the dash.
  if (kind !== 'map' || !/^ *$/.test(indent)) return undefined;
  return fix([{ range: whole, newText: `- ${written.replaceAll(/\n(?=[^\n])/g, '\n  ')}` }]);
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
  { what, expected, fixes }: { what: string; expected: string; fixes?: readonly Fix[] },
): void {
  if (node.kind === 'broken') return;
  const found = describeNode(node);
  reporter.report({
    code: 'policy/wrong-type',
    message: `${what} must be ${expected}, found ${found}`,
    range: node.range,
    args: { expected, found },
    ...(fixes && { fixes }),
  });
}

interface KeyContext {
  readonly what: string;
  readonly reporter: Reporter;
  /** Says of a key what it is elsewhere. */
  readonly explain?: (key: string) => string | undefined;
}

/**
 * Reports the keys of a map that are none of the known ones. Gives the map with each of them under the key that it was most likely meant
 * for, so that nothing is missing that is there under a wrong name.
 */
export function checkKeys(map: MapNode, known: readonly string[], { what, reporter, explain }: KeyContext): MapNode {
  const given = new Set(map.entries.map(entry => entry.key));
  const entries = map.entries.map(entry => {
    const { key, keyRange } = entry;
    if (known.includes(key)) return entry;
    const message = explain?.(key);
    if (message === undefined) {
      const meant = reportUnknown(reporter, { code: 'policy/unknown-key', key, keyRange, known, what });
      if (meant === undefined || given.has(meant)) return entry;
      given.add(meant);
      return { ...entry, key: meant };
    }
    reporter.report({ code: 'policy/unknown-key', message, range: keyRange, args: { key, known } });
    return entry;
  });
  return entries.some((entry, index) => entry !== map.entries[index]) ? { ...map, entries } : map;
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

/** Reports a key that does not exist, and offers the one that was probably meant, which it gives. */
export function reportUnknown(
  reporter: Reporter,
  { code, key, keyRange, known, what }: UnknownKey,
): string | undefined {
  const suggestion = meantKey(key, known) ?? nearest(key, known);
  const hint = suggestion === undefined ? `; it has ${listed(known, 'and')}` : `; did you mean \`${suggestion}\`?`;
  const edits = [{ range: keyRange, newText: suggestion ?? '' }];
  reporter.report({
    code,
    message: `${what} has no key \`${key}\`${known.length === 0 ? '' : hint}`,
    range: keyRange,
    args: { key, known, ...(suggestion !== undefined && { suggestion }) },
    ...(suggestion !== undefined && {
      fixes: [
        {
          title: `change to \`${suggestion}\``,
          applicability: isOneEdit(key, suggestion) ? 'safe' : 'suggestion',
          edits,
        },
      ],
    }),
  });
  return suggestion;
}

/** Whether one sign that is missing, too many, another, or changed with its neighbour makes the difference. */
function isOneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const isSwap = left.length === 2 && left[0] === right[1] && left[1] === right[0];
  return isSwap || Math.max(left.length, right.length) <= 1;
}

/** `` `a`, `b` or `c` ``. */
export function listed(names: readonly string[], conjunction: 'and' | 'or'): string {
  const quoted = names.map(name => `\`${name}\``);
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} ${conjunction} ${quoted.at(-1)}`;
}
