import { EDGE_V2, type EndpointKind } from '@tollgate/catalog';
import { choosePaint, jsonReport, type SourceText, textReport } from '@tollgate/diagnostics';
import { type Analysis, analyzePolicy } from '@tollgate/policy';
import { type ReplaySummary, replay } from '@tollgate/simulator';
import type { TrafficFormat } from '@tollgate/traffic';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { readSource } from '../input/read-source.ts';
import type { Terminal } from '../terminal.ts';
import { plural } from './figures.ts';
import { replayReport } from './replay-report.ts';

/** The arguments and options of `tollgate replay`. */
export interface ReplayArguments {
  readonly policy: string;
  readonly files: readonly string[];
  readonly endpoint: EndpointKind;
  readonly format: 'text' | 'json';
  readonly origin?: string;
  readonly trafficFormat?: TrafficFormat;
}

/** Replays traffic and reports on the terminal. A policy with errors is reported as `tollgate check` does, and not run. */
export async function replayTraffic(args: ReplayArguments, terminal: Terminal): Promise<ExitCode> {
  const source = await readSource(args.policy, terminal);
  if (source instanceof Error) throw source;
  const analysis = analyzePolicy(source, { profile: EDGE_V2, endpoint: args.endpoint });
  const hasErrors = analysis.diagnostics.some(diagnostic => diagnostic.severity === 'error');
  if (analysis.policy === undefined || hasErrors) return reportPolicy(source, analysis, args, terminal);
  const { origin, trafficFormat: format } = args;
  const summary = await replay(analysis.policy, {
    profile: EDGE_V2,
    environments: analysis.environments,
    files: args.files,
    assumptions: origin === undefined ? {} : { origin },
    traffic: format === undefined ? {} : { format },
  });
  const failures = summary.files.flatMap(({ failure }) => failure ?? []);
  if (args.format === 'json') terminal.write(jsonText(args, summary));
  // A table of noughts would only hide the errors.
  else if (failures.length < summary.files.length || summary.exchanges > 0)
    terminal.write(textOf(args, summary, terminal));
  for (const failure of failures) terminal.writeError(`tollgate: ${failure.message}\n`);
  return failures.length > 0 ? EXIT.world : EXIT.clean;
}

function reportPolicy(source: SourceText, analysis: Analysis, args: ReplayArguments, terminal: Terminal): ExitCode {
  const report = { sources: [source], diagnostics: analysis.diagnostics };
  const paint = choosePaint(terminal.isInteractive, terminal.env);
  terminal.write(args.format === 'json' ? jsonReport(report) : textReport(report, paint));
  return EXIT.findings;
}

function jsonText({ policy, endpoint, origin }: ReplayArguments, summary: ReplaySummary): string {
  return `${JSON.stringify({ policy, endpoint, origin, ...summary }, null, 2)}\n`;
}

function textOf(args: ReplayArguments, summary: ReplaySummary, terminal: Terminal): string {
  const title = `${args.policy} (${args.endpoint}) on ${plural(summary.exchanges, 'exchange')}`;
  return replayReport(title, summary, choosePaint(terminal.isInteractive, terminal.env));
}
