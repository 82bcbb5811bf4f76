import type { Command } from 'commander';
import type { ExitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';

/** What a command's action is run with. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Tells how the process is to end; the last call counts. */
  readonly finish: (code: ExitCode) => void;
}

/** A command: its file imports what it runs only when it runs, so that `--help` is quick. */
export interface CommandDefinition {
  readonly register: (program: Command, context: CommandContext) => void;
}
