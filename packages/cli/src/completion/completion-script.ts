import { REPORT_FORMATS } from '@tollgate/diagnostics';
import type { Command } from 'commander';
import { CODE_PAGES } from '../codes/code-table.ts';
import { REPLAY_FORMATS } from '../replay/options/replay-formats.ts';
import { bashScript } from './bash-script.ts';
import { completionSpec } from './completion-spec.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The shells that have completion scripts. */
export type Shell = keyof typeof SCRIPTS;

/** Returns the completion script of a shell. */
export function completionScript(shell: Shell, program: Command): string {
  const codes = CODE_PAGES.map(({ code }) => code);
  const known = {
    codes,
    'format[=file]': Object.keys(REPORT_FORMATS),
    'report[=file]': Object.keys(REPLAY_FORMATS),
  };
  return SCRIPTS[shell](completionSpec(program, known));
}
