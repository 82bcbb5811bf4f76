// A policy that is enforced on live requests, and read again when it changes.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { type Diagnostic, ExternalError, jsonText, type Report, textReport, writeProblem } from '@tollgate/diagnostics';
import {
  createEnforcer,
  type Refusal as EnforceRefusal,
  type Enforcer,
  type EnforcerOptions,
  environmentsWithSecrets,
  type Host,
  LOCATION_FIELDS,
} from '@tollgate/enforce';
import { findingsInFile } from '@tollgate/policy';
import type { LocateAddress } from '@tollgate/traffic';
import { openGeoDatabases } from '@tollgate/traffic-node';
import type { LoadedPolicy, Refusal } from '../policies/load-policy.ts';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, reportStyle, type Terminal } from '../process/terminal.ts';
import { policySource, type SourceArguments } from './policy-source.ts';
import { readSecrets, type SecretsFile } from './secrets.ts';

/** The argument and options that all commands have that enforce a policy. */
export interface LiveArguments extends SourceArguments {
  readonly shadow?: true;
  readonly log?: string;
  readonly geoip?: readonly string[];
  /** The file with what `secrets.get` returns. */
  readonly secrets?: string;
}

/** What enforces the policy. */
export interface LiveServer {
  /** Where it listens; completes `policy.yaml …`. */
  readonly greeting: string;
  readonly stop: () => void | Promise<void>;
}

/** What differs between the commands that enforce a policy. */
export interface LiveSetup {
  /** What a policy can ask for; depends on what it is attached to. */
  readonly host: (loaded: LoadedPolicy) => Host;
  /**
   * Called for each version of the policy, whose environments have the secrets. Returns what is called for each decision.
   * @param hide returns text without secrets
   */
  readonly observe: (
    loaded: LoadedPolicy,
    hide: (text: string) => string,
  ) => Pick<EnforcerOptions, 'onDecision' | 'onOutcome'>;
  /** Starts to ask for decisions. */
  readonly start: (enforcer: () => Enforcer, locate: LocateAddress | undefined) => Promise<LiveServer>;
  /** Called when the policy has been read again, with whether it is in use. */
  readonly onReload?: (isInUse: boolean) => void;
  /** Seed of random functions; drawn for each version of the policy by default. */
  readonly seed?: number;
}

/** Enforces a policy until the process receives SIGINT or SIGTERM. */
export async function enforceLive(args: LiveArguments, setup: LiveSetup, terminal: Terminal): Promise<ExitCode> {
  const source = policySource(args, terminal);
  const locate = args.geoip === undefined ? undefined : await openGeoDatabases(args.geoip);
  const log = args.log === undefined ? undefined : await openLog(args.log, terminal);
  const prepare = async () => {
    const loaded = await source.load();
    if (typeof loaded === 'number' || 'refused' in loaded) return loaded;
    const known = args.secrets === undefined ? undefined : await readSecrets(args.secrets, terminal);
    return prepareEnforcer(loaded, args, setup, { log, known });
  };
  const first = await prepare();
  if (typeof first === 'number') return first;
  if ('refused' in first) {
    terminal.write(textReport(first.refused, reportStyle(terminal)));
    return EXIT.findings;
  }
  let { enforcer, basis } = first;
  // Whether what was read last is in use.
  let isInUse = true;
  const server = await setup.start(() => enforcer, locate);
  const stop = new AbortController();
  const changes = await source.watch(stop.signal, args.log === undefined ? [] : [args.log]);
  // Before the greeting, because its reader may stop the server immediately.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  terminal.write(`${args.policy} ${server.greeting}${args.shadow ? ', in shadow mode' : ''}; press Ctrl-C to stop\n`);
  while (await changes.next()) {
    const next = await prepare().catch((error: unknown) => {
      if (error instanceof ExternalError || error instanceof UsageError) return error;
      throw error;
    });
    if (typeof next === 'number') continue;
    const isSame = 'enforcer' in next && next.basis !== undefined && next.basis === basis;
    // Something else in the folder has changed.
    if (isSame && isInUse) continue;
    isInUse = 'enforcer' in next;
    if (next instanceof Error) printMessage(terminal, `${next.message}; the previous policy stays in use`);
    else if ('refused' in next) {
      terminal.write(textReport(next.refused, reportStyle(terminal)));
      printMessage(terminal, 'the previous policy stays in use');
    } else if (isSame) terminal.write(`${args.policy} read again; it is the policy in use\n`);
    else {
      ({ enforcer, basis } = next);
      terminal.write(`${args.policy} read again; limits count from zero\n`);
    }
    setup.onReload?.(isInUse);
  }
  await server.stop();
  log?.end();
  return EXIT.clean;
}

