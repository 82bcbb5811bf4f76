// `tollgate trace`.

import { stat } from 'node:fs/promises';
import { nearest } from '@tollgate/cel/tooling';
import { simulationOptions } from '@tollgate/core/documents';
import {
  ExternalError,
  type Range,
  type Report,
  type Reporter,
  type SourceText,
  textReport,
} from '@tollgate/diagnostics';
import { canonicalHeaderName, rangeInFile, readExchange } from '@tollgate/policy';
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
  testExchange,
  traceEdge,
} from '@tollgate/simulator';
import {
  type Exchange,
  formatLocation,
  type HeaderField,
  type ReadTrafficOptions,
  type SkippedRecord,
  TLS_UNKNOWN,
} from '@tollgate/traffic';
import { FILE_READER, openGeoDatabases, readTraffic } from '@tollgate/traffic-node';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { readSource, requireReadable } from '../input/read-source.ts';
import { resolveTraffic } from '../input/traffic-inputs.ts';
import type { InputOptions } from '../input/traffic-options.ts';
import { nothingReadIn, unreadFiles } from '../input/unread-files.ts';
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

// An exchange that is read: a file, a raw request, or a record of a recording.

/** The exchange that an argument names, or the errors in its file. */
type ReadExchangeResult = ExchangeWithSource | { readonly refused: Report };

/** An exchange; if it is a record of a recording, also how to read that recording. */
interface ExchangeWithSource {
  readonly exchange: Exchange;
  readonly recording?: ReadTrafficOptions;
}

/** Maximum size of a file with a single exchange, which is written by hand. */
const MAX_BYTES = 1 << 20;

/**
 * Reads the exchange of `FILE`, `FILE#N` or `-`: a raw HTTP request, one exchange in JSON or YAML as in policy tests, or a record of a
 * recording by number or line. Throws a {@link UsageError} for anything else.
 */
