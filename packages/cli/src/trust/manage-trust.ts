import { chmodSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ExternalError, printable } from '@tollgate/diagnostics';
import { replaceFile } from '../output/replace-file.ts';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { UsageError } from '../process/usage-error.ts';
import { repositoryRoot } from './search-upward.ts';
import { readTrust, type TrustedDirectory, trustFile } from './trust-store.ts';

/** Trusts a directory, by default the current repository. */
export async function trustDirectory(name: string | undefined, terminal: Terminal): Promise<ExitCode> {
  const path = realDirectory(name ?? defaultDirectory());
  if (!existsSync(path)) throw new ExternalError('file/unreadable', `cannot read \`${name}\`: no such directory`);
  const store = storeOf(terminal);
  const others = readTrust(store).filter(one => one.path !== path);
  await write(store, [...others, { path, owner: statSync(path).uid }]);
  terminal.write(`trusted \`${printable(path)}\`; run \`tollgate trust revoke\` to undo\n`);
  return EXIT.clean;
}

/** Lists the trusted directories, one per line. */
export function listTrusted(terminal: Terminal): ExitCode {
  const paths = readTrust(storeOf(terminal)).map(({ path }) => `${printable(path)}\n`);
  terminal.write(paths.sort().join(''));
  return EXIT.clean;
}

/** Revokes trust in a directory, which need not exist any more. */
export async function revokeTrust(name: string | undefined, terminal: Terminal): Promise<ExitCode> {
  const path = realDirectory(name ?? defaultDirectory());
  const store = storeOf(terminal);
  const all = readTrust(store);
  const remaining = all.filter(one => one.path !== path);
  if (remaining.length === all.length) {
    printMessage(terminal, `\`${path}\` is not trusted; run \`tollgate trust list\` to see which directories are`);
    return EXIT.findings;
  }
  await write(store, remaining);
  terminal.write(`no longer trusted: \`${printable(path)}\`\n`);
  return EXIT.clean;
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

function storeOf({ env }: Terminal): string {
  const path = trustFile(env);
  if (path === undefined) throw new UsageError('no user configuration directory; set `HOME` or `XDG_CONFIG_HOME`');
  return path;
}

async function write(store: string, directories: readonly TrustedDirectory[]): Promise<void> {
  try {
    mkdirSync(dirname(store), { recursive: true, mode: 0o700 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ExternalError('file/unwritable', `cannot write \`${store}\`: ${reason}`, { cause });
  }
  const failure = await replaceFile(store, `${JSON.stringify({ version: 1, directories }, undefined, 2)}\n`);
  if (failure) throw failure;
  chmodSync(store, 0o600);
}
