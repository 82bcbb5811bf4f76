// What is published now: records with what the journals say of them, and their policies and edges.

import { type EndpointKind, type Profile, phasesAt } from '@tollgate/catalog';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import { detectProfile } from '@tollgate/policy';
import {
  type Canonical,
  createHistories,
  createLocator,
  isDoubtful,
  isSame,
  type Keyed,
  type LiveEdges,
  type LiveRecord,
  phasesOf,
  RECORD_KINDS,
  type RecordHistory,
  type RecordKind,
  type Remote,
  readConfirmed,
  recordKey,
  type SeenPage,
  type Target,
} from '@tollgate/publisher';
import { type ExitCode, UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import type { JournalFile } from './journal-file.ts';
import { openRemote } from './open-remote.ts';
import { chooseEnvironment, type Environment, loadProject, type PublishProject, projectIdOf } from './project.ts';
import { readAddresses } from './targets.ts';

/**
 * What is live, as lists show it: a few requests, however many targets there are. A list may come from a cache or a replica that is behind, so
 * a record that does not hold what is known to have been written to it is read individually before it is believed.
 */

/** Returns a function that finds the runs of a record: those that the record itself tells, and those of the journal. */
export function historiesOf({
  journal,
  environment,
}: {
  readonly journal: JournalFile;
  readonly environment: Environment;
}): (record: LiveRecord) => RecordHistory {
  const runsOf = createHistories(journal.runs, environment.name);
  return record => ({ record, runs: runsOf(record) });
}

/** Reads the lists of edges of the kinds that targets need. */
export async function listLive(
  remote: Remote,
  targets: readonly Pick<Target, 'address'>[],
  seen?: SeenPage,
): Promise<LiveEdges> {
  const listed = await remote.list(kindsOf(targets), seen);
  if (!listed.ok) throw new ExternalError('publish/api', listed.failure.message);
  return listed.value;
}

/** Returns the kinds of the records that targets are at. */
export function kindsOf(targets: readonly Pick<Target, 'address'>[]): readonly RecordKind[] {
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

/**
 * Reads a record individually, until a reading agrees with the list or two agree with each other. Returns undefined if it is gone. Lists of some
 * servers show no policy where only `/traffic_policy` can represent it; the reading has it.
 */
export async function readAgain(record: LiveRecord, remote: Remote): Promise<LiveRecord | undefined> {
  const reading = await readConfirmed(remote, record.ref, {
    essence: ({ modules, metadata }) => ({ modules, metadata }),
    isCertain: one => isSame(one.record.modules, record.modules) && one.record.metadata === record.metadata,
  });
  if (!reading.ok && reading.failure.kind === 'gone') return undefined;
  if (!reading.ok) throw new ExternalError('publish/api', reading.failure.message);
  return { ...record, modules: reading.value.record.modules, metadata: reading.value.record.metadata };
}

interface Doubting {
  readonly addresses: readonly Pick<Target, 'address'>[];
  readonly historyOf: (record: LiveRecord) => RecordHistory;
  readonly keyed: Keyed;
  readonly remote: Remote;
}

/** Returns the records of lists; those of targets that are in doubt as they are read by themselves. */
export async function withoutDoubt(
  live: LiveEdges,
  { addresses, historyOf, keyed, remote }: Doubting,
): Promise<LiveEdges> {
  const locate = createLocator(live);
  const located = addresses.map(({ address }) => locate(address));
  const doubtful = located.flatMap(one =>
    'record' in one && isDoubtful(historyOf(one.record), keyed) ? [one.record] : [],
  );
  if (doubtful.length === 0) return live;
  const found = new Map<string, LiveRecord | undefined>();
  await inSteps([...new Set(doubtful)], async record => {
    found.set(recordKey(record.ref), await readAgain(record, remote));
  });
  const records = live.records.flatMap(record => {
    const key = recordKey(record.ref);
    return found.has(key) ? (found.get(key) ?? []) : record;
  });
  return { ...live, records };
}

/** A project whose edges are asked. */
interface Asking {
  readonly project: PublishProject;
  readonly environment: Environment;
  readonly remote: Remote;
  readonly keyed: Keyed;
  readonly journal: JournalFile;
}

/**
 * Returns the records that this project publishes to: those at the addresses of its targets, those in its journal, and those that name
 * the project.
 */
export async function ownHistories({
  project,
  environment,
  remote,
  journal,
  keyed,
}: Asking): Promise<readonly RecordHistory[]> {
  const live = await listAllLive(remote, RECORD_KINDS);
  const historyOf = historiesOf({ journal, environment });
  const locate = createLocator(live);
  const hasTargets = Object.keys(project.publish.targets ?? {}).length > 0;
  const addresses = hasTargets ? readAddresses({ project, environment: environment.name, only: undefined }) : [];
  const located = addresses.map(({ address }) => locate(address));
  const addressed = located.flatMap(one => ('record' in one ? recordKey(one.record.ref) : []));
  const own = journal.runs.filter(({ begin }) => begin.environment === environment.name);
  const logged = own.flatMap(({ modules }) => modules.map(({ intent }) => recordKey(intent.ref)));
  const isOwn = new Set([...addressed, ...logged]);
  const id = projectIdOf(project.path);
  const isMarked = ({ runs }: RecordHistory) => id !== undefined && runs.some(run => run.project === id);
  const histories = live.records
    .map(historyOf)
    .filter(history => isOwn.has(recordKey(history.record.ref)) || isMarked(history));
  const isHidden = ({ record, runs }: RecordHistory) =>
    record.modules.policy === null && runs.some(({ modules }) => modules.policy);
  const sure = new Map(histories.map(one => [recordKey(one.record.ref), one]));
  await inSteps(
    histories.filter(one => isHidden(one) || isDoubtful(one, keyed)),
    async ({ record }) => {
      const found = await readAgain(record, remote);
      if (found === undefined) sure.delete(recordKey(record.ref));
      else sure.set(recordKey(record.ref), historyOf(found));
    },
  );
  return [...sure.values()];
}

/** How many records are read at the same time. */
const STEP = 8;

/** Does the work for each item, a few at a time. */
async function inSteps<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += STEP) await Promise.all(items.slice(at, at + STEP).map(work));
}

