import {
  type Diagnostic,
  jsonDiagnostics,
  jsonReport,
  SourceText,
  textReport,
  WorldError,
} from '@tollgate/diagnostics';
import { type Analysis, analyzePolicy, type Policy } from '@tollgate/policy';
import { type Edge, type EdgeReplaySummary, type Route, readEdge, replayEdge } from '@tollgate/simulator';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { readSource } from '../input/read-source.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { createTargeting, type Target } from '../settings/targeting.ts';
import { reportLook, type Terminal } from '../terminal.ts';
import { plural } from './figures.ts';
import { edgeReport } from './replay-report.ts';
import { type ReplayArguments, replayOptions, reportFailures, settingsOf } from './replay-traffic.ts';

/** The arguments and options of `tollgate replay --edge`. */
export type EdgeReplayArguments = Omit<ReplayArguments, 'policy' | 'endpoint'> & {
  /** A file with the edge as the API gives it. */
  readonly edge: string;
};

/** Replays traffic through an edge: each request through the route that takes it. Policies with errors are reported, and nothing is run. */
export async function replayEdgeTraffic(args: EdgeReplayArguments, terminal: Terminal): Promise<ExitCode> {
  const source = await readSource(args.edge, terminal);
  if (source instanceof Error) throw source;
  const loaded = await loadSettings(settingsOf({ ...args, endpoint: 'https-route' }), terminal);
  for (const failure of loaded.failures) throw failure;
  if (loaded.diagnostics.length > 0) {
    terminal.write(textReport(loaded, reportLook(terminal)));
    return EXIT.findings;
  }
  const { edge, value } = edgeIn(source);
  const target = createTargeting(loaded.settings)(source);
  if (target instanceof Error) throw target;
  const { policies, sources, diagnostics } = analyzeRoutes({ edge, value, source }, target);
  const report = { sources, diagnostics };
  if (diagnostics.some(diagnostic => diagnostic.severity === 'error')) {
    terminal.write(args.format === 'json' ? jsonReport(report) : textReport(report, reportLook(terminal)));
    return EXIT.findings;
  }
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

interface EdgeFile {
  readonly edge: Edge;
  /** As it was parsed. */
  readonly value: unknown;
}

function edgeIn({ text, uri }: SourceText): EdgeFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WorldError('edge/no-json', `cannot read \`${uri}\` as an edge: it is not JSON: ${reason}`, { cause });
  }
  const reading = readEdge(value);
  if ('edge' in reading) return { edge: reading.edge, value };
  throw new WorldError('edge/invalid', `cannot read \`${uri}\` as an edge: ${reading.faults.join('; ')}`);
}

interface RouteAnalyses {
  readonly policies: ReadonlyMap<Route, Policy>;
  readonly sources: readonly SourceText[];
  readonly diagnostics: readonly Diagnostic[];
}

function analyzeRoutes(
  { edge, value, source }: EdgeFile & { readonly source: SourceText },
  target: Target,
): RouteAnalyses {
  const policies = new Map<Route, Policy>();
  const sources = [source];
  const diagnostics: Diagnostic[] = [];
  for (const route of edge.routes) {
    if (route.policyAt === undefined) continue;
    const text = policyText(value, route.policyAt);
    const inText = text === undefined ? undefined : new SourceText(`${source.uri}#/${route.policyAt.join('/')}`, text);
    if (inText) sources.push(inText);
    const analysis: Analysis = inText
      ? analyzePolicy(inText, target)
      : analyzePolicy(source, { ...target, part: { document: undefined, steps: route.policyAt } });
    diagnostics.push(...analysis.diagnostics);
    if (analysis.policy) policies.set(route, analysis.policy);
  }
  return { policies, sources, diagnostics };
}

/** A policy may be given as one text, in `value`. */
function policyText(value: unknown, steps: readonly string[]): string | undefined {
  let at = value;
  for (const step of [...steps, 'value']) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = new Map<string, unknown>(Object.entries(at)).get(step);
  }
  return typeof at === 'string' ? at : undefined;
}

function textOf(
  report: { readonly sources: readonly SourceText[]; readonly diagnostics: readonly Diagnostic[] },
  summary: EdgeReplaySummary,
  terminal: Terminal,
): string {
  const look = reportLook(terminal);
  const warnings = report.diagnostics.length === 0 ? '' : `${textReport(report, look)}\n`;
  const title = `${report.sources[0]!.uri} (edge) on ${plural(summary.exchanges, 'exchange')}`;
  return warnings + edgeReport(title, summary, look.paint, look.width);
}
