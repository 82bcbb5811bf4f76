import { ExternalError, SourceText } from '@tollgate/diagnostics';
import { type Canonical, createLocator, phasesOf } from '@tollgate/publisher';
import type { ExitCode } from '../../process/exit-code.ts';
import type { Terminal } from '../../process/terminal.ts';
import { chooseEnvironment, loadProject } from '../project/load-project.ts';
import { openRemote } from '../project/open-remote.ts';
import { readAddresses } from '../project/read-targets.ts';
import { listLive } from './make-plan.ts';

/** A target of the project file. */
export interface NamedTarget {
  readonly name: string;
  /** Undefined for the only environment. */
  readonly environment: string | undefined;
}

/** Reads the live policy of a target. Sends only reads. Problems in the project file are reported. */
export async function readLivePolicy(target: NamedTarget, terminal: Terminal): Promise<SourceText | ExitCode> {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const environment = chooseEnvironment(project, target.environment);
  const addresses = readAddresses({ project, environment: environment.name, only: [target.name] });
  const remote = openRemote(project, environment, terminal);
  const located = createLocator(await listLive(remote, addresses))(addresses[0]!.address);
  if ('fault' in located) throw new ExternalError('publish/no-record', `target \`${target.name}\`: ${located.fault}`);
  // Lists show no policy where only `/traffic_policy` can represent it.
  const reading = await remote.read(located.record.ref);
  if (!reading.ok) throw new ExternalError('publish/api', `target \`${target.name}\`: ${reading.failure.message}`);
  return livePolicySource(`live:${target.name}`, reading.value.record.modules.policy);
}

/** Returns a live policy as a document; one without rules if there is none. */
export function livePolicySource(name: string, live: Canonical): SourceText {
  if (live === null) return new SourceText(name, '{"inbound":[]}');
  return new SourceText(name, JSON.stringify({ enabled: live.enabled ?? true, ...phasesOf(live) }));
}