/** A target of the project file. */
interface NamedTarget {
  readonly name: string;
  /** Undefined for the only environment. */
  readonly environment: string | undefined;
}

/** Reads the live policy of a target, which its successor is compared with. Sends only reads. Problems in the project file are reported. */
export async function readLivePolicy(
  target: NamedTarget,
  successor: WhatFor,
  terminal: Terminal,
): Promise<SourceText | ExitCode> {
  const found = await findLivePolicy(target, terminal);
  return typeof found === 'number' ? found : livePolicySource(`live:${target.name}`, await found.read(), successor);
}

/** The live policy of a target, which can be read several times. */
interface LivePolicy {
  /** What it is attached to. */
  readonly kind: RecordKind;
  readonly read: () => Promise<Canonical>;
}

/** Finds the live policy of a target. Sends only reads. Problems in the project file are reported. */
export async function findLivePolicy(target: NamedTarget, terminal: Terminal): Promise<LivePolicy | ExitCode> {
  const found = await findLive(target, terminal);
  if (typeof found === 'number') return found;
  const { ref } = found.record;
  const read = async () => {
    // Lists show no policy where only `/traffic_policy` can represent it.
    const reading = await found.remote.read(ref);
    if (!reading.ok) throw new ExternalError('publish/api', `target \`${target.name}\`: ${reading.failure.message}`);
    return reading.value.record.modules.policy;
  };
  return { kind: ref.kind, read };
}

/** Reads the live edge of a target with all routes and modules, in the form of the API. Sends only reads. Problems in the project file are reported. */
export async function readLiveEdge(target: NamedTarget, terminal: Terminal): Promise<SourceText | ExitCode> {
  const found = await findLive(target, terminal);
  if (typeof found === 'number') return found;
  const { edgeId } = found.record.ref;
  if (edgeId === undefined) throw new UsageError(`target \`${target.name}\` is not a route of an HTTPS edge`);
  const reading = await found.remote.readEdge(edgeId);
  if (!reading.ok) throw new ExternalError('publish/api', `target \`${target.name}\`: ${reading.failure.message}`);
  return new SourceText(`live:${target.name}`, JSON.stringify(reading.value));
}

async function findLive({ name, environment: wanted }: NamedTarget, terminal: Terminal) {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const environment = chooseEnvironment(project, wanted);
  const addresses = readAddresses({ project, environment: environment.name, only: [name] });
  const remote = openRemote(project, environment, terminal);
  const listed = await remote.list(kindsOf(addresses));
  if (!listed.ok) throw new ExternalError('publish/api', `target \`${name}\`: ${listed.failure.message}`);
  const located = createLocator(listed.value)(addresses[0]!.address);
  if ('fault' in located) throw new ExternalError('publish/no-record', `target \`${name}\`: ${located.fault}`);
  return { remote, record: located.record };
}

/**
 * Returns a live policy as a document. One that is disabled has no rules, because not every profile has a key that disables a policy; one that is
 * absent is like its successor without rules.
 */
export function livePolicySource(name: string, live: Canonical, { profile, endpoint }: WhatFor): SourceText {
  const phases = phasesOf(live);
  const [first = phasesAt(profile, endpoint)[0]!] = Object.keys(phases);
  return new SourceText(name, JSON.stringify(live === null || live.enabled === false ? { [first]: [] } : phases));
}

/**
 * Returns the target of a live policy: the one of its successor, unless its phases or variables are those of another profile. A project that has
 * moved to another profile may still have published the old one.
 */
export function liveTarget({ text }: SourceText, { profile, endpoint }: WhatFor): WhatFor {
  const { profile: own, evidence } = detectProfile(text);
  if (evidence === undefined || own.name === profile.name) return { profile, endpoint };
  return { profile: own, endpoint: own.endpoints.find(one => one === endpoint) ?? own.endpoints[0]! };
}

/** The profile and endpoint that a policy is read with. */
interface WhatFor {
  readonly profile: Profile;
  readonly endpoint: EndpointKind;
}
