import { jsonDiagnostics, type Report, textReport } from '@tollgate/diagnostics';
import { type ReplayOptions, type ReplaySummary, replay, type TrafficSummary } from '@tollgate/simulator';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { loadPolicy, type PolicySettings, reportRefusal } from '../input/load-policy.ts';
import type { Target } from '../settings/targeting.ts';
import { reportLook, type Terminal } from '../terminal.ts';
import { plural } from './figures.ts';
import { replayReport } from './replay-report.ts';
import type { TrafficInputs } from './traffic-inputs.ts';

/** The arguments and options of `tollgate replay`. */
export interface ReplayArguments extends TrafficInputs, PolicySettings {
  readonly policy: string;
  readonly format: 'text' | 'json';
  readonly origin?: string;
  /** In place of each exchange's own time; in ms since 1970-01-01T00:00:00Z. */
  readonly now?: number;
  /** For what the policy leaves to chance. */
  readonly seed?: number;
  /** MaxMind DB files. */
  readonly geoip?: readonly string[];
}

/** Replays traffic and reports on the terminal. A policy with errors is reported as `tollgate check` does, and not run. */
export async function replayTraffic(args: ReplayArguments, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadPolicy(args.policy, args, terminal);
  if ('refused' in loaded) return reportRefusal(loaded, terminal, args.format);
  const { policy, environments, target, report } = loaded;
  const summary = await replay(policy, replayOptions(args, { profile: target.profile, environments }));
  return finish({ args, target, report, summary }, terminal);
}

/** What the arguments say of how to replay. */
export function replayOptions(
  { files, traffic, origin, now, seed, geoip }: Omit<ReplayArguments, 'policy'>,
  { profile, environments }: Pick<Target, 'profile' | 'environments'>,
): ReplayOptions {
  return {
    ...{ profile, environments, files, traffic },
    ...(now !== undefined && { now }),
    ...(seed !== undefined && { seed }),
    ...(geoip && { geoip }),
    assumptions: origin === undefined ? {} : { origin },
  };
}

/** What was replayed, and what came of it. */
interface Replayed {
  readonly args: ReplayArguments;
  readonly target: Target;
  /** On the policy; warnings at most. */
  readonly report: Report;
  readonly summary: ReplaySummary;
}

function finish(replayed: Replayed, terminal: Terminal): ExitCode {
  const { files, exchanges } = replayed.summary;
  // A table of noughts would only hide why the files could not be read.
  const isEmpty = files.every(({ failure }) => failure !== undefined) && exchanges === 0;
  if (replayed.args.format === 'json') terminal.write(jsonText(replayed));
  else if (!isEmpty) terminal.write(textOf(replayed, terminal));
  return reportFailures(replayed.summary, terminal);
}

/** Tells of the files that could not be read, or not to their end. */
export function reportFailures({ files }: TrafficSummary, terminal: Terminal): ExitCode {
  const failures = files.flatMap(({ failure }) => failure ?? []);
  for (const failure of failures) terminal.writeError(`tollgate: ${failure.message}\n`);
  return failures.length > 0 ? EXIT.world : EXIT.clean;
}

function jsonText({ args: { policy, origin }, target: { profile, endpoint }, report, summary }: Replayed): string {
  const document = {
    policy,
    profile: profile.name,
    endpoint,
    origin,
    diagnostics: jsonDiagnostics(report),
    ...summary,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function textOf({ target, report, summary }: Replayed, terminal: Terminal): string {
  const look = reportLook(terminal);
  const warnings = report.diagnostics.length === 0 ? '' : `${textReport(report, look)}\n`;
  const title = `${report.sources[0]!.uri} (${target.endpoint}) on ${plural(summary.exchanges, 'exchange')}`;
  return warnings + replayReport(title, summary, look.paint, look.width);
}