export async function readRequest(
  argument: string,
  traffic: ReadTrafficOptions,
  terminal: Terminal,
): Promise<ReadExchangeResult> {
  const [, file, number] = /^(.+?)(?:#(\d+))?$/s.exec(argument) ?? ['', argument, undefined];
  const record = number === undefined ? undefined : Number(number);
  requireReadable(file!, 'user', terminal);
  const source = await wholeText(file!, record, terminal);
  const isRecording = traffic.format !== undefined || traffic.logFormat !== undefined;
  const written = source && !isRecording ? readSingleExchange(source, record) : undefined;
  if (written !== undefined) return written;
  const compact = source && compactRecord(source.text);
  const isRead = source && (file === STANDARD_INPUT || compact !== undefined);
  const content = isRead ? { content: contentOf(compact ?? source.text) } : {};
  const exchange = await recorded(source?.uri ?? file!, record, { ...traffic, ...content });
  return isRead ? { exchange } : { exchange, recording: traffic };
}

/** Returns the content of a file that may be a single exchange. Compressed files are recordings. */
async function wholeText(
  file: string,
  record: number | undefined,
  terminal: Terminal,
): Promise<SourceText | undefined> {
  if (file !== STANDARD_INPUT) {
    const found = await stat(file).catch(() => undefined);
    if (record !== undefined || (found && found.size > MAX_BYTES)) return undefined;
  }
  const source = await readSource(file, terminal);
  if (!(source instanceof Error)) return source;
  if (source.code === 'file/not-utf-8') return undefined;
  throw source;
}

/** Returns a single exchange; undefined if the file may be a recording. */
function readSingleExchange(source: SourceText, record: number | undefined): ReadExchangeResult | undefined {
  if (isRawRequest(source.text)) {
    if (record !== undefined && record !== 1)
      throw new UsageError(`\`${source.uri}\` contains a single request; remove \`#${record}\``);
    return { exchange: readRawRequest(source.text, source.uri) };
  }
  if (!isWrittenExchange(source.text)) return undefined;
  const { value, diagnostics } = readExchange(source);
  if (value === undefined) return { refused: { sources: [source], diagnostics } };
  return { exchange: testExchange(value, { file: source.uri, number: 1, unit: 'entry' }) };
}

/** Matches JSON or YAML with a request; JSON Lines and HAR files start differently. */
function isWrittenExchange(text: string): boolean {
  return /^(?:---\s*\n)?(?:\s|#.*\n)*(?:\{\s*)?["']?(?:connection|request|response|now)["']?\s*:/.test(text);
}

/** Returns a JSON record on one line. HAR files stay unchanged. */
function compactRecord(text: string): string | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !('log' in value) ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

async function* contentOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function recorded(file: string, record: number | undefined, traffic: ReadTrafficOptions): Promise<Exchange> {
  let only: Exchange | undefined;
  let example: SkippedRecord | undefined;
  const counts = { exchanges: 0, skipped: 0 };
  for await (const { exchanges, skipped } of readTraffic(file, traffic)) {
    for (const exchange of exchanges) {
      if (exchange.place.number === record) return exchange;
      if (record !== undefined) continue;
      if (only) throw new UsageError(several(file, only, exchange));
      only = exchange;
    }
    counts.exchanges += exchanges.length;
    counts.skipped += skipped.length;
    example ??= skipped[0];
    const skippedRecord = skipped.find(({ place }) => place.number === record);
    if (skippedRecord)
      throw new UsageError(
        `\`${formatLocation(skippedRecord.place)}\` is not an exchange: \`${skippedRecord.excerpt}\``,
      );
  }
  if (only) return only;
  if (counts.exchanges === 0) throw await nothingReadIn({ files: [file], skipped: counts.skipped, example }, traffic);
  const what = record === undefined ? 'no exchange' : `no exchange \`#${record}\``;
  throw new ExternalError('traffic/no-such-record', `found ${what} in \`${file}\``);
}

function several(file: string, { place }: Exchange, { place: next }: Exchange): string {
  const [one, other] = [place.number, next.number].map(number => `\`${file}#${number}\``);
  return `\`${file}\` contains several exchanges; choose one, such as ${one} or ${other}`;
}

/** Matches a request line: method, target and version (RFC 9112, section 3). */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+) +(\S+) +HTTP\/(\d)(?:\.(\d))?$/;

/** Returns true if the input starts like an HTTP request. */
function isRawRequest(text: string): boolean {
  return REQUEST_LINE.test(text.trimStart().split(/\r?\n/, 1)[0]!.trimEnd());
}

/**
 * Parses a raw HTTP request, whose headers are all known. The body is ignored. Throws a {@link UsageError} with the line of a syntax error.
 */
function readRawRequest(text: string, file: string): Exchange {
  const [head = ''] = text.trimStart().split(/\r?\n\r?\n/, 1);
  const [first = '', ...lines] = head.split(/\r?\n/).map(line => line.trimEnd());
  const [, method, target, major, minor = '0'] = REQUEST_LINE.exec(first)!;
  const fields = headerFields(
    lines.filter(line => line !== ''),
    file,
  );
  const absolute = /^https?:\/\/[^/?#]+/i.exec(target!);
  return {
    place: { file, number: 1, unit: 'entry' },
    time: undefined,
    clientIp: undefined,
    tls: TLS_UNKNOWN,
    method: method!,
    target: target!,
    url: absolute ? target! : undefined,
    protocol: `HTTP/${major}.${minor}`,
    requestHeaders: { fields, absent: [], complete: true, withheld: [] },
    response: undefined,
  };
}

/** A line that starts with a space continues the previous one (RFC 9112, section 5.2). */
function headerFields(lines: readonly string[], file: string): readonly HeaderField[] {
  const fields: HeaderField[] = [];
  for (const [index, line] of lines.entries()) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last) {
      fields[fields.length - 1] = { ...last, value: `${last.value} ${line.trim()}` };
      continue;
    }
    const match = /^([^\s:]+)[ \t]*:[ \t]*(.*)$/.exec(line);
    if (match === null)
      throw new UsageError(`\`${file}:${index + 2}\`: expected a header such as \`Accept: */*\`, found \`${line}\``);
    fields.push({ name: canonicalHeaderName(match[1]!), value: match[2]! });
  }
  return fields;
}
