import { ExternalError, PLAIN } from '@tollgate/diagnostics';
import {
  type Json,
  type Keyed,
  type LiveRecord,
  type PlannedTarget,
  planRestoration,
  type Run,
  type RunModule,
  readConfirmed,
  secretsIn,
  type TargetOutcome,
} from '@tollgate/publisher';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import { printMessage, type Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import { confirm } from '../applying/confirm.ts';
import { outcomeReport } from '../applying/outcome-report.ts';
import { type Changes, runChanges } from '../applying/run-changes.ts';
import { settleEarlier } from '../applying/settle-open.ts';
import { summaryLine, targetLines } from '../planning/plan-lines.ts';
import type { PlanFormat } from '../planning/plan-report.ts';
import { openJournal, openKeyed } from '../project/journal-file.ts';
import { chooseEnvironment, loadProject, type PublishProject } from '../project/load-project.ts';
import { openRemote } from '../project/open-remote.ts';
import { readTargets } from '../project/read-targets.ts';

/** The options of `tollgate rollback`. */
export interface RollbackOptions {
  readonly yes?: true;
  readonly format: PlanFormat;
}

/** Restores what modules held before a run. Skips the gate: what was live before is known to work. */
export async function rollBackRun(
  number: string | undefined,
  options: RollbackOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const run = chooseRun(openJournal(project).runs, number);
  const environment = chooseEnvironment(project, run.begin.environment);
  await settleEarlier(project, environment.name, terminal);
  const journal = openJournal(project);
  const { modules } = journal.runs[run.number - 1]!;
  const keyed = openKeyed(project, true);
  if (run.begin.keyId !== keyed.keyId) {
    const message = `run ${run.number} was recorded with another history key; set \`TOLLGATE_HISTORY_KEY\` to that key`;
    throw new ExternalError('publish/journal', message);
  }
  const remote = openRemote(project, environment, terminal);
  const base = { project, environment, remote, keyed, journal };
  const { targets, refused } = await waysBack(
    modules.filter(({ holds }) => holds === 'after'),
    base,
    terminal,
  );
  const changed = targets.filter(({ isChanged }) => isChanged);
  for (const { target, reason } of refused)
    printMessage(terminal, `target \`${target}\` cannot be rolled back: ${reason}`);
  if (changed.length === 0) {
    const outcome = refused.length > 0 ? 'failed' : 'applied';
    terminal.write(
      outcomeReport(options.format, { command: 'rollback', outcome, targets: refused, hasTags: undefined }),
    );
    return refused.length > 0 ? EXIT.findings : EXIT.clean;
  }
  const lines = changed.flatMap(planned => targetLines(planned, undefined, PLAIN));
  terminal.writeError(`${lines.join('\n')}\n\n${summaryLine(changed)}\n`);
  if (!options.yes && !(await confirm(`Roll back run ${run.number}?`, '`--yes`', terminal))) {
    printMessage(terminal, 'nothing was written');
    return EXIT.findings;
  }
  const what = { command: 'rollback', undoes: run.number } as const;
  return await runChanges(
    { ...base, targets: changed, what, rollBack: true, format: options.format, refused },
    terminal,
  );
}

/** Without a number, the newest run that is not undone and has written something. */
function chooseRun(runs: readonly Run[], number: string | undefined): Run {
  if (number !== undefined) {
    const run = /^[1-9]\d{0,8}$/.test(number) ? runs[Number(number) - 1] : undefined;
    if (!run) throw new UsageError(`no run \`${number}\`; \`tollgate history\` lists them`);
    return run;
  }
  const undone = new Set(runs.flatMap(({ begin }) => begin.undoes ?? []));
  const isOpen = ({ modules }: Run) => modules.some(({ holds }) => holds === 'after' || holds === undefined);
  const last = runs.findLast(run => run.begin.command === 'apply' && !undone.has(run.number) && isOpen(run));
  if (!last) throw new UsageError('nothing to roll back; `tollgate history` lists what was published');
  return last;
}

interface WaysBack {
  readonly targets: readonly PlannedTarget[];
  readonly refused: readonly TargetOutcome[];
}

async function waysBack(
  modules: readonly RunModule[],
  { project, environment, remote, keyed }: Pick<Changes, 'project' | 'environment' | 'remote' | 'keyed'>,
  terminal: Terminal,
): Promise<WaysBack> {
  const secrets = await sourceSecrets(project, environment.name, terminal);
  const targets: PlannedTarget[] = [];
  const refused: TargetOutcome[] = [];
  for (const [target, own] of Map.groupBy(modules, ({ intent }) => intent.target)) {
    const reading = await readConfirmed(remote, own[0]!.intent.ref, record => surprisesIn(record, own, keyed));
    if (!reading.ok && reading.failure.kind !== 'gone') throw new ExternalError('publish/api', reading.failure.message);
    const way = reading.ok
      ? planRestoration(target, own, { record: reading.value.record, keyed, secrets })
      : { reason: 'it no longer exists' };
    if ('planned' in way) targets.push(way.planned);
    else refused.push({ target, state: 'conflict', reason: way.reason, modules: [] });
  }
  return { targets, refused };
}

/** Returns the modules that hold neither what the run wrote nor what they held before; undefined if there are none. */
function surprisesIn({ modules }: LiveRecord, own: readonly RunModule[], { fingerprint }: Keyed): Json | undefined {
  const found = own.flatMap(({ intent: { module, beforeFingerprint, afterFingerprint } }) =>
    [beforeFingerprint, afterFingerprint].includes(fingerprint(modules[module])) ? [] : [modules[module]],
  );
  return found.length > 0 ? found : undefined;
}

/** Sources may be missing by now; then only live modules can tell their secrets. */
async function sourceSecrets(
  project: PublishProject,
  environment: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  try {
    const { targets } = await readTargets({ project, environment, only: undefined, terminal });
    return targets.flatMap(({ modules }) => modules.flatMap(({ module, value }) => secretsIn(module, value)));
  } catch (error) {
    if (error instanceof ExternalError || error instanceof UsageError) return [];
    throw error;
  }
}
