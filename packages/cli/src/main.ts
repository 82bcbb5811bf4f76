import type { WorldError } from '@tollgate/diagnostics';
import { Command, CommanderError } from 'commander';
import { COMMANDS } from './commands/commands.ts';
import { EXIT, type ExitCode, exitOfFailures } from './exit-code.ts';
import { readBytes } from './input/read-bytes.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';

/** Runs the command line of a process and leaves its exit code there. */
export async function runCommandLine(process: NodeJS.Process): Promise<void> {
  // Whoever reads along may stop reading: `tollgate check . | head`.
  process.stdout.on('error', error => {
    if ('code' in error && error.code === 'EPIPE') process.exit(process.exitCode ?? EXIT.clean);
    throw error;
  });
  process.exitCode = await runTollgate(process.argv.slice(2), {
    write: text => process.stdout.write(text),
    writeError: text => process.stderr.write(text),
    readInput: () => readBytes(process.stdin),
    isInteractive: process.stdout.isTTY === true,
    columns: process.stdout.isTTY === true ? process.stdout.columns : undefined,
    env: process.env,
  });
}

/** Runs the command that the arguments name. Never throws. */
export async function runTollgate(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.clean;
  const program = createProgram(terminal, code => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportFailure(error, terminal);
  }
}

function createProgram(terminal: Terminal, finish: (code: ExitCode) => void): Command {
  const program = new Command('tollgate');
  program
    .description('The toolkit for traffic policies.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError })
    .showSuggestionAfterError()
    .helpCommand(true);
  for (const command of COMMANDS) command.register(program, { terminal, finish });
  return program;
}

/** Errors of usage have been printed by commander, which also throws when it has printed help. */
function reportFailure(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.clean : EXIT.usage;
  if (error instanceof UsageError) {
    terminal.writeError(`tollgate: ${error.message}\n`);
    return EXIT.usage;
  }
  if (isWorldError(error)) {
    terminal.writeError(`tollgate: ${error.message}\n`);
    return exitOfFailures([error]);
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.writeError(`tollgate: this is a defect of Tollgate, please report it\n${details}\n`);
  return EXIT.internal;
}

/** By its name: importing the class would load what `--help` does not need. */
function isWorldError(error: unknown): error is WorldError {
  return error instanceof Error && error.name === 'WorldError';
}
