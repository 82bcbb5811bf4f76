// The targets of a project, with their policies and settings.

import { relative, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { createTargeting, type Target as PolicyTarget, type Targeting } from '@tollgate/core/targeting';
import { ExternalError, once, printable, SourceText } from '@tollgate/diagnostics';
import {
  type AddressSettings,
  type Analysis,
  analyzePolicy,
  type EmbeddedPolicy,
  type EmbeddedSettings,
  hasStandIns,
  type PartPath,
  type PlainValue,
  plainValue,
  readPlain,
  type TargetSettings,
  wholePolicy,
} from '@tollgate/policy';
import {
  type Canonical,
  canonicalModule,
  type RecordKind,
  type Target,
  type TargetAddress,
  type WantedModule,
} from '@tollgate/publisher';
import { singlePolicy, splitFilePart } from '../input/document-parts.ts';
import { readGitFile } from '../input/git.ts';
import { readSource } from '../input/read-source.ts';
import { UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { chooseEnvironment, type PublishProject } from './project.ts';
import { resolveSecret, webhookSecret } from './secrets.ts';

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
    throw new UsageError(`no target \`${unknown}\`; the project has ${all.map(([name]) => `\`${name}\``).join(', ')}`);
  }
  const chosen = only ? all.filter(([name]) => only.includes(name)) : all;
  return chosen.map(([name, target]) => {
    const settings = settingsIn(target, environment);
    return { name, settings, address: addressOf(name, settings) };
  });
}

/** Reads the targets of the project file, and the policies in their files. Reads each file once. */
export async function readTargets(
  selection: TargetSelection,
  addresses = readAddresses(selection),
): Promise<ReadTargets> {
  const read = createPolicyReader(selection);
  const files = new Map<string, PolicyFile>();
  const targets: Target[] = [];
  for (const { name, settings, address } of addresses) {
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
export function settingsIn(settings: TargetSettings, environment: string): AddressSettings {
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
  readonly read: (argument: string, kind: RecordKind) => Promise<PolicyFileWithValue>;
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
    const { project } = selection;
    const recipient = { project, environment: chooseEnvironment(project, selection.environment) };
    const text = secret && resolveSecret({ source: secret, what: webhookSecret(name) }, recipient);
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

/** A policy file, located and analysed only if something is to be said about it. */
export interface PolicyFile {
  readonly locate: () => EmbeddedPolicy;
  readonly analyse: () => { readonly analysis: Analysis; readonly target: PolicyTarget };
}

/** What reading policy files needs. */
interface PolicyReading {
  readonly project: PublishProject;
  readonly terminal: Terminal;
  /** The commit to read files from; undefined for the working tree. */
  readonly revision?: string;
}

/** A policy file with the value of its policy. */
interface PolicyFileWithValue extends PolicyFile {
  readonly value: Canonical;
  readonly reference: NonNullable<WantedModule['source']>;
}

/** Returns a function that reads a policy file once for each kind of endpoint. */
export function createPolicyReader({
  project,
  terminal,
  revision,
}: PolicyReading): (argument: string, kind: RecordKind) => Promise<PolicyFileWithValue> {
  const targetOf = createTargeting(project.settings);
  const known = new Map<string, PolicyFileWithValue>();
  return async (argument, kind) => {
    const key = `${kind} ${argument}`;
    const earlier = known.get(key);
    if (earlier) return earlier;
    const { name, part } = splitFilePart(resolve(project.directory, argument));
    const path = relative('.', name);
    const shown = path.startsWith('..') ? name : path;
    const source =
      revision === undefined
        ? await readSource(shown, terminal, { repositoryOf: project.directory })
        : new SourceText(shown, (await readGitFile(name, revision)).text);
    if (source instanceof Error) throw source;
    const embeddedSettings = await project.embeddedSettings(source.uri);
    const locate = once(() => located(source, part, embeddedSettings));
    const analyse = once(() => analyseFor(kind, locate(), targetOf));
    const whole = part ? undefined : wholePolicy(source, embeddedSettings);
    const value = canonicalModule('policy', whole ?? embeddedValue(locate(), argument) ?? analysedValue(analyse()));
    const file = { locate, analyse, value, reference: { path: argument, text: source.text } };
    known.set(key, file);
    return file;
  };
}

const PHASES: ReadonlySet<string> = new Set(PROFILES.flatMap(({ phases }) => phases));

function located(source: SourceText, part: PartPath | undefined, embeddedSettings: EmbeddedSettings): EmbeddedPolicy {
  const embedded = singlePolicy(source, part, embeddedSettings);
  if (embedded instanceof Error) throw embedded;
  return embedded;
}

/** Undefined if it takes an analysis to find the policy: it is within another document, or has errors. */
function embeddedValue({ source, part, layers }: EmbeddedPolicy, argument: string): PlainValue | undefined {
  const value = readPlain(source, part);
  const isPolicy = typeof value === 'object' && value !== null && Object.keys(value).some(key => PHASES.has(key));
  const isRendered = !hasStandIns(source.text) || (isPolicy && !hasStandIns(JSON.stringify(value)));
  if (isRendered) return isPolicy ? value : undefined;
  const [first = ''] = layers.flatMap(({ placeholders = [] }) => placeholders);
  const message = `the policy in \`${argument}\` has placeholders, such as \`${printable(first)}\`; render it, and publish the result`;
  throw new UsageError(message);
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
