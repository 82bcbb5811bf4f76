import type { Command } from 'commander';
import type { ExitCode } from '../../process/exit-code.ts';
import type { Terminal } from '../../process/terminal.ts';

/** The context in which a command runs. */
interface CommandContext {
  readonly terminal: Terminal;
  /** Sets the exit code; the last call wins. */
  readonly finish: (code: ExitCode) => void;
}

/** A command. Its file imports the implementation lazily, which keeps `--help` fast. */
export interface CommandDefinition {
  readonly register: (program: Command, context: CommandContext) => void;
}
