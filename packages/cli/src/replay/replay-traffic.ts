import type { EndpointKind } from '@tollgate/catalog';
import { textReport } from '@tollgate/diagnostics';
import { analyzePolicy } from '@tollgate/policy';
import { type ReplayOptions, type ReplaySummary, replay } from '@tollgate/simulator';
import type { TrafficFormat } from '@tollgate/traffic';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { splitFilePart } from '../input/file-part.ts';
import { readSource } from '../input/read-source.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { createTargeting, explainDetection, type Target } from '../settings/targeting.ts';
import { reportLook, type Terminal } from '../terminal.ts';
import { ruleNames } from './decision-lines.ts';
import { ReplayReporting } from './replay-reporting.ts';
import type { ReportArguments } from './report-options.ts';

/** The arguments and options of `tollgate replay`. */
export interface ReplayArguments extends ReportArguments {
  readonly policy: string;
  readonly files: readonly string[];
  /** The dialect of the policy; told by its keys and names when absent. */
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  /** Extension files. */
  readonly env?: readonly string[];
  readonly origin?: string;
  /** In place of each exchange's own time; in ms since 1970-01-01T00:00:00Z. */
  readonly now?: number;
  /** For what the policy leaves to chance. */
  readonly seed?: number;
  readonly trafficFormat?: TrafficFormat;
}

/** Replays traffic and reports on it. A policy with errors is reported as `tollgate check` does, and not run. */
export async function replayTraffic(args: ReplayArguments, terminal: Terminal): Promise<ExitCode> {
  const reporting = new ReplayReporting(args, terminal);
  const { name, part } = splitFilePart(args.policy);
  const source = await readSource(name, terminal);
  if (source instanceof Error) throw source;
  const loaded = await loadSettings(settingsOf(args), terminal);
  for (const failure of loaded.failures) throw failure;
  if (loaded.diagnostics.length > 0) {
    terminal.write(textReport(loaded, reportLook(terminal)));
    return EXIT.findings;
  }
  const target = createTargeting(loaded.settings)(source);
  if (target instanceof Error) throw target;
  const { policy, environments, diagnostics } = analyzePolicy(source, { ...target, ...(part && { part }) });
  const report = { sources: [source], diagnostics };
  if (policy === undefined || diagnostics.some(diagnostic => diagnostic.severity === 'error')) {
    return reporting.refuse({
      ...report,
      diagnostics: [...diagnostics, ...explainDetection(target, source.uri, diagnostics)],
    });
  }
  const names = ruleNames(policy, target.profile);
  const options = replayOptions(args, { profile: target.profile, environments });
  const running = { options, namesOf: () => names };
  const { summary, traffic } = partsOf(await reporting.during(running, given => replay(policy, given)));
  return reporting.finish({
    kind: 'policy',
    name: args.policy,
    profile: target.profile.name,
    endpoint: target.endpoint,
    origin: args.origin,
    report,
    traffic,
    parts: [{ exchanges: traffic.exchanges, summary }],
  });
}

function partsOf({ exchanges, files, skipped, ...summary }: ReplaySummary) {
  return { traffic: { exchanges, files, skipped }, summary };
}

/** What the arguments say of how to replay. */
export function replayOptions(
  { files, origin, now, seed, trafficFormat: format }: Omit<ReplayArguments, 'policy'>,
  { profile, environments }: Pick<Target, 'profile' | 'environments'>,
): ReplayOptions {
  return {
    ...{ profile, environments, files: [...new Set(files)] },
    ...(now !== undefined && { now }),
    ...(seed !== undefined && { seed }),
    assumptions: origin === undefined ? {} : { origin },
    traffic: format === undefined ? {} : { format },
  };
}

/** What the arguments say of the policy's dialect and endpoint. */
export function settingsOf({ env, profile, endpoint }: Pick<ReplayArguments, 'env' | 'profile' | 'endpoint'>) {
  return { ...(env && { env }), ...(profile && { profile }), ...(endpoint && { endpoint }) };
}
