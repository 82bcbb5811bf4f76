import { type Paint, printable } from '@tollgate/diagnostics';
import { rangeInFile } from '@tollgate/policy';
import {
  type Change,
  describeAddress,
  MODULE_NOUNS,
  type PlannedModule,
  type PlannedTarget,
  type RuleChange,
  type ValueChange,
} from '@tollgate/publisher';
import { pluralize } from '../../text/format-count.ts';
import type { PolicyFile } from '../project/policy-file.ts';

const MARKS = { added: '+', removed: '-', moved: '>', changed: '~', value: '~' } as const;

const STYLES = { added: 'hint', removed: 'error', moved: 'frame', changed: 'warning', value: 'warning' } as const;

/** Returns the lines that show what a target would become. */
export function targetLines(planned: PlannedTarget, file: PolicyFile | undefined, paint: Paint): readonly string[] {
  const { target, ref, modules } = planned;
  const head = `${paint('strong', printable(target.name))}  ${printable(describeAddress(target.address))} (${ref.id})`;
  const changed = modules.filter(({ changes }) => changes.length > 0);
  return [head, ...changed.flatMap(module => moduleLines(module, file, paint))];
}

function moduleLines(module: PlannedModule, file: PolicyFile | undefined, paint: Paint): readonly string[] {
  const lines = module.changes.flatMap(change => changeLines(change, file, paint));
  return [
    `  ${MODULE_NOUNS[module.module]}${module.live === null ? ' (new)' : ''}`,
    ...lines,
    ...erasedLines(module, paint),
  ];
}

/** Returns the lines that show a change. */
export function changeLines(change: Change, file: PolicyFile | undefined, paint: Paint): readonly string[] {
  const mark = paint(STYLES[change.kind], MARKS[change.kind]);
  if (change.kind === 'value') return [valueLine(change, paint)];
  const { phase, from, to, name, values } = change;
  const number = (to ?? from)! + 1;
  const moved = change.kind === 'moved' ? `, was ${from! + 1}` : '';
  const location = sourceLocation(change, file);
  const head = `    ${mark} ${phase} ${number}  ${printable(name === '' ? '(no name)' : name)}  ${change.kind}${moved}${location}`;
  return [head, ...values.map(value => `        ${valueText(value)}`)];
}

/** A module that appears or disappears has only one value. */
function valueLine(change: ValueChange, paint: Paint): string {
  const { before = null, after = null } = change;
  if (change.path !== '' || (before !== null && after !== null))
    return `    ${paint('warning', '~')} ${valueText(change)}`;
  const kind = before === null ? 'added' : 'removed';
  return `    ${paint(STYLES[kind], MARKS[kind])} ${printable(jsonText(before ?? after))}`;
}

/** Returns where a rule is in its file, such as `  policies/shop.yaml:12-19`. */
function sourceLocation({ phase, to }: RuleChange, file: PolicyFile | undefined): string {
  const lines = file && to !== undefined ? sourceLines(phase, to, file) : undefined;
  return lines === undefined
    ? ''
    : `  ${file!.locate().file.uri}:${lines.first === lines.last ? lines.first : `${lines.first}-${lines.last}`}`;
}

/** Returns the one-based lines of a rule. */
export function sourceLines(
  phase: string,
  index: number,
  { locate, analyse }: PolicyFile,
): { readonly first: number; readonly last: number } | undefined {
  const rules: Readonly<Record<string, readonly { readonly range: { start: number; end: number } }[]>> =
    analyse().analysis.policy?.rules ?? {};
  const rule = rules[phase]?.[index];
  if (!rule) return undefined;
  const { start, end } = rule.range;
  const embedded = locate();
  const visible = embedded.source.text.slice(start, end).trimEnd().length;
  const range = rangeInFile(embedded, { start, end: start + visible });
  const lineOf = (offset: number) => embedded.file.positionAt(offset).line + 1;
  return { first: lineOf(range.start), last: lineOf(range.end) };
}

function valueText({ path, before, after }: ValueChange): string {
  return printable(`${path}: ${jsonText(before)} → ${jsonText(after)}`);
}

/** Longer values are cut: the files show them. */
const MOST = 100;

function jsonText(value: unknown): string {
  if (value === undefined) return '(absent)';
  const text = JSON.stringify(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

function erasedLines({ erased }: PlannedModule, paint: Paint): readonly string[] {
  if (erased.length === 0) return [];
  const names = erased.map(({ phase, index, name }) => (name === '' ? `${phase} ${index + 1}` : name));
  const what = `erases live rules that neither the file nor the last apply contains: ${names.map(printable).join(', ')}`;
  return [`    ${paint('error', '!')} ${what}`];
}

/** Returns the number of changes in words: `2 of 20 targets change: 3 rules added, 1 removed`. */
export function summaryLine(targets: readonly PlannedTarget[]): string {
  const changed = targets.filter(({ isChanged }) => isChanged);
  const all = pluralize(targets.length, 'target');
  if (changed.length === 0) return `no changes in ${all}`;
  const changes = changed.flatMap(({ modules }) => modules.flatMap(one => one.changes));
  const counts = (['added', 'removed', 'moved', 'changed', 'value'] as const).flatMap(kind => {
    const count = changes.filter(one => one.kind === kind).length;
    if (count === 0) return [];
    return [kind === 'value' ? `${pluralize(count, 'value')} changed` : `${pluralize(count, 'rule')} ${kind}`];
  });
  return `${changed.length} of ${all} ${changed.length === 1 ? 'changes' : 'change'}: ${counts.join(', ')}`;
}
