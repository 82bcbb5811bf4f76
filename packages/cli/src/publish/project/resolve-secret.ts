import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExternalError } from '@tollgate/diagnostics';
import type { SecretSource } from '@tollgate/policy';
import { UsageError } from '../../process/usage-error.ts';
import { ConfinementError, pathToRead } from '../../trust/confinement.ts';
import { requireTrust } from '../../trust/require-trust.ts';
import type { SecretContext } from './load-project.ts';
import { type NamedSecret, type Recipient, requireSecretTrust } from './secret-trust.ts';

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
