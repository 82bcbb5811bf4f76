// Keys and secrets that a project names: values of variables, files and commands, where they may be used.

import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExternalError, printable } from '@tollgate/diagnostics';
import type { SecretSource } from '@tollgate/policy';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { ConfinementError, pathToRead } from '../trust/confinement.ts';
import { writeTrust } from '../trust/manage-trust.ts';
import {
  readTrust,
  requireTrust,
  requireTrustFile,
  type TrustedSecret,
  trustFile,
} from '../trust/trusted-directories.ts';
import {
  chooseEnvironment,
  type Environment,
  loadProject,
  type PublishProject,
  type SecretContext,
} from './project.ts';

/**
 * Returns a secret without spaces around it, if the user trusts its recipient with it. Messages never contain it. @throws UsageError or
 * ExternalError
 */
export function resolveSecret(secret: NamedSecret, recipient: Recipient): string {
  const { source, what } = secret;
  const given = [source.env, source.file, source.command].filter(one => one !== undefined);
  if (given.length !== 1) throw new UsageError(`${what} needs exactly one of \`env\`, \`file\` and \`command\``);
  requireSecretTrust(secret, recipient);
  const text = read(source, what, recipient.project).trim();
  if (text === '') throw new ExternalError('publish/no-secret', `${what} is empty`);
  return text;
}

function read({ env, file, command }: SecretSource, what: string, context: SecretContext): string {
  if (env !== undefined) {
    const value = context.env[env];
    if (value === undefined) throw new ExternalError('publish/no-secret', `${what} is not set; set \`${env}\``);
    return value;
  }
  if (file !== undefined) {
    try {
      const { directory } = context;
      return readFileSync(pathToRead(resolve(directory, file), { repositoryOf: directory }, context.env), 'utf8');
    } catch (cause) {
      throw new ExternalError('publish/no-secret', `cannot read ${what} from \`${file}\`: ${codeOf(cause)}`, { cause });
    }
  }
  return run(command!, what, context);
}

