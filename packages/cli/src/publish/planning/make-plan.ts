import { ExternalError } from '@tollgate/diagnostics';
import {
  type AheadPlanner,
  createAheadPlanner,
  createHistories,
  createLocator,
  isSame,
  type Keyed,
  type LiveEdges,
  type LiveRecord,
  type Located,
  lastApplied,
  type Plan,
  type PlannedTarget,
  RECORD_KINDS,
  type RecordHistory,
  type RecordKind,
  type Remote,
  readConfirmed,
  recordKey,
  type SeenPage,
  type Target,
} from '@tollgate/publisher';
import type { ExitCode } from '../../process/exit-code.ts';
import type { Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import { type JournalFile, openJournal, openKeyed } from '../project/journal-file.ts';
import { chooseEnvironment, type Environment, loadProject, type PublishProject } from '../project/load-project.ts';
import { openRemote } from '../project/open-remote.ts';
import type { PolicyFile } from '../project/policy-file.ts';
import { readAddresses, readTargets } from '../project/read-targets.ts';

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
  const journal = openJournal(project);
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
  const planned = await planTargets(targets, live, { ahead, remote });
  refuseSharedModules(planned);
  return { project, environment, plan: { targets: planned }, files, remote, keyed, journal, live, isWhole, historyOf };
}

/** Returns a function that finds the runs of a record: those that the record itself tells, and those of the journal. */
export function historiesOf({
  journal,
  environment,
}: Pick<Planning, 'journal' | 'environment'>): Planning['historyOf'] {
  const runsOf = createHistories(journal.runs, environment.name);
  return record => ({ record, runs: runsOf(record) });
}

/** Reads the lists of edges of the kinds that targets need: a few requests, however many targets there are. */
export async function listLive(
  remote: Remote,
  targets: readonly Pick<Target, 'address'>[],
  seen?: SeenPage,
): Promise<LiveEdges> {
  const listed = await remote.list(kindsOf(targets), seen);
  if (!listed.ok) throw new ExternalError('publish/api', listed.failure.message);
  return listed.value;
}

function kindsOf(targets: readonly Pick<Target, 'address'>[]): readonly RecordKind[] {
  return [...new Set(targets.map(({ address }) => address.kind))];
}

/** Reads the lists of edges of all kinds. Of kinds that are not needed, a list that cannot be read is left out. */
export async function listAllLive(remote: Remote, needed: readonly RecordKind[], seen?: SeenPage): Promise<LiveEdges> {
  const lists = await Promise.all(RECORD_KINDS.map(kind => remote.list([kind], seen)));
  const failures = lists.map((list, index) =>
    !list.ok && needed.includes(RECORD_KINDS[index]!) ? list.failure : undefined,
  );
  // Some APIs have no edges of some kinds. One without any is none.
  const missing = failures.filter(failure => failure?.kind === 'gone');
  const fault = failures.find(failure => failure && (failure.kind !== 'gone' || missing.length === needed.length));
  if (fault) throw new ExternalError('publish/api', fault.message);
  const records = lists.flatMap(list => (list.ok ? list.value.records : []));
  return { kinds: RECORD_KINDS, records };
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

/**
 * Returns a record with its policy. Lists of some servers show none where only `/traffic_policy` can represent it. A reading that shows more
 * than the list must be confirmed.
 */
export async function withHiddenPolicy(record: LiveRecord, remote: Remote): Promise<LiveRecord> {
  const reading = await readConfirmed(remote, record.ref, {
    essence: ({ modules }) => modules,
    isCertain: ({ record: { modules } }) => isSame(modules, record.modules),
  });
  if (!reading.ok) throw new ExternalError('publish/api', reading.failure.message);
  return { ...record, modules: reading.value.record.modules, metadata: reading.value.record.metadata };
}

async function withPolicy(target: Target, located: Located, remote: Remote): Promise<Located> {
  const wanted = target.modules.find(({ module }) => module === 'policy');
  if ('fault' in located || !wanted || wanted.value === null || located.record.modules.policy !== null) return located;
  return { record: await withHiddenPolicy(located.record, remote) };
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
