// Plans what to publish, and what to note about it.

import { ExternalError, textReport } from '@tollgate/diagnostics';
import { findingsInFile } from '@tollgate/policy';
import {
  type AheadPlanner,
  createAheadPlanner,
  createLocator,
  describeAddress,
  type Keyed,
  type LiveEdges,
  type LiveRecord,
  type Located,
  lastApplied,
  MODULES,
  type Plan,
  type PlannedTarget,
  type RecordHistory,
  type Remote,
  type Run,
  recordKey,
  type Target,
} from '@tollgate/publisher';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { type JournalFile, openJournal, openKeyed } from './journal-file.ts';
import { historiesOf, kindsOf, listAllLive, listLive, readAgain, withoutDoubt } from './live-policies.ts';
import { openRemote } from './open-remote.ts';
import {
  chooseEnvironment,
  commitOf,
  type Environment,
  isAncestor,
  loadProject,
  type PublishProject,
  projectIdOf,
} from './project.ts';
import { type PolicyFile, readAddresses, readTargets } from './targets.ts';

/** A plan with what it was made of. */
export interface Planning {
  readonly project: PublishProject;
  readonly environment: Environment;
  readonly plan: Plan;
  readonly files: ReadonlyMap<string, PolicyFile>;
  readonly remote: Remote;
  readonly keyed: Keyed;
  readonly journal: JournalFile;
  /** Of all kinds if the plan is whole. */
  readonly live: LiveEdges;
  /** Whether all targets are planned. */
  readonly isWhole: boolean;
  /** Returns a record with what is known of the runs that wrote it. */
  readonly historyOf: (record: LiveRecord) => RecordHistory;
}

/** What to plan. */
interface PlanRequest {
  readonly environment: string | undefined;
  /** Names of targets; undefined for all. */
  readonly only: readonly string[] | undefined;
  /** Whether the key of hashes must outlive the command. */
  readonly keepsKey: boolean;
}

/** Reads files and live modules, and plans. Sends only reads. Throws an `ExternalError` if a target has no live record. */
export async function makePlan(request: PlanRequest, terminal: Terminal): Promise<Planning | ExitCode> {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const environment = chooseEnvironment(project, request.environment);
  const keyed = openKeyed(project, request.keepsKey);
  const journal = openJournal(project, keyed);
  const selection = { project, environment: environment.name, only: request.only, terminal };
  const addresses = readAddresses(selection);
  const remote = openRemote(project, environment, terminal);
  const historyOf = historiesOf({ journal, environment });
  const ahead = createAheadPlanner({
    lastApplied: (record, module) => lastApplied(historyOf(record), module, keyed),
  });
  const isWhole = request.only === undefined;
  // Files are read, and pages compared with them, while further pages are on their way.
  const [live, { targets, files }] = await Promise.all([
    isWhole ? listAllLive(remote, kindsOf(addresses), ahead.addPage) : listLive(remote, addresses, ahead.addPage),
    readTargets(selection, addresses).then(read => {
      ahead.setTargets(read.targets);
      return read;
    }),
  ]);
  const sure = await withoutDoubt(live, { addresses, historyOf, keyed, remote });
  const planned = await planTargets(targets, sure, { ahead, remote });
  refuseSharedModules(planned);
  const plan = { targets: planned };
  return { project, environment, plan, files, remote, keyed, journal, live: sure, isWhole, historyOf };
}

interface Planner {
  readonly ahead: AheadPlanner;
  readonly remote: Remote;
}

async function planTargets(targets: readonly Target[], live: LiveEdges, planner: Planner): Promise<PlannedTarget[]> {
  const locate = createLocator(live);
  const planned: PlannedTarget[] = [];
  const faults: string[] = [];
  for (const target of targets) {
    const located = await withPolicy(target, locate(target.address), planner.remote);
    const one = planner.ahead.plan(target, located);
    if ('message' in one) faults.push(`target \`${one.target}\`: ${one.message}`);
    else planned.push(one);
  }
  if (faults.length === 0) return planned;
  throw new ExternalError('publish/no-record', faults.join('\ntollgate: '));
}

/** A policy that is absent from a list may only be hidden there. */
async function withPolicy(target: Target, located: Located, remote: Remote): Promise<Located> {
  const wanted = target.modules.find(({ module }) => module === 'policy');
  if ('fault' in located || !wanted || wanted.value === null || located.record.modules.policy !== null) return located;
  const record = await readAgain(located.record, remote);
  return record === undefined ? { fault: 'its record no longer exists; plan again' } : { record };
}

