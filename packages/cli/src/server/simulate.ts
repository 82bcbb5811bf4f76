// `tollgate simulate`: a server that answers as the edge would.

import { createServer, type IncomingMessage, request as requestOver, type ServerResponse } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { type Diagnostic, printable } from '@tollgate/diagnostics';
import type { DecisionRecord, Enforced, Enforcer } from '@tollgate/enforce';
import { type ClientFacts, NODE_HOST, nodeMiddleware } from '@tollgate/enforce/node';
import { rangeInFile } from '@tollgate/policy';
import { buildView, formatOutcome, textRule } from '@tollgate/reports';
import { createSimulation, type DecisionTrace, LIVE_EFFECTS } from '@tollgate/simulator';
import { type Exchange, type LocateAddress, normalizeAddress } from '@tollgate/traffic';
import type { LoadedPolicy } from '../policies/load-policy.ts';
import type { ExitCode } from '../process/exit-code.ts';
import { reportStyle, type Terminal } from '../process/terminal.ts';
import { listen, readAddress, readOrigin } from './listen.ts';
import { enforceLive, type LiveArguments, type LiveServer } from './live-policy.ts';

/** The argument and options of `tollgate simulate`. */
interface SimulateArguments extends LiveArguments {
  readonly listen: string;
  readonly upstream?: string;
  readonly clientHeader?: string;
  readonly quiet?: true;
}

/** Serves until the process receives SIGINT or SIGTERM. */
export async function simulatePolicy(args: SimulateArguments, terminal: Terminal): Promise<ExitCode> {
  const address = readAddress('--listen', args.listen);
  const upstream = args.upstream === undefined ? undefined : readOrigin('--upstream', args.upstream);
  const pass =
    upstream === undefined
      ? describeRequest
      : (...both: Parameters<typeof describeRequest>) => forward(upstream, ...both);
  const start = async (enforcer: () => Enforcer, locate: LocateAddress | undefined): Promise<LiveServer> => {
    const middleware = nodeMiddleware(enforcer, { client: request => clientOf(request, args.clientHeader, locate) });
    const server = createServer((request, response) => middleware(request, response, () => pass(request, response)));
    return {
      greeting: `answers at http://${await listen(server, address)}`,
      stop() {
        server.close();
        server.closeAllConnections();
      },
    };
  };
  const observe = (loaded: LoadedPolicy, hide: (text: string) => string) => ({
    onDecision: explainer(loaded, args.quiet === true, { ...terminal, write: text => terminal.write(hide(text)) }),
  });
  return enforceLive(args, { host: () => NODE_HOST, seed: SEED, observe, start }, terminal);
}

/** Random numbers are drawn from it in decisions and in the traces of them. */
const SEED = Math.floor(Math.random() * 0x1_0000_0000);

/** Returns what prints each decision, and unless `isQuiet`, the rules that made it. */
function explainer(
  { policy, environments, embedded, target: { profile } }: LoadedPolicy,
  isQuiet: boolean,
  terminal: Terminal,
): (record: DecisionRecord, enforced: Enforced) => void {
  const tracer = createSimulation(policy, { profile, environments, seed: SEED, effects: LIVE_EFFECTS }).begin();
  return (record, { exchange, response }) => {
    // Also for a line that is not shown, so that its counters agree.
    const trace = tracer.trace(exchange, response);
    const { paint, width } = reportStyle(terminal);
    terminal.write(`${decisionLine(exchange, record, trace)}\n`);
    if (isQuiet) return;
    const { rules } = buildView({ policy, profile, trace });
    const file = { source: embedded.file, inFile: (range: Diagnostic['range']) => rangeInFile(embedded, range) };
    const shown = rules.filter((_, at) => DECIDING.has(trace.rules[at]!.status));
    for (const rule of shown)
      terminal.write(`${textRule(rule, file, { paint, ...(width !== undefined && { width }) })}\n`);
    terminal.write('\n');
  };
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
