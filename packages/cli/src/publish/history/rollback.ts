import { ExternalError, PLAIN, printable } from '@tollgate/diagnostics';
import {
  isSame,
  type Keyed,
  newestStanding,
  type PlannedTarget,
  planRestoration,
  type RecordHistory,
  type RecordRun,
  type Remote,
  type Run,
  readConfirmed,
  type Standing,
  secretsIn,
  type TargetOutcome,
} from '@tollgate/publisher';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import { printMessage, type Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import { confirm } from '../applying/confirm.ts';
import { outcomeReport } from '../applying/outcome-report.ts';
import { runChanges } from '../applying/run-changes.ts';
import { settleEarlier } from '../applying/settle-open.ts';
import { ownHistories } from '../planning/live-records.ts';
import { summaryLine, targetLines } from '../planning/plan-lines.ts';
import type { PlanFormat } from '../planning/plan-report.ts';
import { type JournalFile, openJournal, openKeyed } from '../project/journal-file.ts';
import { chooseEnvironment, type Environment, loadProject, type PublishProject } from '../project/load-project.ts';
import { openRemote } from '../project/open-remote.ts';
import { readTargets } from '../project/read-targets.ts';
import { archiveOf } from './former-policies.ts';

/** The options of `tollgate rollback`. */
export interface RollbackOptions {
  readonly yes?: true;
  readonly format: PlanFormat;
}

/** Restores what modules held before a run. Skips the gate: what was live before is known to work. */
export async function rollBackRun(
  names: readonly string[],
  options: RollbackOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const { name, environment: given } = argumentsOf(names, project);
  const keyed = openKeyed(project, true);
  const numbered = name === undefined ? undefined : numberedRun(openJournal(project, keyed).runs, name);
  const environment = chooseEnvironment(project, given ?? numbered?.begin.environment);
  await settleEarlier(project, environment.name, terminal);
  const journal = openJournal(project, keyed);
  const remote = openRemote(project, environment, terminal);
  const base = { project, environment, remote, keyed, journal };
  const histories = await ownHistories(base);
  const chosen = chooseRun(name, { numbered, histories, keyed });
  const run = chosen[0]!.run;
  const { targets, refused, confirmed } = await waysBack(chosen, base, terminal);
  const changed = targets.filter(({ isChanged }) => isChanged);
  const shown = describeRun(run, journal);
  for (const { target, reason } of refused)
    printMessage(terminal, `target \`${target}\` cannot be rolled back: ${reason} (${shown})`);
  if (changed.length === 0) {
    const outcome = refused.length > 0 ? 'failed' : 'applied';
    if (refused.length === 0) printMessage(terminal, `${shown} is not in effect`);
    terminal.write(
      outcomeReport(options.format, { command: 'rollback', outcome, targets: refused, hasTags: undefined }),
    );
    return refused.length > 0 ? EXIT.findings : EXIT.clean;
  }
  const lines = changed.flatMap(planned => targetLines(planned, undefined, PLAIN));
  terminal.writeError(`${lines.join('\n')}\n\nundoes ${shown}\n${summaryLine(changed)}\n`);
  if (!options.yes && !(await confirm(`Roll back ${shown}?`, '`--yes`', terminal))) {
    printMessage(terminal, 'nothing was written');
    return EXIT.findings;
  }
  const number = journal.runs.find(({ begin }) => begin.run === run.run)?.number;
  const what = { command: 'rollback', ...(number !== undefined && { undoes: number }), undoesRun: run.run } as const;
  return await runChanges(
    {
      ...base,
      targets: changed,
      what,
      histories: [...histories, ...confirmed],
      rollBack: true,
      format: options.format,
      refused,
    },
    terminal,
  );
}

/** The run may be left out. */
function argumentsOf(
  [first, second]: readonly string[],
  { publish }: PublishProject,
): { readonly name: string | undefined; readonly environment: string | undefined } {
  const isEnvironment = first !== undefined && second === undefined && Object.hasOwn(publish.environments ?? {}, first);
  return isEnvironment ? { name: undefined, environment: first } : { name: first, environment: second };
}

/** Returns words such as `run 3 of 2027-01-31T10:20:30Z by alice, commit 0123456789`. */
function describeRun({ run, time, who, commit }: RecordRun, { runs }: JournalFile): string {
  const number = runs.find(({ begin }) => begin.run === run)?.number ?? run.slice(0, SHORT);
  const from = commit === undefined ? '' : `, commit ${commit.slice(0, 10)}`;
  return printable(`run ${number} of ${time.replace(/\.\d+Z$/, 'Z')} by ${who}${from}`);
}

/** Runs of other machines have no number here. */
const SHORT = 8;

/** Returns the run of this journal with a number; undefined if the argument is a part of an id. */
function numberedRun(runs: readonly Run[], name: string): Run | undefined {
  return /^[1-9]\d{0,8}$/.test(name) ? runs[Number(name) - 1] : undefined;
}

interface Rolling {
  readonly project: PublishProject;
  readonly environment: Environment;
  readonly remote: Remote;
  readonly keyed: Keyed;
  readonly journal: JournalFile;
}

interface Choosing {
  readonly numbered: Run | undefined;
  readonly histories: readonly RecordHistory[];
  readonly keyed: Keyed;
}

/** Without a name, the newest run that is in effect. */
function chooseRun(name: string | undefined, { numbered, histories, keyed }: Choosing): readonly Standing[] {
  if (name === undefined) {
    const newest = newestStanding(histories, keyed);
    if (newest.length === 0)
      throw new UsageError('nothing to roll back: no run is in effect; `tollgate history` lists what was published');
    return newest;
  }
  const id = numbered?.begin.run ?? (name.length >= SHORT ? name : undefined);
  const found = histories.flatMap(history => {
    const run = id === undefined ? undefined : history.runs.find(one => one.run.startsWith(id));
    return run ? [{ history, run, isOverwritten: false }] : [];
  });
  if (found.length > 0) return found;
  if (numbered === undefined) throw new UsageError(`no run \`${name}\`; \`tollgate history\` lists them`);
  throw new UsageError(`run ${numbered.number} is not in effect: it has changed nothing, or its records are gone`);
}

interface WaysBack {
  readonly targets: readonly PlannedTarget[];
  readonly refused: readonly TargetOutcome[];
  /** As they were read. */
  readonly confirmed: readonly RecordHistory[];
}

async function waysBack(
  chosen: readonly Standing[],
  { project, environment, remote, keyed }: Rolling,
  terminal: Terminal,
): Promise<WaysBack> {
  const secrets = await sourceSecrets(project, environment.name, terminal);
  const targets: PlannedTarget[] = [];
  const refused: TargetOutcome[] = [];
  const confirmed: RecordHistory[] = [];
  for (const { history, run } of chosen) {
    const { target } = run;
    const reading = await readConfirmed(remote, history.record.ref, {
      essence: ({ modules }) => modules,
      // The list has said the same.
      isCertain: ({ record: { modules } }) => isSame(modules, history.record.modules),
    });
    if (!reading.ok && reading.failure.kind !== 'gone') throw new ExternalError('publish/api', reading.failure.message);
    if (reading.ok) confirmed.push({ ...history, record: reading.value.record });
    const way = reading.ok
      ? await planRestoration(run, reading.value, {
          keyed,
          secrets,
          archive: archiveOf({ project, history, terminal }),
        })
      : { reason: 'it no longer exists' };
    if ('planned' in way) targets.push(way.planned);
    else refused.push({ target, state: 'conflict', reason: way.reason, modules: [] });
  }
  return { targets, refused, confirmed };
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
