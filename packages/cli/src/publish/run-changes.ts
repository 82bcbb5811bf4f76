// Publishes the changes of a plan: asks first, and deals with interruptions and runs that did not end.

import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { printable } from '@tollgate/diagnostics';
import {
  type ApplyOutcome,
  applyPlan,
  type BeginEntry,
  type Keyed,
  type LiveRecord,
  MODULE_NOUNS,
  nextSequence,
  openIntents,
  type PlannedTarget,
  type RecordHistory,
  type Remote,
  type RunOutcome,
  type RunStamp,
  readConfirmed,
  type TargetOutcome,
} from '@tollgate/publisher';
import { splitFilePart } from '../input/document-parts.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { type JournalFile, openJournal, openKeyed } from './journal-file.ts';
import { openRemote } from './open-remote.ts';
import { outcomeReport, outcomeText, type PlanFormat } from './plan-report.ts';
import {
  chooseEnvironment,
  commitWith,
  type Environment,
  type PublishProject,
  projectIdOf,
  whoRuns,
} from './project.ts';

/** Changes to write, and where. */
interface Changes {
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

/** Runs work with a signal that SIGINT and SIGTERM abort. A second one ends the process at once. */
async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>, terminal: Terminal): Promise<T> {
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) {
      printMessage(
        terminal,
        'stopped; targets that had begun are old or new, and the next `tollgate apply` says which',
      );
      process.exit(130);
    }
    printMessage(terminal, 'stopping after the targets that have begun; interrupt again to stop immediately');
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

/**
 * Asks whether to go on; Ctrl-C and Ctrl-D mean no. Throws a `UsageError` if there is nobody to ask: silence is not consent. `instead` is
 * what answers in advance.
 */
export async function confirm(question: string, instead: string, terminal: Terminal): Promise<boolean> {
  if (!terminal.isInteractive || !process.stdin.isTTY) {
    throw new UsageError(`nothing was written: there is no terminal to confirm; pass ${instead}`);
  }
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(`${question} Only \`yes\` is accepted: `);
    return answer.trim() === 'yes';
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    // The answer that was begun stays on its line.
    terminal.writeError('\n');
    return false;
  } finally {
    reader.close();
  }
}

/** Finds out what earlier runs left behind, if one of them was killed. */
export async function settleEarlier(
  project: PublishProject,
  name: string | undefined,
  terminal: Terminal,
): Promise<void> {
  const environment = chooseEnvironment(project, name);
  const keyed = openKeyed(project, false);
  const journal = openJournal(project, keyed);
  if (openIntents(journal.runs, environment.name).length === 0) return;
  const remote = openRemote(project, environment, terminal);
  await settleOpen({ journal, environment: environment.name, remote, keyed }, terminal);
}

interface Settling {
  readonly journal: JournalFile;
  readonly environment: string;
  readonly remote: Pick<Remote, 'read' | 'pause'>;
  readonly keyed: Keyed;
}

/** Finds out what the modules hold that a killed run was writing, and completes the journal. Leaves what cannot be read. */
async function settleOpen({ journal, environment, remote, keyed }: Settling, terminal: Terminal): Promise<void> {
  const known = new Map(journal.runs.map(one => [one.begin.run, one]));
  for (const intent of openIntents(journal.runs, environment)) {
    const { run, target, module, ref } = intent;
    const earlier = known.get(run);
    if (earlier?.begin.keyId !== keyed.keyId) continue;
    const { beforeFingerprint: before, afterFingerprint: after } = intent;
    const holdsOf = ({ modules }: LiveRecord) => {
      const live = keyed.fingerprint(modules[module]);
      return live === after ? 'after' : live === before ? 'before' : 'foreign';
    };
    // Nothing else is known, so two readings must agree.
    const reading = await readConfirmed(remote, ref, {
      essence: record => record.modules[module],
      isCertain: () => false,
    });
    if (!reading.ok) continue;
    const holds = holdsOf(reading.value.record);
    await journal.append({ kind: 'outcome', run, target, module, holds });
    const text = { after: 'the new', before: 'the old', foreign: "somebody else's" }[holds];
    printMessage(
      terminal,
      `run ${earlier.number} ended without knowing what it wrote to \`${target}\`, which holds ${text} ${MODULE_NOUNS[module]}`,
    );
  }
}
