import { textReport } from '@tollgate/diagnostics';
import {
  beginEdgeTrace,
  createSimulation,
  edgeHangsOnOrder,
  type History,
  hangsOnOrder,
  historyOf,
  type SimulationOptions,
  traceEdge,
} from '@tollgate/simulator';
import { type Exchange, openGeoDatabases } from '@tollgate/traffic';
import { type LoadedEdge, loadEdge } from '../policies/load-edge.ts';
import {
  type LoadedPolicy,
  loadPolicy,
  type PolicySettings,
  type Refusal,
  reportRefusal,
} from '../policies/load-policy.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { reportLook, type Terminal } from '../process/terminal.ts';
import { UsageError } from '../process/usage-error.ts';
import type { InputOptions } from '../traffic/recording-options.ts';
import { resolveTraffic } from '../traffic/traffic-inputs.ts';
import { describedExchange, overlaid } from './request/described-exchange.ts';
import { type ExchangeReading, type RequestReading, readRequest } from './request/read-request.ts';
import type { RequestOptions } from './request/request-options.ts';
import { isOfConnections, textTrace } from './text/text-report.ts';
import { buildView } from './view/build-view.ts';
import { chooseRules } from './view/choose-rules.ts';
import type { TraceReport } from './view/trace-report.ts';

/** The argument and options of `tollgate trace`. */
export interface TraceArguments extends RequestOptions, PolicySettings, InputOptions {
  /** Undefined with an edge. */
  readonly policy: string | undefined;
  /** A file with an edge as the API gives it. */
  readonly edge?: string;
  readonly origin?: string;
  readonly seed?: number;
  /** Whether limits count what came before in the recording; they do by default. */
  readonly withHistory?: boolean;
  /** Numbers or names. */
  readonly rule?: readonly string[];
  /** What rules must have done to be shown. */
  readonly only?: readonly string[];
  readonly geoip?: readonly string[];
  readonly format: 'text' | 'json' | 'html';
}

/** Traces one exchange and reports on the terminal. A policy with errors is reported as `tollgate check` does, and not run. */
export async function traceRequest(args: TraceArguments, terminal: Terminal): Promise<ExitCode> {
  const subject = await loadSubject(args, terminal);
  if ('refused' in subject) return reportRefusal(subject, terminal, args.format);
  const reading = await readExchangeOf(args, terminal);
  if ('refused' in reading) return reportRefusal(reading, terminal, args.format);
  const { exchange } = reading;
  const history = await historyFor(subject, args, reading);
  const report =
    'edge' in subject
      ? await traceRoute(subject, args, { exchange, history })
      : await tracePolicy(subject, args, { exchange, history });
  terminal.write(await written(report, args.format, terminal));
  return EXIT.clean;
}

/** What came before the exchange in its recording, where the policy counts; undefined where that is not wanted or not known. */
async function historyFor(
  subject: LoadedPolicy | LoadedEdge,
  { withHistory = true, geoip }: TraceArguments,
  { exchange, recording }: ExchangeReading,
): Promise<History | undefined> {
  const counts =
    'edge' in subject ? edgeHangsOnOrder(subject.edge, subject.policies) : hangsOnOrder(subject.policy) !== undefined;
  if (!counts || !withHistory || recording === undefined) return undefined;
  return historyOf(exchange, { ...recording, ...(geoip && { locate: await openGeoDatabases(geoip) }) });
}

interface ExchangeToTrace {
  readonly exchange: Exchange;
  readonly history: History | undefined;
}

/** The forms for programs and browsers are loaded when they are asked for. */
async function written(report: TraceReport, format: TraceArguments['format'], terminal: Terminal): Promise<string> {
  if (format === 'json') return (await import('./json/json-report.ts')).jsonTrace(report);
  if (format === 'html') return (await import('./html/html-report.ts')).htmlTrace(report);
  const look = reportLook(terminal);
  const { warnings } = report;
  return `${warnings.diagnostics.length === 0 ? '' : `${textReport(warnings, look)}\n`}${textTrace(report, look)}`;
}

