// Globs and regular expressions that are compared as plain strings, and the calls that do what they were meant to do.

import { patternTree } from '../readers/pattern-tree.ts';
import type { ValueTest } from '../readers/value-tests.ts';

/** Kinds of tests that compare every character. */
export const LITERAL_TESTS: ReadonlySet<string> = new Set(['==', '!=', 'in', 'startsWith', 'endsWith', 'contains']);

/** A call that does what a glob or a pattern was meant to do. */
interface MeantCall {
  readonly name: 'startsWith' | 'endsWith' | 'contains' | 'matches';
  readonly argument: string;
}

interface Meant {
  readonly noun: 'a glob' | 'a regular expression';
  readonly call: MeantCall;
}

/** Returns what a literal was meant to be; undefined if it is a plain string. */
export function meantBy(text: string, { kind }: Pick<ValueTest, 'kind'>): Meant | undefined {
  if (!LITERAL_TESTS.has(kind)) return undefined;
  if (isPattern(text)) return { noun: 'a regular expression', call: callOfPattern(text) };
  return isGlob(text) ? { noun: 'a glob', call: callOfGlob(text, kind) } : undefined;
}

/** What plain paths and hosts do not contain: `^/admin`, `/admin/.*`, `/v[0-9]+/`, `(css|js)`. A `$` or a dot alone is common in them. */
const SIGNS_OF_PATTERNS: readonly RegExp[] = [
  /^\^[/h(.*\w]/,
  /\.[*+](?!\w)/,
  /\[\^?\w-\w/,
  /\][+*]/,
  /\\[.dw/]/,
  /\([\w.-]+\|/,
];

function isPattern(text: string): boolean {
  return SIGNS_OF_PATTERNS.some(sign => sign.test(text)) && patternTree(text) !== undefined;
}

/** True for `*` at the start or end of the whole or of a segment. */
function isGlob(text: string): boolean {
  return text !== '*' && text !== '/*' && /(?:^|[/.])\*|\*(?:$|[/.])/.test(text);
}

/** A pattern that only tests a start, an end or a part needs no `matches`. */
function callOfPattern(text: string): MeantCall {
  const [, start, body = '', end] = /^(\^?)(.*?)(\$?)$/.exec(text)!;
  const isPlain = /^[\w/-]+$/.test(body);
  if (isPlain && start && !end) return { name: 'startsWith', argument: body };
  if (isPlain && !start && end) return { name: 'endsWith', argument: body };
  const prefix = /^\^?([\w/-]+)\.\*\$?$/.exec(text)?.[1];
  if (prefix !== undefined) return { name: 'startsWith', argument: prefix };
  return { name: 'matches', argument: start || !/^[/h]/.test(text) ? text : `^${text}` };
}

function callOfGlob(text: string, kind: ValueTest['kind']): MeantCall {
  const inner = text.replace(/^\*+/, '').replace(/(?<!\*)\*+$/, '');
  if (inner === '' || inner.includes('*')) return { name: 'matches', argument: patternOf(text) };
  const [before, behind] = [text.startsWith('*'), text.endsWith('*')];
  if ((before && behind) || kind === 'contains') return { name: 'contains', argument: inner };
  return { name: before ? 'endsWith' : 'startsWith', argument: inner };
}

/** Returns the pattern for a glob in which `*` stands for a part of a segment, and `**` for anything. */
function patternOf(glob: string): string {
  const parts = glob.split(/(\*+)/).map(part => {
    if (part.startsWith('**')) return '.*';
    return part === '*' ? '[^/]*' : part.replaceAll('.', '[.]').replaceAll(/[\\^$+?()|{}]/g, '\\$&');
  });
  return `^${parts.join('')}$`;
}
