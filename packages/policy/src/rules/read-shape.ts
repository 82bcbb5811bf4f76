import { nearest } from '@tollgate/cel/tooling';
import { type Fix, lineStart, type Range, type TextEdit } from '@tollgate/diagnostics';
import { type DocumentNode, describeNode, entryOf, type MapNode, type Reporter } from '../document/document-node.ts';
import type { MappedText } from '../document/scalar-text.ts';
import { intendedKey } from './policy.ts';

/** A string with the mapping to its source. */
interface StringValue {
  readonly value: string;
  readonly range: Range;
  readonly text: MappedText;
}

/** Returns true if the value is omitted or null, which means the same. */
export function isNothing(node: DocumentNode | undefined): boolean {
  return node === undefined || (node.kind === 'scalar' && node.value === null);
}

/** Returns the value of a key, or undefined if it is omitted or null. */
export function givenValue(map: MapNode, key: string): DocumentNode | undefined {
  const node = entryOf(map, key)?.value;
  return isNothing(node) ? undefined : node;
}

/** Returns the node if it is a map, or reports it. `what` names it in the message: `a rule`. */
export function asMap(node: DocumentNode, what: string, reporter: Reporter): MapNode | undefined {
  if (node.kind === 'map') return node;
  reportType(reporter, node, { what, expected: 'a map' });
  return undefined;
}

/** Returns the items of a list, or reports the node. */
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

/** Reports `-type: deny`, a map with the key `-type`. */
function reportMissingSpace({ entries }: MapNode, reporter: Reporter): void {
  const { keyRange } = entries[0]!;
  const at = keyRange.start + 1;
  reporter.report({
    code: 'policy/wrong-type',
    message: 'missing space after `-`; add it to make this a list item',
    range: keyRange,
    args: { expected: 'a list', found: 'a map' },
    fixes: [
      { title: 'add the space', applicability: 'suggestion', edits: [{ range: { start: at, end: at }, newText: ' ' }] },
    ],
  });
}

/** Returns a fix that makes a value the only item of a list. */
function listFix({ kind, range }: DocumentNode, document: string): Fix | undefined {
  const written = document.slice(range.start, range.end).trimEnd();
  const whole = { start: range.start, end: range.start + written.length };
  const fix = (edits: readonly TextEdit[]): Fix => ({ title: 'make it a list', applicability: 'safe', edits });
  if (/^[{"']/.test(written)) return fix([{ range: whole, newText: `[${written}]` }]);
  if (kind === 'scalar' && /^[^|>&*!\n]+$/.test(written))
    return fix([{ range: whole, newText: `[${JSON.stringify(written)}]` }]);
  const indent = document.slice(lineStart(document, range.start), range.start);
  // The lines of a block value move to the right by the width of the dash.
  if (kind !== 'map' || !/^ *$/.test(indent)) return undefined;
  return fix([{ range: whole, newText: `- ${written.replaceAll(/\n(?=[^\n])/g, '\n  ')}` }]);
}

/** Returns the node if it is a string, or reports it. */
export function asString(node: DocumentNode, what: string, reporter: Reporter): StringValue | undefined {
  if (node.kind === 'scalar' && node.text && typeof node.value === 'string') {
    return { value: node.value, range: node.range, text: node.text };
  }
  reportType(reporter, node, { what, expected: 'a string' });
  return undefined;
}

/** Reports a value of the wrong type. */
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
  /** Explains what an unknown key means elsewhere. */
  readonly explain?: (key: string) => string | undefined;
}

/**
 * Reports unknown keys of a map. Returns the map with each renamed to the key that was probably meant, so that a
 * misspelled key is not reported as missing too.
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
      return { ...entry, key: meant, value: LIST_KEYS.has(meant) ? listOf(entry.value) : entry.value };
    }
    reporter.report({ code: 'policy/unknown-key', message, range: keyRange, args: { key, known } });
    return entry;
  });
  return entries.some((entry, index) => entry !== map.entries[index]) ? { ...map, entries } : map;
}

/** Keys whose singular is often written with a single value, which one message explains. */
const LIST_KEYS: ReadonlySet<string> = new Set(['expressions', 'actions']);

function listOf(node: DocumentNode): DocumentNode {
  const isSingle = node.kind === 'map' || (node.kind === 'scalar' && node.value !== null);
  return isSingle ? { kind: 'list', range: node.range, items: [node] } : node;
}

/** An unknown name, with the one that was probably meant. */
interface UnknownKey {
  readonly code: string;
  readonly key: string;
  readonly keyRange: Range;
  readonly known: readonly string[];
  /** What has the key: `a rule`. */
  readonly what: string;
}

/** Reports an unknown key, suggests the key that was probably meant, and returns that one. */
export function reportUnknown(
  reporter: Reporter,
  { code, key, keyRange, known, what }: UnknownKey,
): string | undefined {
  const suggestion = intendedKey(key, known) ?? nearest(key, known);
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

/** Returns true if the strings differ by one insertion, deletion, substitution or transposition. */
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
