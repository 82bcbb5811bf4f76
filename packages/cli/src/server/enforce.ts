// `tollgate enforce`: a service that decides the requests of Envoy.

import type { EndpointKind } from '@tollgate/catalog';
import { printableLines, textReport } from '@tollgate/diagnostics';
import { createEnforcer, type DecisionFacts, type Enforcer, type Host } from '@tollgate/enforce';
import {
  attributesRead,
  createEnvoyService,
  ENVOY_CONNECTION_HOST,
  ENVOY_HOST,
  type EnvoyFilterOptions,
  envoyBootstrap,
  envoyConfiguration,
  envoyConnectionConfiguration,
  type SocketAddress,
} from '@tollgate/enforce/envoy';
import type { LocateAddress } from '@tollgate/traffic';
import { stringify } from 'yaml';
import type { LoadedPolicy } from '../policies/load-policy.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { createEnforcementMetrics } from './enforcement-metrics.ts';
import { listen, readAddress, readOrigin, serveMetrics } from './listen.ts';
import { enforceLive, enforcementReport, hostOf, type LiveArguments, type LiveServer } from './live-policy.ts';
import { policySource } from './policy-source.ts';

/** The argument and options of `tollgate enforce`. */
interface EnforceArguments extends LiveArguments {
  readonly extProc: string;
  readonly envoyConfig?: true;
  readonly upstream?: string;
  readonly listen: string;
  readonly metrics?: string;
}

/** How long exchanges may take that have begun when the process is told to stop. */
const GRACE_MS = 10_000;

/** Decides until the process receives SIGINT or SIGTERM; or prints the configuration of Envoy. */
export async function enforcePolicy(args: EnforceArguments, terminal: Terminal): Promise<ExitCode> {
  if (args.envoyConfig) return printConfiguration(args, terminal);
  if (args.upstream !== undefined)
    throw new UsageError(
      'expected `--upstream` with `--envoy-config`: Envoy passes requests on, and this service only decides them',
    );
  const address = readAddress('--ext-proc', args.extProc);
  const metricsAddress = args.metrics === undefined ? undefined : readAddress('--metrics', args.metrics);
  const metrics = createEnforcementMetrics();
  const notices = new Notices(terminal);
  const start = async (enforcer: () => Enforcer, locate: LocateAddress | undefined): Promise<LiveServer> => {
    const service = createEnvoyService(enforcer, {
      ...(locate && { locate }),
      onFault({ message }) {
        metrics.countFault();
        notices.say(
          `a message of Envoy could not be read, and the request was answered with 500 or the connection closed: ${message}`,
        );
      },
    });
    const at = await listen(service.server, address);
    const measured = metricsAddress && (await serveMetrics(metrics.registry, metricsAddress));
    return {
      greeting: `decides for Envoy at ${at}${measured === undefined ? '' : `, with metrics at http://${measured.at}/metrics`}`,
      async stop() {
        measured?.stop();
        await service.stop(GRACE_MS);
      },
    };
  };
  const first: { attributes?: readonly string[] } = {};
  const observe = (loaded: LoadedPolicy) => {
    const attributes = attributesOf(loaded, args);
    const added = attributes.filter(name => first.attributes?.includes(name) === false);
    first.attributes ??= attributes;
    if (added.length > 0)
      notices.say(
        `the policy now reads ${added.join(', ')}; print the configuration of Envoy again (\`--envoy-config\`)`,
      );
    return {
      onOutcome(decision: DecisionFacts) {
        metrics.countDecision(decision);
        const { mode, needs } = decision;
        if (needs !== undefined && mode === 'enforce')
          notices.say(`a request was answered with 500, because its decision depends on ${needs.join(', ')}`);
      },
    };
  };
  const onReload = (isInUse: boolean) => metrics.countReload(isInUse);
  return enforceLive(args, { host: hostFor, observe, start, onReload }, terminal);
}

/** Policies of endpoints that know connections and no requests. */
const CONNECTION_ENDPOINTS: ReadonlySet<EndpointKind> = new Set([
  'tcp-edge',
  'tls-edge',
  'tcp-endpoint',
  'tls-endpoint',
]);

