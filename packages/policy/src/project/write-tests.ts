// Writes policy tests: a whole file, or more tests at the end of one that people wrote, which keeps everything else as it is.

import { escapedControls, isRecord, SourceText, singleQuoted } from '@tollgate/diagnostics';
import { type DocumentNode, entryOf } from '../document/document-node.ts';
import type { PolicyTest, PolicyTests } from './policy-tests.ts';
import { parseTests } from './read-tests.ts';

/** A test to write, as a test of a file without tables. */
export type TestToWrite = Omit<PolicyTest, 'path' | 'table'>;

/** Returns a file of policy tests in YAML. */
export function testsText({ tests, ...file }: PolicyTests, comment: string): string {
  const head = Object.entries(file).map(([name, value]) => `${name}: ${scalar(value)}`);
  return `# ${comment}\n${head.join('\n')}\ntests:\n${tests.map(test => itemText(test, '  ')).join('\n\n')}\n`;
}

/** Returns one test as an item of a list in YAML, to paste. */
export function testText(test: TestToWrite): string {
  return `${itemText(test, '  ')}\n`;
}

/**
 * Returns a file of policy tests in YAML or JSON with tests after its last one, laid out like that. Undefined if the file has errors or its tests are
 * behind an alias.
 */
export function addTests(source: SourceText, tests: readonly TestToWrite[]): string | undefined {
  const { text } = source;
  if (tests.length === 0) return text;
  const { value, root } = parseTests(source);
  const list = value === undefined || root?.kind !== 'map' ? undefined : entryOf(root, 'tests')?.value;
  if (list?.kind !== 'list' || list.items.length === 0) return undefined;
  const last = list.items.at(-1)!;
  const added = text[list.range.start] === '[' ? inBrackets(text, last, tests) : inBlock(text, list.items, tests);
  const whole = added === undefined ? undefined : parseTests(new SourceText(source.uri, added)).value;
  return whole?.tests.length === value!.tests.length + tests.length ? added : undefined;
}

function inBlock(text: string, items: readonly DocumentNode[], tests: readonly TestToWrite[]): string | undefined {
  const last = items.at(-1)!;
  const line = text.lastIndexOf('\n', last.range.start) + 1;
  const indent = /^[ ]*(?=-[ ])/.exec(text.slice(line))?.[0];
  if (indent === undefined) return undefined;
  const isOpen = items.some(
    ({ range }, at) => at > 0 && /\n[ \t\r]*\n[^\n]*$/.test(text.slice(0, text.lastIndexOf('-', range.start))),
  );
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const end = endOfLast(text, last, indent);
  const before = text.slice(0, end);
  const written = tests.map(test => itemText(test, indent).replaceAll('\n', ending));
  const separator = isOpen || items.length === 1 ? `${ending}${ending}` : ending;
  return `${before}${separator}${written.join(separator)}${text.slice(end)}`;
}

/** Comments after the last test that are indented like its members belong to it. */
function endOfLast(text: string, { range }: DocumentNode, indent: string): number {
  const trimmed = text.slice(0, range.end).trimEnd().length;
  let end = text.indexOf('\n', trimmed);
  if (end < 0) return text.trimEnd().length;
  for (;;) {
    const next = text.indexOf('\n', end + 1);
    const line = text.slice(end + 1, next < 0 ? text.length : next);
    if (!line.startsWith(`${indent}  `) || !/^\s*#/.test(line)) break;
    end = next < 0 ? text.length : next;
  }
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** JSON, or a list of YAML in flow style. */
function inBrackets(text: string, last: DocumentNode, tests: readonly TestToWrite[]): string {
  const { start, end } = last.range;
  const line = text.lastIndexOf('\n', start) + 1;
  const indent = /^\s*$/.test(text.slice(line, start)) ? text.slice(line, start) : undefined;
  const written = tests.map(test => {
    const json = JSON.stringify(test, undefined, indent === undefined ? undefined : 2);
    return indent === undefined ? ` ${json}` : `\n${json.replace(/^/gm, indent)}`;
  });
  return `${text.slice(0, end)},${written.join(',')}${text.slice(end)}`;
}

function itemText(test: TestToWrite, indent: string): string {
  const [first = '', ...rest] = mapLines(test, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest].join('\n');
}

const WIDTH = 100;

/** One member on a line: what fits is in flow style, as people write it. */
function mapLines(value: object, indent: string): string[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const start = `${indent}${keyText(key)}:`;
    const flow = `${start} ${flowText(member)}`;
    const isNested =
      isRecord(member) && Object.values(member).some(one => isRecord(one) && Object.values(one).some(isRecord));
    if (!isRecord(member) || Object.keys(member).length === 0 || (flow.length <= WIDTH && !isNested)) return flow;
    return [start, ...mapLines(member, `${indent}  `)];
  });
}

function keyText(key: string): string {
  return /^[a-zA-Z_][\w-]*(?: [\w-]+)*$/.test(key) && !RESERVED.has(key.toLowerCase()) ? key : JSON.stringify(key);
}

function flowText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`;
  if (!isRecord(value)) return scalar(value);
  const members = Object.entries(value).map(([key, member]) => `${keyText(key)}: ${flowText(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Words that no version of YAML reads as anything else, also in flow style. */
const PLAIN_SCALAR =
  /^[a-zA-Z/](?:[\w/.?=+%~;()*$'-]|:(?=[\w/]))*(?: [\w/.=+%~;()*$'-](?:[\w/.?=+%~;()*$'-]|:(?=[\w/]))*)*$/;
const ADDRESS = /^\d{1,3}(?:[.]\d{1,3}){3}$/;

/** JSON is YAML. Strings that need no quotes in any version of YAML go without. */
function scalar(value: unknown): string {
  if (typeof value === 'string') {
    if (ADDRESS.test(value) || (PLAIN_SCALAR.test(value) && !RESERVED.has(value.toLowerCase()))) return value;
    if (/["\\]/.test(value) && /^[\x20-\x7e]*$/.test(value)) return singleQuoted(value);
  }
  return escapedControls(JSON.stringify(value)).replaceAll('\ufeff', '\\ufeff');
}

/** Strings that some version of YAML reads as something else. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['true', 'false', 'yes', 'no', 'on', 'off', 'null', 'y', 'n', 'nan', 'inf'],
]);
