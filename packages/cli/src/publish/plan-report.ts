// Plans and their outcome, for terminals, in Markdown and as JSON.

import { jsonText, type Paint, PLAIN, printable } from '@tollgate/diagnostics';
import { markdownTable, markdownText } from '@tollgate/diagnostics/reports';
import { rangeInFile } from '@tollgate/policy';
import {
  type BeginEntry,
  type Change,
  describeAddress,
  MODULE_NOUNS,
  type PlannedModule,
  type PlannedTarget,
  type RuleChange,
  type RunOutcome,
  type TargetOutcome,
  type ValueChange,
} from '@tollgate/publisher';
import { pluralize } from '@tollgate/reports';
import type { Planning } from './make-plan.ts';
import { type Impact, impactLines } from './plan-impact.ts';
import type { PolicyFile } from './targets.ts';

/** Formats of plans and of what became of them. */
export type PlanFormat = 'text' | 'json' | 'markdown';

/** A plan to show. */
export interface ShownPlan extends Pick<Planning, 'plan' | 'files' | 'environment'> {
  /** By the name of the target. */
  readonly impacts: ReadonlyMap<string, Impact>;
  /** What else the reader should know. */
  readonly notes: readonly string[];
}

/** Returns a plan as text for terminals. */
export function planReport({ plan, files, impacts, notes }: ShownPlan, paint: Paint): string {
  const changed = plan.targets.filter(({ isChanged }) => isChanged);
  const blocks = changed.map(planned => {
    const { name } = planned.target;
    const impact = impacts.get(name);
    return [...targetLines(planned, files.get(name), paint), ...(impact ? impactLines(impact) : [])].join('\n');
  });
  return `${[...blocks, ...notes, summaryLine(plan.targets)].join('\n\n')}\n`;
}

/** Returns a plan as Markdown, for comments on pull requests. */
export function planMarkdown({ plan, files, environment, impacts, notes }: ShownPlan): string {
  const changed = plan.targets.filter(({ isChanged }) => isChanged);
  const blocks = changed.map(planned => {
    const { name } = planned.target;
    const impact = impacts.get(name);
    const lines = [...targetLines(planned, files.get(name), PLAIN).slice(1), ...(impact ? impactLines(impact) : [])];
    return diffBlock(name, lines);
  });
  return `${[`## Plan for ${markdownText(environment.name)}`, ...blocks, ...notes.map(markdownText), summaryLine(plan.targets)].join('\n\n')}\n`;
}

/** Returns the changes to a target as Markdown. Marks at the beginning of a line are what `diff` colours. */
export function diffBlock(title: string, lines: readonly string[]): string {
  const diff = lines.map(line => line.replace(/^ {4}([-+!]) /, '$1 ').replaceAll('```', "'''"));
  return `### ${markdownText(title)}\n\n\`\`\`diff\n${diff.join('\n')}\n\`\`\``;
}

/** Returns a plan as JSON. */
export function planJson({ plan, files, environment, impacts, notes }: ShownPlan): string {
  const document = {
    version: 1,
    outcome: plan.targets.some(({ isChanged }) => isChanged) ? 'changes' : 'no changes',
    environment: environment.name,
    targets: plan.targets.map(planned => targetJson(planned, files, impacts)),
    notes,
  };
  return `${jsonText(document, 2)}\n`;
}

function targetJson(
  { target, ref, modules, isChanged }: PlannedTarget,
  files: ReadonlyMap<string, PolicyFile>,
  impacts: ReadonlyMap<string, Impact>,
) {
  const file = files.get(target.name);
  const impact = impacts.get(target.name);
  return {
    target: target.name,
    record: ref,
    changed: isChanged,
    modules: modules
      .filter(({ changes }) => changes.length > 0)
      .map(({ module, changes, erased }) => ({
        module,
        changes: changes.map(change =>
          change.kind === 'value' || !file || change.to === undefined
            ? change
            : { ...change, file: file.locate().file.uri, lines: sourceLines(change.phase, change.to, file) },
        ),
        erased,
      })),
    ...(impact && { impact }),
  };
}

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
  return `    ${paint(STYLES[kind], MARKS[kind])} ${printable(sourceJson(before ?? after))}`;
}

/** Returns where a rule is in its file, such as `  policies/shop.yaml:12-19`. */
function sourceLocation({ phase, to }: RuleChange, file: PolicyFile | undefined): string {
  const lines = file && to !== undefined ? sourceLines(phase, to, file) : undefined;
  return lines === undefined
    ? ''
    : `  ${file!.locate().file.uri}:${lines.first === lines.last ? lines.first : `${lines.first}-${lines.last}`}`;
}

/** Returns the one-based lines of a rule. */
function sourceLines(
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
  return printable(`${path}: ${sourceJson(before)} → ${sourceJson(after)}`);
}

/** Longer values are cut: the files show them. */
const MOST = 100;

function sourceJson(value: unknown): string {
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

/** The result of an apply or a rollback. */
interface ShownOutcome {
  readonly command: BeginEntry['command'];
  readonly outcome: RunOutcome;
  readonly targets: readonly TargetOutcome[];
  /** Undefined if nothing was written. */
  readonly hasTags: boolean | undefined;
}

/** Returns what each target holds after an apply or a rollback. */
export function outcomeReport(format: PlanFormat, shown: ShownOutcome): string {
  if (format === 'json') return json(shown);
  return format === 'markdown' ? markdown(shown) : text(shown);
}

/** Returns the result for one target in one line. */
export function outcomeText({ target, state, reason }: TargetOutcome): string {
  return printable(`${target}: ${state}${reason === undefined ? '' : ` (${reason})`}`);
}

function json({ outcome, hasTags, targets }: ShownOutcome): string {
  return `${jsonText({ version: 1, outcome, hasTags: hasTags ?? null, targets }, 2)}\n`;
}

function text(shown: ShownOutcome): string {
  const others = shown.targets.filter(({ state }) => state !== 'written').map(one => `  ${outcomeText(one)}`);
  return `${[summary(shown), ...others].join('\n')}\n`;
}

function markdown(shown: ShownOutcome): string {
  const rows = shown.targets.map(({ target, state, reason = '', modules }) =>
    [target, state, modules.map(({ module }) => MODULE_NOUNS[module]).join(', '), reason].map(markdownText),
  );
  const table = rows.length === 0 ? [] : [markdownTable(['target', 'state', 'modules', 'reason'], rows)];
  return `${[`## ${summary(shown)}`, ...table].join('\n\n')}\n`;
}

/** Returns a line such as `applied: 19 written, 1 conflict`. */
function summary({ command, outcome, targets }: ShownOutcome): string {
  if (targets.length === 0) return command === 'rollback' ? 'nothing to roll back' : 'no changes';
  const words = command === 'rollback' ? outcome.replace('applied', 'rolled back') : outcome;
  const counts = [...Map.groupBy(targets, ({ state }) => state)].map(([state, list]) => `${list.length} ${state}`);
  return `${words}: ${counts.join(', ')}`;
}
