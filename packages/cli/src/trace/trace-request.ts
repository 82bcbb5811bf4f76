// `tollgate trace`.

import { nearest } from '@tollgate/cel/tooling';
import { simulationOptions } from '@tollgate/core/documents';
import { type Range, type Reporter, textReport } from '@tollgate/diagnostics';
import { rangeInFile } from '@tollgate/policy';
import {
  buildView,
  isConnectionEndpoint,
  type RuleView,
  ruleTitle,
  type TraceReport,
  textTrace,
  unreadNotes,
} from '@tollgate/reports';
import {
  beginEdgeRun,
  createSimulation,
  dependsOnOrder,
  edgeDependsOnOrder,
  type History,
  historyOf,
  traceEdge,
} from '@tollgate/simulator';
import type { Exchange, ReadTrafficOptions } from '@tollgate/traffic';
import { FILE_READER, openGeoDatabases } from '@tollgate/traffic-node';
import { resolveTraffic } from '../input/traffic-inputs.ts';
import type { InputOptions } from '../input/traffic-options.ts';
import { unreadFiles } from '../input/unread-files.ts';
import {
  type LoadedPolicy,
  loadPolicy,
  type PolicySettings,
  type Refusal,
  reportRefusal,
} from '../policies/load-policy.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { type LoadedEdge, loadEdge } from '../publish/load-edge.ts';
import { describedExchange, withOptions } from './described-exchange.ts';
import { type ExchangeWithSource, type ReadExchangeResult, readRequest } from './read-request.ts';
import type { RequestOptions } from './trace-options.ts';

/** The argument and options of `tollgate trace`. */
interface TraceArguments extends RequestOptions, PolicySettings, InputOptions {
  /** Undefined with `--edge`. */
  readonly policy: string | undefined;
  /** Path of an edge in the form that the API returns, or `live:TARGET`. */
  readonly edge?: string;
  /** The environment of a live target. */
  readonly environment?: string;
  readonly origin?: string;
  readonly seed?: number;
  /** True if limits count earlier requests of the recording, which is the default. */
  readonly withHistory?: boolean;
  /** Numbers or names of the rules to show. */
  readonly rule?: readonly string[];
  /** Statuses of the rules to show. */
  readonly only?: readonly string[];
  readonly geoip?: readonly string[];
  readonly format: 'text' | 'json' | 'html';
}

/** Traces one exchange and prints the report. A policy with errors is reported as `tollgate check` does, and not run. */
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
  const style = reportStyle(terminal);
  const { warnings } = report;
  if (args.format === 'text' && warnings.diagnostics.length > 0) terminal.write(`${textReport(warnings, style)}\n`);
  terminal.write((await reporterOf(args.format))(report, style));
  if (reading.recording !== undefined) await hintAtUnread(exchange, reading.recording, terminal);
  return EXIT.clean;
}

/** Names what the recording of an exchange has and its mapping does not read, if that seems to be what was requested. */
async function hintAtUnread({ place }: Exchange, recording: ReadTrafficOptions, terminal: Terminal): Promise<void> {
  for (const note of unreadNotes(await unreadFiles([place.file], recording))) printMessage(terminal, note);
}

/** Returns the exchanges before this one in its recording if the policy keeps state; undefined if they are unwanted or unknown. */
async function historyFor(
  subject: LoadedPolicy | LoadedEdge,
  { withHistory = true, geoip }: TraceArguments,
  { exchange, recording }: ExchangeWithSource,
): Promise<History | undefined> {
  const counts =
    'edge' in subject
      ? edgeDependsOnOrder(subject.edge, subject.policies)
      : dependsOnOrder(subject.policy) !== undefined;
  if (!counts || !withHistory || recording === undefined) return undefined;
  return historyOf(exchange, FILE_READER, { ...recording, ...(geoip && { locate: await openGeoDatabases(geoip) }) });
}

interface ExchangeToTrace {
  readonly exchange: Exchange;
  readonly history: History | undefined;
}

