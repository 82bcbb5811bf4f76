import { jsonText, type Paint, PLAIN } from '@tollgate/diagnostics';
import { markdownText } from '@tollgate/diagnostics/reports';
import type { PlannedTarget } from '@tollgate/publisher';
import type { PolicyFile } from '../project/policy-file.ts';
import type { Impact } from './impact.ts';
import { impactLines } from './impact-lines.ts';
import type { Planning } from './make-plan.ts';
import { sourceLines, summaryLine, targetLines } from './plan-lines.ts';

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