function isAboutConnections({ target }: Pick<LoadedPolicy, 'target'>): boolean {
  return CONNECTION_ENDPOINTS.has(target.endpoint);
}

function hostFor(loaded: Pick<LoadedPolicy, 'target'>): Host {
  return isAboutConnections(loaded) ? ENVOY_CONNECTION_HOST : ENVOY_HOST;
}

/** Says each thing once, and at most a hundred: what happens again is in the metrics. */
class Notices {
  readonly #said = new Set<string>();
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  say(message: string): void {
    if (this.#said.has(message) || this.#said.size >= MAX_NOTICES) return;
    this.#said.add(message);
    printMessage(this.#terminal, message);
  }
}

const MAX_NOTICES = 100;

function attributesOf({ policy, environments, target }: LoadedPolicy, { geoip }: LiveArguments): readonly string[] {
  return attributesRead(policy, { profile: target.profile, environments, locates: geoip !== undefined });
}

async function printConfiguration(args: EnforceArguments, terminal: Terminal): Promise<ExitCode> {
  const address = readAddress('--ext-proc', args.extProc);
  const upstream = args.upstream === undefined ? undefined : readUpstream(args.upstream);
  const loaded = await policySource(args, terminal).load();
  if (typeof loaded === 'number') return loaded;
  const refused = 'refused' in loaded ? loaded.refused : refusalsOf(loaded, args);
  if ('refused' in loaded || refused !== undefined) {
    if (refused !== undefined) terminal.write(textReport(refused, reportStyle(terminal)));
    return EXIT.findings;
  }
  const { policy, environments, target } = loaded;
  const options: EnvoyFilterOptions = {
    ...{ profile: target.profile, environments, service: address, mode: args.shadow ? 'shadow' : 'enforce' },
    locates: args.geoip !== undefined,
  };
  if (isAboutConnections(loaded)) {
    if (upstream !== undefined)
      throw new UsageError(
        'expected no `--upstream`: a whole configuration is printed for policies about requests only',
      );
    const added = envoyConnectionConfiguration(policy, options);
    terminal.write(`${CONNECTION_HEADER}\n${printableLines(stringify(added, { lineWidth: 0 }))}`);
    return EXIT.clean;
  }
  const configuration = envoyConfiguration(policy, options);
  const printed = upstream
    ? envoyBootstrap(configuration, readAddress('--listen', args.listen), upstream)
    : configuration;
  const header = upstream ? WHOLE_HEADER : HEADER;
  terminal.write(`${header}\n${printableLines(stringify(printed, { lineWidth: 0 }))}`);
  return EXIT.clean;
}

const WHOLE_HEADER = `# For Envoy 1.40 and later. Another policy may read other attributes: print this again when it does.`;

const CONNECTION_HEADER = `# For Envoy 1.40 and later. Add the filter to \`filters\`, before the one that proxies, listener filters to \`listener_filters\`, and the cluster to \`clusters\`.
# Another policy may read other attributes: print this again when it does.`;

const HEADER = `# For Envoy 1.40 and later. Add the filter to \`http_filters\`, before the router, and the cluster to \`clusters\`.
# Another policy may read other attributes: print this again when it does.`;

function refusalsOf({ policy, environments, ...loaded }: LoadedPolicy, args: LiveArguments) {
  const host = hostOf(hostFor(loaded), args);
  const created = createEnforcer(policy, { profile: loaded.target.profile, environments, host });
  return 'enforcer' in created ? undefined : enforcementReport(loaded, created.refusals);
}

/** Reads `http://127.0.0.1:3000`. */
function readUpstream(text: string): SocketAddress {
  const { protocol, hostname, port } = readOrigin('--upstream', text);
  if (protocol !== 'http:')
    throw new UsageError(
      `\`--upstream\` expects an application without TLS such as \`http://127.0.0.1:3000\`, found \`${text}\``,
    );
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 80) };
}
