// What defines a command, and its help.

import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';

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

/** The examples and exit codes at the end of a command's help. */
export interface HelpText {
  /** Arguments of `tollgate` and what they do, the most useful first. Run as tests. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Meaning of exit code 0, if not `clean`. */
  readonly clean?: string;
  readonly findings?: string;
  /** What an interrupted command has done; only of commands that do more than end. */
  readonly interrupted?: string;
  /** The I/O errors that the command can run into. */
  readonly external?: string;
}

/** Appends examples and exit codes to a command's help. */
export function addHelp(command: Command, { examples, ...given }: HelpText): Command {
  const codes = { external: 'a file could not be read or written', ...given };
  return command.addHelpText('after', ({ command: shown }) => {
    const title = (text: string) => shown.createHelp().styleTitle(text);
    const lines = examples.map(([line, what]) => `  tollgate ${line}\n      ${what}`);
    return `\n${title('Examples:')}\n${lines.join('\n')}\n\n${title('Exit codes:')}\n${exitCodes(codes)}`;
  });
}

function exitCodes({ clean = 'clean', findings, external, interrupted }: Omit<HelpText, 'examples'>): string {
  const rows: readonly (readonly [number, string | undefined])[] = [
    [EXIT.clean, clean],
    [EXIT.findings, findings],
    [EXIT.usage, 'usage error'],
    [EXIT.external, external],
    [EXIT.internal, 'internal error'],
    [EXIT.interrupted, interrupted],
  ];
  return rows
    .flatMap(([code, meaning]) => (meaning === undefined ? [] : [`  ${String(code).padEnd(3)} ${meaning}`]))
    .join('\n');
}
