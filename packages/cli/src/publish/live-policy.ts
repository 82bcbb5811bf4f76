// Policies and edges as they are published.

import { type EndpointKind, type Profile, phasesAt } from '@tollgate/catalog';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import { detectProfile } from '@tollgate/policy';
import { type Canonical, createLocator, phasesOf } from '@tollgate/publisher';
import { type ExitCode, UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { listLive } from './live-records.ts';
import { openRemote } from './open-remote.ts';
import { chooseEnvironment, loadProject } from './project.ts';
import { readAddresses } from './targets.ts';

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
  const found = await findLive(target, terminal);
  if (typeof found === 'number') return found;
  // Lists show no policy where only `/traffic_policy` can represent it.
  const reading = await found.remote.read(found.record.ref);
  if (!reading.ok) throw new ExternalError('publish/api', `target \`${target.name}\`: ${reading.failure.message}`);
  return livePolicySource(`live:${target.name}`, reading.value.record.modules.policy, successor);
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
  const located = createLocator(await listLive(remote, addresses))(addresses[0]!.address);
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
