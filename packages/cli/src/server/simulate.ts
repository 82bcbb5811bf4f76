// `tollgate simulate`: a server that answers as the edge would.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createServer, type IncomingMessage, request as requestOver, type ServerResponse } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { dirname } from 'node:path';
import { type Diagnostic, ExternalError, jsonText, printable, textReport } from '@tollgate/diagnostics';
import { createEnforcer, type DecisionRecord, type Enforced, type Enforcer, LOCATION_FIELDS } from '@tollgate/enforce';
import { type ClientFacts, NODE_HOST, nodeMiddleware } from '@tollgate/enforce/node';
import { findingsInFile, rangeInFile } from '@tollgate/policy';
import { buildView, formatOutcome, textRule } from '@tollgate/reports';
import { createSimulation, type DecisionTrace } from '@tollgate/simulator';
import { type Exchange, type LocateAddress, normalizeAddress } from '@tollgate/traffic';
import { openGeoDatabases } from '@tollgate/traffic-node';
import { splitFilePart } from '../input/document-parts.ts';
import { STANDARD_INPUT } from '../input/find-inputs.ts';
import { FolderWatch } from '../input/watch-paths.ts';
import { type LoadedPolicy, loadPolicy, type PolicySettings, type Refusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';

/** The argument and options of `tollgate simulate`. */
interface SimulateArguments extends PolicySettings {
  readonly policy: string;
  readonly listen: string;
  readonly upstream?: string;
  readonly shadow?: true;
  readonly clientHeader?: string;
  readonly log?: string;
  readonly quiet?: true;
  readonly geoip?: readonly string[];
}

/** Serves until the process receives SIGINT or SIGTERM. */
export async function simulatePolicy(args: SimulateArguments, terminal: Terminal): Promise<ExitCode> {
  if (args.policy === STANDARD_INPUT)
    throw new UsageError('expected a policy in a file, which is read again when it changes');
  const address = readAddress(args.listen);
  const upstream = args.upstream === undefined ? undefined : readUpstream(args.upstream);
  const locate = args.geoip === undefined ? undefined : await openGeoDatabases(args.geoip);
  const log = args.log === undefined ? undefined : await openLog(args.log);
  const prepare = async () => prepareEnforcer(await loadPolicy(args.policy, args, terminal), args, { terminal, log });
  const first = await prepare();
  if ('refused' in first) {
    terminal.write(textReport(first.refused, reportStyle(terminal)));
    return EXIT.findings;
  }
  let { enforcer } = first;
  const middleware = nodeMiddleware(() => enforcer, {
    client: request => clientOf(request, args.clientHeader, locate),
  });
  const pass =
    upstream === undefined
      ? describeRequest
      : (...both: Parameters<typeof describeRequest>) => forward(upstream, ...both);
  const server = createServer((request, response) => middleware(request, response, () => pass(request, response)));
  await listen(server, address);
  const stop = new AbortController();
  const watch = new FolderWatch(stop.signal, args.log === undefined ? [] : [args.log]);
  await watch.add([dirname(splitFilePart(args.policy).name), ...(args.env ?? []).map(file => dirname(file))]);
  // Before the greeting, because its reader may stop the server immediately.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const { port } = server.address() as { readonly port: number };
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  terminal.write(
    `${args.policy} answers at http://${host}:${port}${args.shadow ? ', in shadow mode' : ''}; press Ctrl-C to stop\n`,
  );
  while (await watch.next()) {
    const next = await prepare().catch((error: unknown) => {
      if (error instanceof ExternalError) return error;
      throw error;
    });
    if (next instanceof Error) printMessage(terminal, `${next.message}; the previous policy stays in use`);
    else if ('refused' in next) {
      terminal.write(textReport(next.refused, reportStyle(terminal)));
      printMessage(terminal, 'the previous policy stays in use');
    } else {
      enforcer = next.enforcer;
      terminal.write(`${args.policy} read again; limits count from zero\n`);
    }
  }
  server.close();
  server.closeAllConnections();
  log?.end();
  return EXIT.clean;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function readAddress(text: string): Address {
  const [, host = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535)
    throw new UsageError(
      `\`--listen\` expects a port, or address and port such as \`127.0.0.1:8080\`, found \`${text}\``,
    );
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
}

function readUpstream(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '')
    throw new UsageError(
      `\`--upstream\` expects scheme, host and port such as \`http://127.0.0.1:3000\`, found \`${text}\``,
    );
  return url;
}

async function listen(server: ReturnType<typeof createServer>, { host, port }: Address): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EADDRINUSE' ? 'the port is in use' : error.message;
    throw new ExternalError('server/listen', `cannot listen on ${host}:${port}: ${reason}`, { cause: error });
  });
}

async function openLog(file: string): Promise<WriteStream> {
  const stream = createWriteStream(file, { flags: 'a' });
  await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
    throw new ExternalError('file/unwritable', `cannot write \`${file}\`: ${error.message}`, { cause: error });
  });
  return stream;
}

