// `tollgate plan`.

import { randomUUID } from 'node:crypto';
import { planText, storedTarget } from '@tollgate/publisher';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { makePlan, notesOn, type Planning, refuseBrokenPolicies } from './make-plan.ts';
import { impactsOf } from './plan-impact.ts';
import { type PlanFormat, planJson, planMarkdown, planReport, type ShownPlan } from './plan-report.ts';
import { commitOf } from './project.ts';

/** The options of `tollgate plan`. */
interface PlanOptions {
  readonly target?: readonly string[];
  readonly format: PlanFormat;
  readonly traffic?: readonly string[];
  readonly out?: string;
  readonly exitCode?: true;
  readonly allowErase?: true;
}

/** Shows what `tollgate apply` would change. Sends only reads. */
export async function plan(
  environment: string | undefined,
  options: PlanOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { target: only, format, out } = options;
  const planning = await makePlan({ environment, only, keepsKey: out !== undefined }, terminal);
  if (typeof planning === 'number') return planning;
  const refused = refuseBrokenPolicies(planning, terminal);
  if (refused !== undefined) return refused;
  const impacts = await impactsOf(planning, options.traffic ?? [], terminal);
  terminal.write(shownAs(format, { ...planning, impacts, notes: notesOn(planning) }, terminal));
  if (out !== undefined) {
    const failure = await replaceFile(out, storedPlan(planning, options));
    if (failure) throw failure;
  }
  const isChanged = planning.plan.targets.some(one => one.isChanged);
  return isChanged && options.exitCode ? EXIT.findings : EXIT.clean;
}

/** Returns a plan in one of its formats. */
function shownAs(format: PlanFormat, shown: ShownPlan, terminal: Terminal): string {
  if (format === 'json') return planJson(shown);
  return format === 'markdown' ? planMarkdown(shown) : planReport(shown, reportStyle(terminal).paint);
}

function storedPlan({ plan: { targets }, environment, project, keyed }: Planning, options: PlanOptions): string {
  const stored = {
    version: 1,
    id: randomUUID(),
    environment: environment.name,
    url: environment.settings.url,
    createdAt: new Date().toISOString(),
    commit: commitOf(project.directory) ?? null,
    keyId: keyed.keyId,
    allowErase: options.allowErase ?? false,
    targets: targets.map(one => storedTarget(one, keyed)),
  } as const;
  return planText(stored, keyed);
}
