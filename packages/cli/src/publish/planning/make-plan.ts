import { ExternalError } from '@tollgate/diagnostics';
import {
  type AheadPlanner,
  createAheadPlanner,
  createLocator,
  type Keyed,
  type LiveEdges,
  type LiveRecord,
  type Located,
  lastApplied,
  type Plan,
  type PlannedTarget,
  type RecordHistory,
  type Remote,
  recordKey,
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
import { historiesOf, kindsOf, listAllLive, listLive, readAgain, withoutDoubt } from './live-records.ts';

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
