import { jsonDiagnostics, type Report, textReport } from '@tollgate/diagnostics';
import { type EdgeReplaySummary, replayEdge } from '@tollgate/simulator';
import type { ExitCode } from '../exit-code.ts';
import { loadEdge } from '../input/load-edge.ts';
import { reportRefusal } from '../input/load-policy.ts';
import { reportLook, type Terminal } from '../terminal.ts';
import { plural } from './figures.ts';
import { edgeReport } from './replay-report.ts';
import { type ReplayArguments, replayOptions, reportFailures } from './replay-traffic.ts';

/** The arguments and options of `tollgate replay --edge`. */
export type EdgeReplayArguments = Omit<ReplayArguments, 'policy' | 'endpoint'> & {
  /** A file with the edge as the API gives it. */
  readonly edge: string;
};

/** Replays traffic through an edge: each request through the route that takes it. Policies with errors are reported, and nothing is run. */
export async function replayEdgeTraffic(args: EdgeReplayArguments, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadEdge(args.edge, args, terminal);
  if ('refused' in loaded) return reportRefusal(loaded, terminal, args.format);
  const { edge, policies, target, report } = loaded;
  const summary = await replayEdge({ edge, policies }, replayOptions(args, target));
  if (args.format === 'json') {
    const document = {
      edge: args.edge,
      profile: target.profile.name,
      diagnostics: jsonDiagnostics(report),
      ...summary,
    };
    terminal.write(`${JSON.stringify(document, null, 2)}\n`);
  } else terminal.write(textOf(report, summary, terminal));
  return reportFailures(summary, terminal);
}

function textOf(report: Report, summary: EdgeReplaySummary, terminal: Terminal): string {
  const look = reportLook(terminal);
  const warnings = report.diagnostics.length === 0 ? '' : `${textReport(report, look)}\n`;
  const title = `${report.sources[0]!.uri} (edge) on ${plural(summary.exchanges, 'exchange')}`;
  return warnings + edgeReport(title, summary, look.paint, look.width);
}
