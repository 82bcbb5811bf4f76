import { relative, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { createTargeting, type Target as PolicyTarget, type Targeting } from '@tollgate/core/targeting';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import {
  type AddressSettings,
  type Analysis,
  analyzePolicy,
  type EmbeddedPolicy,
  type PartPath,
  type PlainValue,
  plainValue,
  readPlain,
  type TargetSettings,
} from '@tollgate/policy';
import {
  type Canonical,
  canonicalModule,
  type RecordKind,
  type Target,
  type TargetAddress,
  type WantedModule,
} from '@tollgate/publisher';
import { splitFilePart } from '../../input/file-part.ts';
import { readSource } from '../../input/read-source.ts';
import { singlePolicy } from '../../input/single-policy.ts';
import type { Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import type { PublishProject } from './load-project.ts';
import { resolveSecret } from './resolve-secret.ts';

/** A policy file, analysed only if something is to be said about it. */
export interface PolicyFile {
  readonly embedded: EmbeddedPolicy;
  readonly analyse: () => { readonly analysis: Analysis; readonly target: PolicyTarget };
}

/** The targets of an environment. */
interface ReadTargets {
  readonly targets: readonly Target[];
  /** By the name of the target. */
  readonly files: ReadonlyMap<string, PolicyFile>;
}

/** Which targets to read. */
interface TargetSelection {
  readonly project: PublishProject;
  readonly environment: string;
  /** The names of the targets to read; undefined for all. */
  readonly only: readonly string[] | undefined;
  readonly terminal: Terminal;
}

/** A target before its files are read. */
interface AddressedTarget {
  readonly name: string;
  readonly settings: AddressSettings;
  readonly address: TargetAddress;
}

/** Returns the addresses of targets. Reads no file. Throws a `UsageError` for an unknown target or a wrong address. */
export function readAddresses({
  project,
  environment,
  only,
}: Omit<TargetSelection, 'terminal'>): readonly AddressedTarget[] {
  const all = Object.entries(project.publish.targets ?? {});
  if (all.length === 0)
    throw new UsageError(`\`${project.path}\` has no \`targets\`; add one, or run \`tollgate adopt\``);
  const unknown = only?.find(name => !all.some(([one]) => one === name));
  if (unknown !== undefined) {
    throw new UsageError(`no target \`${unknown}\`; there is ${all.map(([name]) => `\`${name}\``).join(', ')}`);
  }
  const chosen = only ? all.filter(([name]) => only.includes(name)) : all;
  return chosen.map(([name, target]) => {
    const settings = settingsIn(target, environment);
    return { name, settings, address: addressOf(name, settings) };
  });
}

/** Reads the targets of the project file, and the policies in their files. Reads each file once. */
export async function readTargets(selection: TargetSelection): Promise<ReadTargets> {
  const read = createReader(selection);
  const files = new Map<string, PolicyFile>();
  const targets: Target[] = [];
  for (const { name, settings, address } of readAddresses(selection)) {
    if (targets.length % FILES_PER_TURN === 0) await nextTurn();
    const found = await modulesOf(name, { settings, address, read, selection });
    targets.push({ name, address, modules: found.modules, allowErase: settings.allowErase ?? false });
    if (found.file) files.set(name, found.file);
  }
  return { targets, files };
}

/** Files are read synchronously; between a few of them, requests are sent and responses received. */
const FILES_PER_TURN = 4;

/** Returns the settings of a target with the overrides of an environment. */
function settingsIn(settings: TargetSettings, environment: string): AddressSettings {
  const own = settings.environments?.[environment] ?? {};
  const isElsewhere = own.route ?? own.tlsEdge ?? own.tcpEdge;
  const { route: _, tlsEdge: __, tcpEdge: ___, ...rest } = settings;
  return { ...(isElsewhere === undefined ? settings : rest), ...own };
}

/** Returns the address that settings describe. Throws a `UsageError` if they describe none, or several. */
function addressOf(name: string, { route, tlsEdge, tcpEdge, webhookVerification }: AddressSettings): TargetAddress {
  const given = [route, tlsEdge, tcpEdge].filter(one => one !== undefined);
  if (given.length !== 1)
    throw new UsageError(`target \`${name}\` needs exactly one of \`route\`, \`tlsEdge\` and \`tcpEdge\``);
  if (!route && webhookVerification)
    throw new UsageError(`target \`${name}\`: only routes have \`webhookVerification\``);
  if (route && route.id === undefined && route.match === undefined) {
    throw new UsageError(`target \`${name}\`: \`route\` needs \`id\` or \`match\``);
  }
  if (route) {
    const { edge, ...which } = route;
    return { kind: 'https-route', edge, route: which };
  }
  return tlsEdge === undefined
    ? { kind: 'tcp-edge', edge: tcpEdge!, route: undefined }
    : { kind: 'tls-edge', edge: tlsEdge, route: undefined };
}

interface ModulesOf {
  readonly settings: AddressSettings;
  readonly address: TargetAddress;
  readonly read: (argument: string, kind: RecordKind) => Promise<FileWithValue>;
  readonly selection: TargetSelection;
}

async function modulesOf(
  name: string,
  { settings, address, read, selection }: ModulesOf,
): Promise<{ readonly modules: readonly WantedModule[]; readonly file: PolicyFile | undefined }> {
  const { policy, webhookVerification: webhook, ipRestriction: restriction } = settings;
  const modules: WantedModule[] = [];
  const file = policy === undefined ? undefined : await read(policy, address.kind);
  if (file) modules.push({ module: 'policy', value: file.value, source: file.reference });
  if (webhook) {
    const { provider, secret, enabled = true } = webhook;
    const text = secret && resolveSecret(secret, `the webhook secret of the target \`${name}\``, selection.project);
    const value = canonicalModule('webhook_verification', { provider, enabled, secret: text ?? '' });
    modules.push({ module: 'webhook_verification', value, source: undefined });
  }
  if (restriction) {
    const { ipPolicies, enabled = true } = restriction;
    const value = canonicalModule('ip_restriction', { ip_policy_ids: ipPolicies, enabled });
    modules.push({ module: 'ip_restriction', value, source: undefined });
  }
  if (modules.length > 0) return { modules, file };
  throw new UsageError(
    `target \`${name}\` has nothing to publish; add \`policy\`, \`webhookVerification\` or \`ipRestriction\``,
  );
}

interface FileWithValue extends PolicyFile {
  readonly value: Canonical;
  readonly reference: NonNullable<WantedModule['source']>;
}

/** Returns a function that reads a policy file once for each kind of endpoint. */
function createReader({ project, terminal }: TargetSelection): ModulesOf['read'] {
  const targetOf = createTargeting(project.settings);
  const known = new Map<string, FileWithValue>();
  return async (argument, kind) => {
    const key = `${kind} ${argument}`;
    const earlier = known.get(key);
    if (earlier) return earlier;
    const { name, part } = splitFilePart(resolve(project.directory, argument));
    const path = relative('.', name);
    const source = await readSource(path.startsWith('..') ? name : path, terminal);
    if (source instanceof Error) throw source;
    const embedded = singlePolicy(source, part, await project.carriers(source.uri));
    if (embedded instanceof Error) throw embedded;
    const analyse = () => analyseFor(kind, embedded, targetOf);
    const value = canonicalModule('policy', plainPolicy(embedded.source, embedded.part) ?? analysedValue(analyse()));
    const file = { embedded, analyse, value, reference: { path: argument, text: source.text } };
    known.set(key, file);
    return file;
  };
}

const PHASES: ReadonlySet<string> = new Set(PROFILES.flatMap(({ phases }) => phases));

/** Undefined if it takes an analysis to find the policy: it is within another document, or has errors. */
function plainPolicy(source: SourceText, part: PartPath | undefined): PlainValue | undefined {
  const value = readPlain(source, part);
  const isPolicy = typeof value === 'object' && value !== null && Object.keys(value).some(key => PHASES.has(key));
  return isPolicy ? value : undefined;
}

function analysedValue({ analysis }: ReturnType<PolicyFile['analyse']>): PlainValue {
  return analysis.policy ? plainValue(analysis.policy.node) : null;
}

const ENDPOINTS = {
  'https-route': ['https-route', 'http-endpoint'],
  'tls-edge': ['tls-edge', 'tls-endpoint'],
  'tcp-edge': ['tcp-edge', 'tcp-endpoint'],
} as const satisfies Record<RecordKind, readonly EndpointKind[]>;

/** Newer profiles have other names for the same endpoint kinds. */
function analyseFor(
  kind: RecordKind,
  { file, source, part }: EmbeddedPolicy,
  targetOf: Targeting,
): ReturnType<PolicyFile['analyse']> {
  const [edge, cloud] = ENDPOINTS[kind];
  // Settings are those of the file.
  const named = new SourceText(file.uri, source.text);
  const first = targetOf(named, edge);
  const target = first instanceof ExternalError ? targetOf(named, cloud) : first;
  if (target instanceof ExternalError) throw first;
  return { analysis: analyzePolicy(source, { ...target, ...(part && { part }) }), target };
}
