import { ExternalError, REPORT_FORMATS } from '@tollgate/diagnostics';
import type { Command } from 'commander';
import { CODE_PAGES } from '../codes/code-table.ts';
import type { Terminal } from '../process/terminal.ts';
import { UsageError } from '../process/usage-error.ts';
import { openJournal, openKeyed } from '../publish/project/journal-file.ts';
import { loadProject } from '../publish/project/load-project.ts';
import { REPLAY_FORMATS } from '../replay/options/replay-formats.ts';
import { bashScript } from './bash-script.ts';
import { completionSpec, type ProjectList } from './completion-spec.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** The shells that have completion scripts. */
export type Shell = keyof typeof SCRIPTS;

/** Returns names that the project file or the journal contains; none if there is no project, or if it has errors. */
export async function projectNames(lists: readonly ProjectList[], terminal: Terminal): Promise<readonly string[]> {
  try {
    const project = await loadProject({ ...terminal, write: () => undefined, writeError: () => undefined });
    if (typeof project === 'number') return [];
    const { targets = {}, environments = {} } = project.publish;
    return lists.flatMap(list => {
      if (list === 'targets') return Object.keys(targets);
      if (list === 'environments') return Object.keys(environments);
      return openJournal(project, openKeyed(project, false)).runs.map(({ number }) => String(number));
    });
  } catch (error) {
    if (error instanceof ExternalError || error instanceof UsageError) return [];
    throw error;
  }
}

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
