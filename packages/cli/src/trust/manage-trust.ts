// `tollgate trust`.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExternalError, printable } from '@tollgate/diagnostics';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { isWithin } from './confinement.ts';
import { replaceFile } from './replace-file.ts';
import { readTrust, repositoryRoot, requireTrustFile, type Trust } from './trusted-directories.ts';

/** Trusts a directory, by default the current repository. */
export async function trustDirectory(name: string | undefined, terminal: Terminal): Promise<ExitCode> {
  const path = realDirectory(name ?? defaultDirectory());
  if (!existsSync(path)) throw new ExternalError('file/unreadable', `cannot read \`${name}\`: no such directory`);
  const store = requireTrustFile(terminal.env);
  const trust = readTrust(store);
  const others = trust.directories.filter(one => one.path !== path);
  await writeTrust(store, { ...trust, directories: [...others, { path, owner: statSync(path).uid }] });
  terminal.write(`trusted \`${printable(path)}\`; run \`tollgate trust revoke\` to undo\n`);
  return EXIT.clean;
}

/** Lists the trusted directories, one per line, then the secrets that projects may send. */
export function listTrusted(terminal: Terminal): ExitCode {
  const { directories, secrets } = readTrust(requireTrustFile(terminal.env));
  const paths = directories.map(({ path }) => `${printable(path)}\n`);
  const sent = secrets.map(({ project, source, url }) => `${printable(`${project} sends ${source} to ${url}`)}\n`);
  terminal.write([...paths.sort(), ...sent.sort()].join(''));
  return EXIT.clean;
}

/** Revokes trust in a directory, which need not exist any more, and in the secrets that projects below it may send. */
export async function revokeTrust(name: string | undefined, terminal: Terminal): Promise<ExitCode> {
  const path = realDirectory(name ?? defaultDirectory());
  const store = requireTrustFile(terminal.env);
  const { directories, secrets } = readTrust(store);
  const left = {
    directories: directories.filter(one => one.path !== path),
    secrets: secrets.filter(one => !isWithin(path, one.project)),
  };
  if (left.directories.length === directories.length && left.secrets.length === secrets.length) {
    printMessage(terminal, `\`${path}\` is not trusted; run \`tollgate trust list\` to see which directories are`);
    return EXIT.findings;
  }
  await writeTrust(store, left);
  terminal.write(`no longer trusted: \`${printable(path)}\`\n`);
  return EXIT.clean;
}

/** Replaces what the user trusts. @throws ExternalError */
export async function writeTrust(path: string, trust: Trust): Promise<void> {
  const text = `${JSON.stringify({ version: 1, ...trust }, undefined, 2)}\n`;
  const failure = await replaceFile(path, text, { by: 'user', isPrivate: true });
  if (failure) throw failure;
}

function defaultDirectory(): string {
  return repositoryRoot(process.cwd()) ?? process.cwd();
}

function realDirectory(name: string): string {
  const path = resolve(name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new UsageError(`\`${name}\` is not a directory`);
  return found ? realpathSync(path) : path;
}
