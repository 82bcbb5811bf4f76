import { type Diagnostic, SourceText, textReport, WorldError } from '@tollgate/diagnostics';
import { type Analysis, analyzePolicy, type Policy } from '@tollgate/policy';
import { type Edge, type Route, readEdge, replayEdge } from '@tollgate/simulator';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { readSource } from '../input/read-source.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { createTargeting, type Target } from '../settings/targeting.ts';
import { reportLook, type Terminal } from '../terminal.ts';
import { ruleNames } from './decision-lines.ts';
import { ReplayReporting } from './replay-reporting.ts';
import { type ReplayArguments, replayOptions, settingsOf } from './replay-traffic.ts';

/** The arguments and options of `tollgate replay --edge`. */
export type EdgeReplayArguments = Omit<ReplayArguments, 'policy' | 'endpoint'> & {
  /** A file with the edge as the API gives it. */
  readonly edge: string;
};

/** Replays traffic through an edge: each request through the route that takes it. Policies with errors are reported, and nothing is run. */
export async function replayEdgeTraffic(args: EdgeReplayArguments, terminal: Terminal): Promise<ExitCode> {
  const reporting = new ReplayReporting(args, terminal);
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
  if (diagnostics.some(diagnostic => diagnostic.severity === 'error')) return reporting.refuse(report);
  const names = new Map([...policies].map(([route, policy]) => [route, ruleNames(policy, target.profile)]));
  const running = {
    options: replayOptions(args, target),
    namesOf: (route?: Route) => (route && names.get(route)) ?? [],
  };
  const summary = await reporting.during(running, given => replayEdge({ edge, policies }, given));
  const { exchanges, files, skipped, unrouted, open } = summary;
  return reporting.finish({
    kind: 'edge',
    name: args.edge,
    profile: target.profile.name,
    endpoint: undefined,
    origin: args.origin,
    report,
    traffic: { exchanges, files, skipped },
    parts: summary.routes.map(({ route, exchanges: taken, ...policy }) => ({
      route,
      exchanges: taken,
      summary: policy,
    })),
    unrouted: { unrouted, open },
  });
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