/** The output of a program that failed may contain the secret, so it is not shown. */
function run([program = '', ...args]: readonly string[], what: string, context: SecretContext): string {
  requireTrust(context.path, context.env, context.path);
  try {
    const { directory: cwd } = context;
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (cause) {
    const message = `cannot read ${what} from the command \`${program}\`: ${codeOf(cause)}`;
    throw new ExternalError('publish/no-secret', message);
  }
}

function codeOf(error: unknown): string {
  if (error instanceof ConfinementError) return error.message;
  if (!(error instanceof Error)) return 'it failed';
  if ('code' in error && error.code === 'ENOENT') return 'no such file';
  if ('status' in error && typeof error.status === 'number') return `it ended with exit code ${error.status}`;
  return 'code' in error ? String(error.code) : 'it failed';
}

// A project file is written by strangers, and names both a secret and the URL that it goes to. A secret is sent only to a URL that the user
// has trusted with this very secret.

/** Where a secret goes. */
interface Recipient {
  readonly project: PublishProject;
  readonly environment: Environment;
}

/** A secret of the project file. */
interface NamedSecret {
  readonly source: SecretSource;
  /** Names it in messages. */
  readonly what: string;
}

/** Throws a {@link UsageError} unless the user allows the project to send a secret to the URL of an environment. */
function requireSecretTrust({ source, what }: NamedSecret, recipient: Recipient): void {
  const { env } = recipient.project;
  if (env.TOLLGATE_TRUST === '1' || isTrustedByVariable(source, recipient)) return;
  const wanted = trustedSecret(source, recipient);
  if (readTrust(trustFile(env)).secrets.some(one => isSame(one, wanted))) return;
  const { name } = recipient.environment;
  const variable = isForTollgate(source) ? `, or set \`${TRUSTED_URL}\`` : '';
  throw new UsageError(
    `${what} is ${describe(source)}, and you have not trusted \`${wanted.url}\` with it; ` +
      `review both, then run \`tollgate trust environment ${name}\`${variable}`,
  );
}

const TRUSTED_URL = 'TOLLGATE_TRUSTED_URL';

/** For CI: whoever sets the variable trusts the URLs in it with the variables that are meant for Tollgate. */
function isTrustedByVariable(source: SecretSource, { project, environment }: Recipient): boolean {
  if (!isForTollgate(source)) return false;
  const trusted = (project.env[TRUSTED_URL] ?? '').split(/\s+/).filter(one => one !== '');
  return trusted.some(one => urlText(one) === urlText(environment.settings.url));
}

function isForTollgate({ env: variable }: SecretSource): boolean {
  return variable?.startsWith('TOLLGATE_') === true;
}

/** Trusts the URL of an environment with the secrets that the project file sends there. */
export async function trustEnvironment(name: string | undefined, terminal: Terminal): Promise<ExitCode> {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const recipient = { project, environment: chooseEnvironment(project, name) };
  const store = requireTrustFile(terminal.env);
  const trust = readTrust(store);
  const wanted = secretsOf(recipient).map(({ source }) => trustedSecret(source, recipient));
  const others = trust.secrets.filter(one => !wanted.some(two => isSame(one, two)));
  await writeTrust(store, { ...trust, secrets: [...others, ...wanted] });
  for (const { source } of secretsOf(recipient))
    terminal.write(`trusted \`${printable(wanted[0]!.url)}\` with ${printable(describe(source))}\n`);
  return EXIT.clean;
}

/** Returns the secrets that go to an environment, each source once. */
function secretsOf({ project, environment: { name, settings } }: Recipient): readonly NamedSecret[] {
  const webhooks = Object.entries(project.publish.targets ?? {}).flatMap(([target, one]) => {
    const { secret } = one.environments?.[name]?.webhookVerification ?? one.webhookVerification ?? {};
    return secret ? [{ source: secret, what: webhookSecret(target) }] : [];
  });
  const all = [{ source: settings.apiKey, what: apiKey(name) }, ...webhooks];
  return [...new Map(all.map(one => [sourceText(one.source), one])).values()];
}

/** Names the API key of an environment in messages. */
export function apiKey(environment: string): string {
  return `the API key of the environment \`${environment}\``;
}

/** Names the webhook secret of a target in messages. */
export function webhookSecret(target: string): string {
  return `the webhook secret of the target \`${target}\``;
}

function trustedSecret(source: SecretSource, recipient: Recipient): TrustedSecret {
  const { project, environment } = recipient;
  const path = realpathSync(project.path);
  return {
    project: path,
    owner: statSync(path).uid,
    url: urlText(environment.settings.url),
    source: sourceText(source),
    connection: connectionText(recipient),
  };
}

function isSame(a: TrustedSecret, b: TrustedSecret): boolean {
  return (
    a.project === b.project &&
    a.owner === b.owner &&
    a.url === b.url &&
    a.source === b.source &&
    a.connection === b.connection
  );
}

/** Headers select the server behind a proxy, and certificates vouch for one. */
function connectionText({ project, environment: { settings } }: Recipient): string {
  const { headers = {}, versionHeader, caFile } = settings;
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const certificates = caFile === undefined ? undefined : textOf(caFile, project);
  return hash('sha256', JSON.stringify([sorted, versionHeader, caFile, certificates]));
}

function textOf(name: string, { directory, env }: PublishProject): string {
  try {
    return readFileSync(pathToRead(resolve(directory, name), { repositoryOf: directory }, env), 'utf8');
  } catch {
    // Opening the connection reports it.
    return '';
  }
}

function urlText(url: string): string {
  return (URL.parse(url)?.href ?? url).replace(/\/+$/, '');
}

function sourceText({ env, file, command }: SecretSource): string {
  if (env !== undefined) return `env ${env}`;
  return file === undefined ? `command ${JSON.stringify(command)}` : `file ${file}`;
}

function describe({ env, file, command }: SecretSource): string {
  if (env !== undefined) return `the variable \`${env}\``;
  return file === undefined ? `the output of \`${command?.join(' ')}\`` : `the file \`${file}\``;
}
