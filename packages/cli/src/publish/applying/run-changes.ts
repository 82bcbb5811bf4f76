import { randomUUID } from 'node:crypto';
import {
  type ApplyOutcome,
  applyPlan,
  type BeginEntry,
  type Keyed,
  type PlannedTarget,
  type Remote,
  type RunOutcome,
  type TargetOutcome,
} from '@tollgate/publisher';
import { EXIT, type ExitCode } from '../../process/exit-code.ts';
import { printMessage, type Terminal } from '../../process/terminal.ts';
import type { PlanFormat } from '../planning/plan-report.ts';
import { commitOf, whoRuns } from '../project/commit.ts';
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
  readonly what: Pick<BeginEntry, 'command' | 'undoes' | 'plan'>;
  readonly rollBack: boolean;
  readonly format: PlanFormat;
  /** Targets that are not written, each with the reason. */
  readonly refused: readonly TargetOutcome[];
}

/** Writes the changes, keeps the journal, and reports what each target holds. */
export async function runChanges(changes: Changes, terminal: Terminal): Promise<ExitCode> {
  const { project, environment, remote, keyed, journal, targets, refused } = changes;
  const run = randomUUID();
  const commit = commitOf(project.directory);
  await journal.append({
    kind: 'begin',
    run,
    time: new Date().toISOString(),
    ...changes.what,
    environment: environment.name,
    url: environment.settings.url,
    who: whoRuns(project.env),
    ...(commit !== undefined && { commit }),
    keyId: keyed.keyId,
  });
  const total = targets.filter(({ isChanged }) => isChanged).length;
  let done = 0;
  const report = (outcome: TargetOutcome) => {
    done += 1;
    terminal.writeError(`[${Math.min(done, total)}/${total}] ${outcomeText(outcome)}\n`);
  };
  const options = { remote, keyed, journal: journal.append, run, report };
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
  if (outcome.hasTags === false) {
    printMessage(
      terminal,
      'the server offers no entity tags: conflicts with other publishers are detected, not excluded',
    );
  }
  if (outcome.isFailed) return EXIT.external;
  return result === 'applied' ? EXIT.clean : EXIT.findings;
}

function resultOf({ targets, isFailed, isInterrupted }: ApplyOutcome): RunOutcome {
  if (isFailed) return 'failed';
  if (isInterrupted) return 'interrupted';
  return targets.every(({ state }) => state === 'written') ? 'applied' : 'partly applied';
}
