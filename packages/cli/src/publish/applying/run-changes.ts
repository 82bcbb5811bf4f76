import { randomUUID } from 'node:crypto';
import { printable } from '@tollgate/diagnostics';
import {
  type ApplyOutcome,
  applyPlan,
  type BeginEntry,
  type Keyed,
  nextSequence,
  type PlannedTarget,
  type RecordHistory,
  type Remote,
  type RunOutcome,
  type RunStamp,
  type TargetOutcome,
} from '@tollgate/publisher';
import { splitFilePart } from '../../input/file-part.ts';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import { printMessage, type Terminal } from '../../process/terminal.ts';
import type { PlanFormat } from '../planning/plan-report.ts';
import { commitWith, projectIdOf, whoRuns } from '../project/commit.ts';
import type { JournalFile } from '../project/journal-file.ts';
import type { Environment, PublishProject } from '../project/load-project.ts';
import { interruptible } from './interruption.ts';
import { outcomeReport, outcomeText } from './outcome-report.ts';

/** Changes to write, and where. */
export interface Changes {
  readonly project: PublishProject;
  readonly environment: Environment;
  readonly remote: Remote;
  readonly keyed: Keyed;
  readonly journal: JournalFile;
  readonly targets: readonly PlannedTarget[];
  /** What the run is, for the journal. */
  readonly what: Pick<BeginEntry, 'command' | 'undoes' | 'undoesRun' | 'plan'>;
  /** The records of the targets, with the runs that are known. */
  readonly histories: readonly RecordHistory[];
  readonly rollBack: boolean;
  readonly format: PlanFormat;
  /** Targets that are not written, each with the reason. */
  readonly refused: readonly TargetOutcome[];
}

/** Writes the changes, keeps the journal, and reports what each target holds. */
export async function runChanges(changes: Changes, terminal: Terminal): Promise<ExitCode> {
  const { environment, remote, keyed, journal, targets, refused } = changes;
  const stamp = stampOf(changes);
  const { run } = stamp;
  const { undoes: _, ...facts } = stamp;
  await journal.append({ kind: 'begin', ...facts, ...changes.what, url: environment.settings.url });
  const total = targets.filter(({ isChanged }) => isChanged).length;
  let done = 0;
  const report = (outcome: TargetOutcome) => {
    done += 1;
    terminal.writeError(`[${Math.min(done, total)}/${total}] ${outcomeText(outcome)}\n`);
  };
  const options = { remote, keyed, journal: journal.append, stamp, report };
  const { concurrency = 4 } = environment.settings;
  const outcome = await interruptible(
    signal => applyPlan(targets, { ...options, concurrency, rollBack: changes.rollBack, signal }),
    terminal,
  );
  const all = [...outcome.targets, ...refused];
  const result = resultOf({ ...outcome, targets: all });
  await journal.append({ kind: 'end', run, outcome: result });
  const { command } = changes.what;
  terminal.write(outcomeReport(changes.format, { command, outcome: result, targets: all, hasTags: outcome.hasTags }));
  noteUnshared(all, terminal);
  if (outcome.hasTags === false) {
    printMessage(
      terminal,
      'the server offers no entity tags: conflicts with other publishers are detected, not excluded',
    );
  }
  if (outcome.isFailed) return EXIT.external;
  return result === 'applied' ? EXIT.clean : EXIT.findings;
}

function stampOf({ project, environment, keyed, journal, what, histories, targets }: Changes): RunStamp {
  const sources = targets.flatMap(({ modules }) => modules.flatMap(({ source }) => source ?? []));
  const files = sources.map(({ path, text }) => ({ path: splitFilePart(path).name, text }));
  // A commit is named only if it is what was published.
  const commit = what.command === 'apply' ? commitWith(project.directory, files) : undefined;
  const id = projectIdOf(project.path);
  return {
    run: randomUUID(),
    sequence: nextSequence(histories, journal.runs),
    time: new Date().toISOString(),
    command: what.command,
    who: whoRuns(project.env),
    keyId: keyed.keyId,
    environment: environment.name,
    ...(what.undoesRun !== undefined && { undoes: what.undoesRun }),
    ...(commit !== undefined && { commit }),
    ...(id !== undefined && { project: id }),
  };
}

/** Other machines see what records tell; where that is not possible, only this journal knows the run. */
function noteUnshared(targets: readonly TargetOutcome[], terminal: Terminal): void {
  for (const [reason, list] of Map.groupBy(targets, ({ unshared }) => unshared)) {
    if (reason === undefined) continue;
    const names = list.map(({ target }) => `\`${printable(target)}\``).join(', ');
    printMessage(terminal, `only the journal on this machine knows what was applied to ${names}: ${printable(reason)}`);
  }
}

function resultOf({ targets, isFailed, isInterrupted }: ApplyOutcome): RunOutcome {
  if (isFailed) return 'failed';
  if (isInterrupted) return 'interrupted';
  return targets.every(({ state }) => state === 'written') ? 'applied' : 'partly applied';
}
