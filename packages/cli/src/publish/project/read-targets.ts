import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AddressSettings, TargetSettings } from '@tollgate/policy';
import {
  canonicalModule,
  type RecordKind,
  type Target,
  type TargetAddress,
  type WantedModule,
} from '@tollgate/publisher';
import type { Terminal } from '../../process/terminal.ts';
import { UsageError } from '../../process/usage-error.ts';
import { chooseEnvironment, type PublishProject } from './load-project.ts';
import { createPolicyReader, type PolicyFile, type PolicyFileWithValue } from './policy-file.ts';
import { resolveSecret } from './resolve-secret.ts';
import { webhookSecret } from './secret-trust.ts';

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