/** Two targets that want the same module to be different would undo each other. */
function refuseSharedModules(targets: readonly PlannedTarget[]): void {
  const owners = new Map<string, string>();
  for (const { target, ref } of targets) {
    for (const { module } of target.modules) {
      const key = `${recordKey(ref)} ${module}`;
      const other = owners.get(key);
      if (other !== undefined) {
        throw new UsageError(
          `targets \`${other}\` and \`${target.name}\` publish the ${module} of the same record; remove one`,
        );
      }
      owners.set(key, target.name);
    }
  }
}

/** Reports the errors of policies that would be written, as `tollgate check` does. Undefined if there are none. */
export function refuseBrokenPolicies(
  { plan, files }: Pick<Planning, 'plan' | 'files'>,
  terminal: Terminal,
): ExitCode | undefined {
  const changed = new Set<PolicyFile>();
  for (const { target, isChanged } of plan.targets) {
    const file = files.get(target.name);
    if (file && isChanged) changed.add(file);
  }
  const broken = [...changed].flatMap(file => {
    const errors = file.analyse().analysis.diagnostics.filter(({ severity }) => severity === 'error');
    const embedded = file.locate();
    return errors.length > 0 ? [{ source: embedded.file, errors: findingsInFile(embedded, errors) }] : [];
  });
  if (broken.length === 0) return undefined;
  const sources = broken.map(({ source }) => source);
  const diagnostics = broken.flatMap(({ errors }) => errors);
  terminal.writeError(textReport({ sources, diagnostics }, reportStyle(terminal)));
  return EXIT.findings;
}

/** Returns what the reader should know of the history. */
export function notesOn(planning: Planning): readonly string[] {
  const { journal, environment, project } = planning;
  const notes = [...journalNotes(journal), ...lastRunNotes({ journal, environment, project })];
  return [...notes, ...goneTargetNotes(planning)];
}

/** Names what this project has published to records that none of its targets is at any more. */
function goneTargetNotes({
  project,
  environment,
  plan,
  live,
  historyOf,
  keyed,
  journal,
  isWhole,
}: Planning): readonly string[] {
  if (!isWhole) return [];
  const id = projectIdOf(project.path);
  const logged = new Set(journal.runs.map(({ begin }) => begin.run));
  const addressed = new Set(plan.targets.map(({ ref }) => recordKey(ref)));
  return live.records.flatMap(record => {
    const history = historyOf(record);
    const [newest] = history.runs;
    if (addressed.has(recordKey(record.ref)) || newest?.environment !== environment.name) return [];
    const isOwn = logged.has(newest.run) || (id !== undefined && newest.project === id);
    const isLive = MODULES.some(
      module => record.modules[module] !== null && lastApplied(history, module, keyed)?.isLive,
    );
    if (!isOwn || !isLive) return [];
    const { ref, hostports, route } = record;
    const address = describeAddress({ kind: ref.kind, edge: hostports[0] ?? ref.edgeId ?? ref.id, route });
    const { target, who } = newest;
    return `note: no target is at ${address} any more, but what ${who} published there as \`${target}\` is still live`;
  });
}

/** Returns the number of the run that a rollback undoes; the beginning of its id if it is in the journal of another machine. */
export function undoneRun({ undoes, undoesRun }: Pick<Run['begin'], 'undoes' | 'undoesRun'>): string {
  return undoes === undefined ? (undoesRun ?? '').slice(0, 8) : String(undoes);
}

/** Says what of a journal is ignored. An entry is on disk before what it announces, so a line that is cut off hides no write. */
export function journalNotes({ isCut, path, foreign }: Omit<JournalFile, 'runs' | 'append'>): readonly string[] {
  const cut = `note: the last line of \`${path}\` is cut off, as after a crash; it is ignored`;
  const entries = foreign === 1 ? '1 entry' : `${foreign} entries`;
  const others = `note: ${entries} of \`${path}\` ${foreign === 1 ? 'was' : 'were'} not written with the history key of this user; ignored`;
  return [...(isCut ? [cut] : []), ...(foreign > 0 ? [others] : [])];
}

function lastRunNotes({
  journal,
  environment,
  project,
}: Pick<Planning, 'journal' | 'environment' | 'project'>): readonly string[] {
  const last = journal.runs.findLast(({ begin }) => begin.environment === environment.name);
  if (!last) return [];
  const { begin, number, modules } = last;
  const notes: string[] = [];
  if (modules.some(({ holds }) => holds === undefined)) {
    notes.push(`note: run ${number} ended without knowing what it wrote; \`tollgate apply\` finds out which`);
  }
  if (begin.command === 'rollback')
    notes.push(`note: run ${number} rolled back run ${undoneRun(begin)}; applying publishes it again`);
  const now = commitOf(project.directory);
  if (begin.commit !== undefined && now !== undefined && !isAncestor(project.directory, begin.commit, now)) {
    notes.push(
      `note: run ${number} published commit ${begin.commit.slice(0, 10)}, which this checkout does not contain`,
    );
  }
  return notes;
}
