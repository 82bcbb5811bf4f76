import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CommandRun, CommandToRun } from '@tollgate/language-server';

/** Runs this command in a process of its own, and keeps its output in a file. */
export async function runCommand({ args, trust, signal }: CommandToRun): Promise<CommandRun> {
  const [, program = ''] = process.argv;
  const trusted = trust === 'by-directory' ? {} : { TOLLGATE_TRUST: trust === 'always' ? '1' : '0' };
  const env = { ...process.env, ...trusted };
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'], signal, env });
  const ended = new Promise<number | undefined>(resolve => {
    child.on('error', () => resolve(undefined));
    child.on('close', code => resolve(code ?? undefined));
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const report = join(mkdtempSync(join(tmpdir(), 'tollgate-')), `${args[0]}.txt`);
  writeFileSync(report, output);
  return { code, output, errors, report };
}