async function loadSubject(args: TraceArguments, terminal: Terminal): Promise<LoadedPolicy | LoadedEdge | Refusal> {
  const { policy, edge, request } = args;
  if (policy !== undefined && edge !== undefined)
    throw new UsageError('expected either a policy or `--edge`, found both');
  if (edge === undefined && policy === undefined) throw new UsageError('missing required argument `policy`');
  if ((edge ?? policy) === '-' && request === '-')
    throw new UsageError('standard input cannot be both policy and request');
  return edge === undefined ? await loadPolicy(policy!, args, terminal) : await loadEdge(edge, args, terminal);
}

async function readExchangeOf(args: TraceArguments, terminal: Terminal): Promise<RequestReading> {
  const reading = await readBegun(args, terminal);
  if ('refused' in reading || args.geoip === undefined) return reading;
  const { clientIp, geo } = reading.exchange;
  if (clientIp === undefined) return reading;
  const locate = await openGeoDatabases(args.geoip);
  return { ...reading, exchange: { ...reading.exchange, geo: { ...locate(clientIp), ...geo } } };
}

/** A request that is read, with what options say in its place; or one that they describe. */
async function readBegun(args: TraceArguments, terminal: Terminal): Promise<RequestReading> {
  const { request, url } = args;
  if (request === undefined) {
    if (url === undefined && !isOfConnections(args.endpoint ?? ''))
      throw new UsageError('missing request; pass `--url URL` or `--request FILE`');
    return { exchange: describedExchange(args) };
  }
  const inputs = await resolveTraffic({ ...args, files: [] }, terminal);
  if (inputs === undefined) return { refused: { sources: [], diagnostics: [] } };
  const reading = await readRequest(request, inputs.traffic, terminal);
  return 'refused' in reading ? reading : { ...reading, exchange: overlaid(reading.exchange, args) };
}

async function tracePolicy(
  { source, policy, environments, target, report }: LoadedPolicy,
  args: TraceArguments,
  { exchange, history }: ExchangeToTrace,
): Promise<TraceReport> {
  const { profile, endpoint } = target;
  const simulation = createSimulation(policy, simulationOptions(args, { profile, environments }));
  const run = history === undefined ? simulation : simulation.beginTrace(history.orderFault);
  for await (const earlier of history?.exchanges ?? []) run.decide(earlier);
  const view = buildView({ policy, profile, trace: run.trace(exchange) });
  return {
    ...{ file: source.uri, profile: profile.name, endpoint, exchange, source, warnings: report },
    ...{ routing: undefined, view, rules: chooseRules(view.rules, args) },
  };
}

async function traceRoute(
  { edge, policies, target, report }: LoadedEdge,
  args: TraceArguments,
  { exchange, history }: ExchangeToTrace,
): Promise<TraceReport> {
  const { profile, environments, endpoint } = target;
  const options = simulationOptions(args, { profile, environments });
  const run = history && beginEdgeTrace(edge, policies, options, history.orderFault);
  for await (const earlier of history?.exchanges ?? []) run!.decide(earlier);
  const routing = run === undefined ? traceEdge(edge, policies, options, exchange) : run.trace(exchange);
  const [file] = report.sources;
  const told = { file: file!.uri, profile: profile.name, endpoint, exchange, warnings: report, routing };
  const { decision } = routing;
  if (decision.kind !== 'routed') return { ...told, source: file!, view: undefined, rules: [] };
  const policy = policies.get(decision.route);
  const view = buildView({ policy, profile, trace: decision.trace, modules: decision.modules });
  const source = report.sources.find(({ uri }) => uri === policy?.uri) ?? file!;
  return { ...told, source, view, rules: chooseRules(view.rules, args) };
}

function simulationOptions(
  { origin, seed }: TraceArguments,
  { profile, environments }: Pick<SimulationOptions, 'profile' | 'environments'>,
): SimulationOptions {
  return {
    ...{ profile, environments, assumptions: origin === undefined ? {} : { origin } },
    ...(seed !== undefined && { seed }),
  };
}
