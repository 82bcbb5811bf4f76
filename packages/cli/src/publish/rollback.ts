// `tollgate rollback`: publishes what was published before, and finds it in Git.

import { basename, dirname, resolve } from 'node:path';
import { ExternalError, PLAIN, printable, SourceText } from '@tollgate/diagnostics';
import { readProject } from '@tollgate/policy';
import {
  type Canonical,
  type FormerPolicies,
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
import { splitFilePart } from '../input/document-parts.ts';
import { readGitFile, tryGit } from '../input/git.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { type JournalFile, openJournal, openKeyed } from './journal-file.ts';
import { ownHistories } from './live-policies.ts';
import { openRemote } from './open-remote.ts';
import { outcomeReport, type PlanFormat, summaryLine, targetLines } from './plan-report.ts';
import { chooseEnvironment, type Environment, loadProject, type PublishProject } from './project.ts';
import { confirm, runChanges, settleEarlier } from './run-changes.ts';
import { createPolicyReader, readTargets, settingsIn } from './targets.ts';

/** The options of `tollgate rollback`. */
interface RollbackOptions {
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
    // Read alone, a route does not name the hostports of its edge.
    const { hostports } = history.record;
    const way = reading.ok
      ? await planRestoration(
          run,
          { record: { ...reading.value.record, hostports } },
          {
            keyed,
            secrets,
            archive: archiveOf({ project, history, terminal }),
          },
        )
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

/**
 * What a target had before a run, from Git: for what is too large to be kept at the edge. Runs name the commit that they published. Which
 * version of the policy it was, the digest at the edge says.
 */

interface Archive {
  readonly project: PublishProject;
  readonly history: RecordHistory;
  readonly terminal: Terminal;
}

/** How many versions of a policy are compared, from each commit back. */
const VERSIONS = 200;

/** Returns a function that reads the policies that a record may have had before a run. */
function archiveOf({ project, history, terminal }: Archive): FormerPolicies {
  return async run => {
    const earlier = history.runs.slice(history.runs.indexOf(run));
    const named = earlier.filter(({ commit }) => commit !== undefined);
    const isHere = ({ commit = '' }: RecordRun) => tryGit(project.directory, ['cat-file', '-t', commit]) === 'commit';
    const found = named.filter(isHere);
    async function* policies(): AsyncGenerator<Canonical> {
      for (const one of found) {
        const argument = await policyAt(one, project);
        if (argument !== undefined) yield* versionsOf(argument, one.commit!, { project, history, terminal });
      }
    }
    return { policies: policies(), missing: () => missing(project.directory, named, found) };
  };
}

function missing(directory: string, named: readonly RecordRun[], found: readonly RecordRun[]): string {
  const [first] = named;
  if (first === undefined) return 'its runs name no commit; roll back where the run was made';
  const elsewhere = 'or roll back where the run was made';
  if (tryGit(directory, ['rev-parse', '--is-shallow-repository']) === 'true')
    return `this clone does not have all commits; run \`git fetch --unshallow\`, ${elsewhere}`;
  const short = printable(first.commit!.slice(0, 10));
  if (found.length === 0) return `commit ${short} is not in this repository; fetch it, ${elsewhere}`;
  return `no version of its policy up to commit ${short} is what it held; roll back where the run was made`;
}

/** Returns where the policy of a target was at the commit of a run. */
async function policyAt({ commit, target, environment }: RecordRun, { path }: PublishProject) {
  const file = await attempt(() => readGitFile(resolve(path), commit!));
  const value = file && readProject(new SourceText(basename(path), file.text)).value;
  const settings = value?.targets && Object.hasOwn(value.targets, target) ? value.targets[target] : undefined;
  return settings && settingsIn(settings, environment).policy;
}

async function* versionsOf(
  argument: string,
  commit: string,
  { project, history, terminal }: Archive,
): AsyncGenerator<Canonical> {
  const path = resolve(project.directory, splitFilePart(argument).name);
  const args = ['rev-list', '--full-history', `--max-count=${VERSIONS}`, commit, '--', basename(path)];
  for (const revision of tryGit(dirname(path), args)?.split('\n') ?? []) {
    const read = createPolicyReader({ project, terminal, revision });
    const file = await attempt(() => read(argument, history.record.ref.kind));
    if (file) yield file.value;
  }
}

/** A version that cannot be read is not the one that was live. */
async function attempt<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ExternalError || error instanceof UsageError) return undefined;
    throw error;
  }
}
