import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';
import { ExternalError, SourceText } from '@tollgate/diagnostics';
import { SAFE_GIT_ARGUMENTS, safeGitOptions } from '../git/run-git.ts';
import { MAX_BYTES } from './read-bytes.ts';

/**
 * Reads a file as it is at a revision of the Git repository that contains it. Runs only commands that execute no code of the repository: no
 * shell, no hooks, no filters, no network.
 */
export async function readGitFile(path: string, revision: string): Promise<SourceText> {
  const [folder, name] = [dirname(path), basename(path)];
  const commit = (await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]))
    .toString('latin1')
    .trim();
  if (commit === '') throw failure(`there is no revision \`${revision}\``);
  const bytes = await git(folder, ['cat-file', 'blob', `${commit}:./${name}`], `\`${path}\` is not in \`${revision}\``);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return new SourceText(`${revision}:${path}`, text);
  } catch (cause) {
    throw new ExternalError('file/not-utf-8', `\`${path}\` at \`${revision}\` is not valid UTF-8`, { cause });
  }
}

const run = promisify(execFile);

/** @param missing what to say if the command fails; without it, its output is empty */
async function git(folder: string, args: readonly string[], missing?: string): Promise<Buffer> {
  try {
    const options = { ...safeGitOptions(), encoding: 'buffer', maxBuffer: MAX_BYTES, shell: false } as const;
    return (await run('git', [...SAFE_GIT_ARGUMENTS, '-C', folder, ...args], options)).stdout;
  } catch (cause) {
    const { code, stderr } = cause as { readonly code?: unknown; readonly stderr?: Buffer };
    if (code === 'ENOENT') throw failure('cannot run `git`; install it, or name a file', cause);
    const said = stderr?.toString('utf8').trim().split('\n')[0] ?? '';
    if (/not a git repository|dubious ownership/.test(said)) throw failure(said.replace(/^fatal: /, ''), cause);
    if (missing === undefined) return Buffer.alloc(0);
    throw failure(missing, cause);
  }
}

function failure(message: string, cause?: unknown): ExternalError {
  return new ExternalError('file/no-revision', message, { cause });
}