interface Output {
  readonly terminal: Terminal;
  readonly log: WriteStream | undefined;
}

/** Random numbers are drawn from it in decisions and in the traces of them. */
const SEED = Math.floor(Math.random() * 0x1_0000_0000);

function prepareEnforcer(
  loaded: LoadedPolicy | Refusal,
  { shadow, quiet, geoip }: SimulateArguments,
  { terminal, log }: Output,
): { readonly enforcer: Enforcer } | Refusal {
  if ('refused' in loaded) return loaded;
  const { policy, environments, embedded, source } = loaded;
  const { profile } = loaded.target;
  const preparation = { profile, environments, seed: SEED };
  const tracer = createSimulation(policy, preparation).begin();
  const host =
    geoip === undefined ? NODE_HOST : { ...NODE_HOST, fields: new Set([...NODE_HOST.fields, ...LOCATION_FIELDS]) };
  const mode = shadow ? 'shadow' : 'enforce';
  const onDecision = (record: DecisionRecord, { exchange, response }: Enforced) => {
    log?.write(`${jsonText(record)}\n`);
    // Also for a line that is not shown, so that its counters agree.
    const trace = tracer.trace(exchange, response);
    const style = reportStyle(terminal);
    terminal.write(`${decisionLine(exchange, record, trace)}\n`);
    if (quiet) return;
    const { rules } = buildView({ policy, profile, trace });
    const file = { source: embedded.file, inFile: (range: Diagnostic['range']) => rangeInFile(embedded, range) };
    const shown = rules.filter((_, at) => DECIDING.has(trace.rules[at]!.status));
    for (const rule of shown)
      terminal.write(
        `${textRule(rule, file, { paint: style.paint, ...(style.width !== undefined && { width: style.width }) })}\n`,
      );
    terminal.write('\n');
  };
  const created = createEnforcer(policy, { ...preparation, host, mode, onDecision });
  if ('enforcer' in created) return created;
  const refusals = created.refusals.map(
    ({ message, range }): Diagnostic => ({
      code: 'enforce/unsupported',
      args: {},
      severity: 'error',
      uri: source.uri,
      message,
      range,
    }),
  );
  return { refused: { sources: loaded.report.sources, diagnostics: findingsInFile(embedded, refusals) } };
}

const DECIDING: ReadonlySet<DecisionTrace['rules'][number]['status']> = new Set([
  'matched',
  'failed',
  'undetermined',
] as const);

/** Returns the request and what became of it: `GET /admin/ from 127.0.0.1: denied with 403`. */
function decisionLine(
  { time = 0, method, target, clientIp }: Exchange,
  { decision }: DecisionRecord,
  { outcomes }: DecisionTrace,
): string {
  const [outcome] = outcomes;
  const isSettled = outcomes.length === 1 && outcome !== undefined && decision.needs === undefined;
  const would = decision.mode === 'shadow' ? 'would be ' : '';
  const became = isSettled
    ? `${would}${formatOutcome(outcome)}`
    : `undetermined; it depends on ${decision.needs?.join(', ')}`;
  return printable(`${new Date(time).toISOString().slice(11, 19)} ${method} ${target} from ${clientIp}: ${became}`);
}

function clientOf(
  request: IncomingMessage,
  header: string | undefined,
  locate: LocateAddress | undefined,
): ClientFacts {
  const named = header === undefined ? undefined : request.headers[header.toLowerCase()];
  const said = typeof named === 'string' ? normalizeAddress(named.trim()) : undefined;
  const address = said ?? (request.socket.remoteAddress && normalizeAddress(request.socket.remoteAddress));
  return {
    ...(said !== undefined && { clientIp: said }),
    ...(locate && address && { geo: locate(address) }),
  };
}

/** Answers with what the upstream would receive. */
function describeRequest(request: IncomingMessage, response: ServerResponse): void {
  const { method, url, rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(['The request passes. The upstream would receive:', '', `${method} ${url}`, ...headers, ''].join('\n'));
}

/** Headers about one connection, which are not passed on (RFC 9110, section 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

function passedOn(raw: readonly string[]): string[] {
  return raw.flatMap((name, at) =>
    at % 2 === 0 && !OF_CONNECTION.has(name.toLowerCase()) ? [name, raw[at + 1]!] : [],
  );
}

function forward(upstream: URL, request: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET', url = '/', rawHeaders } = request;
  const send = upstream.protocol === 'https:' ? requestOverTls : requestOver;
  const { hostname, port } = upstream;
  const options = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    method,
    path: url,
    headers: passedOn(rawHeaders),
  };
  const asked = send(options, answer => {
    response.writeHead(answer.statusCode!, answer.statusMessage, passedOn(answer.rawHeaders));
    answer.pipe(response);
  });
  asked.on('error', ({ message }) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'Content-Type': 'text/plain' }).end(`the upstream does not answer: ${message}\n`);
  });
  request.pipe(asked);
  response.on('close', () => asked.destroy());
}