/** Loads all reporters but the one for terminals on demand. */
async function reporterOf(format: TraceArguments['format']): Promise<Reporter<TraceReport>> {
  if (format === 'json') return (await import('@tollgate/reports/json')).jsonTrace;
  if (format === 'html') return (await import('@tollgate/reports/html')).htmlTrace;
  return textTrace;
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

async function readExchangeOf(args: TraceArguments, terminal: Terminal): Promise<ReadExchangeResult> {
  const reading = await readTracedRequest(args, terminal);
  if ('refused' in reading || args.geoip === undefined) return reading;
  const { clientIp, geo } = reading.exchange;
  if (clientIp === undefined) return reading;
  const locate = await openGeoDatabases(args.geoip);
  return { ...reading, exchange: { ...reading.exchange, geo: { ...locate(clientIp), ...geo } } };
}

/** Returns the request that is read, with the options applied, or the one that they describe. */
async function readTracedRequest(args: TraceArguments, terminal: Terminal): Promise<ReadExchangeResult> {
  const { request, url } = args;
  if (request === undefined) {
    if (url === undefined && !isConnectionEndpoint(args.endpoint ?? ''))
      throw new UsageError('missing request; pass `--url URL` or `--request FILE`');
    return { exchange: describedExchange(args) };
  }
  const inputs = await resolveTraffic({ ...args, files: [] }, terminal);
  if (inputs === undefined) return { refused: { sources: [], diagnostics: [] } };
  const reading = await readRequest(request, inputs.traffic, terminal);
  return 'refused' in reading ? reading : { ...reading, exchange: withOptions(reading.exchange, args) };
}

async function tracePolicy(
  { embedded, policy, environments, target, report }: LoadedPolicy,
  args: TraceArguments,
  { exchange, history }: ExchangeToTrace,
): Promise<TraceReport> {
  const { profile, endpoint } = target;
  const simulation = createSimulation(policy, { profile, environments, ...simulationOptions(args) });
  const run = history === undefined ? simulation : simulation.begin(history.orderFault);
  for await (const earlier of history?.exchanges ?? []) run.decide(earlier);
  const view = buildView({ policy, profile, trace: run.trace(exchange) });
  const { file } = embedded;
  return {
    file: file.uri,
    profile: profile.name,
    endpoint,
    exchange,
    source: file,
    warnings: report,
    inFile: range => rangeInFile(embedded, range),
    routing: undefined,
    view,
    rules: chooseRules(view.rules, args),
  };
}

async function traceRoute(
  { edge, policies, target, report }: LoadedEdge,
  args: TraceArguments,
  { exchange, history }: ExchangeToTrace,
): Promise<TraceReport> {
  const { profile, environments, endpoint } = target;
  const options = { profile, environments, ...simulationOptions(args) };
  const run = history && beginEdgeRun(edge, policies, options, history.orderFault);
  for await (const earlier of history?.exchanges ?? []) run!.decide(earlier);
  const routing = run === undefined ? traceEdge(edge, policies, options, exchange) : run.trace(exchange);
  const [file] = report.sources;
  const common = {
    file: file!.uri,
    profile: profile.name,
    endpoint,
    exchange,
    warnings: report,
    routing,
    inFile: (range: Range) => range,
  };
  const { decision } = routing;
  if (decision.kind !== 'routed') return { ...common, source: file!, view: undefined, rules: [] };
  const policy = policies.get(decision.route);
  const view = buildView({ policy, profile, trace: decision.trace, modules: decision.modules });
  const source = report.sources.find(({ uri }) => uri === policy?.uri) ?? file!;
  return { ...common, source, view, rules: chooseRules(view.rules, args) };
}

/** Selects the rules to show. */
interface RuleChoice {
  /** Numbers, phases with a number, or names. */
  readonly rule?: readonly string[];
  readonly only?: readonly string[];
}

/** Returns the selected rules in policy order. Throws a {@link UsageError} if a rule does not exist. */
export function chooseRules(rules: readonly RuleView[], { rule: words, only }: RuleChoice): readonly RuleView[] {
  const named = words && new Set(words.flatMap(word => rulesNamed(word, rules)));
  return rules.filter(rule => (named?.has(rule) ?? true) && (only?.includes(rule.result.status) ?? true));
}

function rulesNamed(word: string, rules: readonly RuleView[]): readonly RuleView[] {
  const found = rules.filter(rule => [rule.name, ruleTitle(rule), String(rule.number)].includes(word));
  if (found.length > 0) return found;
  const names = rules.map(rule => rule.name ?? ruleTitle(rule));
  const closest = nearest(word, names);
  const hint = closest === undefined ? `expected ${formatList(names)}` : `did you mean \`${closest}\`?`;
  throw new UsageError(`\`--rule\`: no rule \`${word}\`; ${hint}`);
}

const MAX_SHOWN = 10;

function formatList(names: readonly string[]): string {
  if (names.length === 0) return 'no rules';
  const shown = names.slice(0, MAX_SHOWN).map(name => `\`${name}\``);
  return names.length > MAX_SHOWN ? `${shown.join(', ')}, …` : shown.join(', ');
}