async function openLog(file: string, terminal: Terminal): Promise<WriteStream> {
  const stream = createWriteStream(file, { flags: 'a' });
  await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
    throw new ExternalError('file/unwritable', `cannot write \`${file}\`: ${writeProblem(error)}`, { cause: error });
  });
  // A full disk stops the log, and no decision.
  stream.on('error', error =>
    printMessage(terminal, `cannot write \`${file}\`: ${writeProblem(error)}; decisions are no longer logged`),
  );
  return stream;
}

interface Prepared {
  readonly enforcer: Enforcer;
  /** All that it was made of; undefined if that is not known. */
  readonly basis: string | undefined;
}

function prepareEnforcer(
  loaded: LoadedPolicy,
  args: LiveArguments,
  { host, observe, seed }: LiveSetup,
  { log, known }: { readonly log: WriteStream | undefined; readonly known: SecretsFile | undefined },
): Prepared | Refusal {
  const { policy, environments } = loaded;
  const { profile } = loaded.target;
  const mode = args.shadow ? 'shadow' : 'enforce';
  const observed =
    known === undefined
      ? observe(loaded, text => text)
      : observe({ ...loaded, environments: environmentsWithSecrets(environments, known.secrets) }, known.hide);
  const logged = (...[record, enforced]: Parameters<NonNullable<EnforcerOptions['onDecision']>>) => {
    log?.write(`${jsonText(record)}\n`);
    observed.onDecision?.(record, enforced);
  };
  // Without a log, nobody may want records.
  const onDecision = log === undefined ? observed.onDecision : logged;
  const created = createEnforcer(policy, {
    ...{ profile, environments, host: hostOf(host(loaded), args), mode },
    ...observed,
    ...(onDecision && { onDecision }),
    ...(seed !== undefined && { seed }),
    ...(known && { secrets: known.secrets }),
  });
  if ('refusals' in created) return { refused: enforcementReport(loaded, created.refusals) };
  const { endpoint } = loaded.target;
  const basis = [loaded.source.text, profile.name, endpoint, known?.text];
  // Extensions may import what is not read here.
  return { enforcer: created.enforcer, basis: args.env === undefined ? JSON.stringify(basis) : undefined };
}

/** Returns the host, which with databases of addresses also knows where clients are. */
export function hostOf(host: Host, { geoip }: LiveArguments): Host {
  return geoip === undefined ? host : { ...host, fields: new Set([...host.fields, ...LOCATION_FIELDS]) };
}

/** Returns the report on what a policy asks of a host in vain. */
export function enforcementReport(
  { source, embedded, report }: Pick<LoadedPolicy, 'source' | 'embedded' | 'report'>,
  refusals: readonly EnforceRefusal[],
): Report {
  const diagnostics = refusals.map(
    ({ message, range }): Diagnostic => ({
      ...{ code: 'enforce/unsupported', args: {}, severity: 'error', uri: source.uri },
      ...{ message, range },
    }),
  );
  return { sources: report.sources, diagnostics: findingsInFile(embedded, diagnostics) };
}
