import { ANSI, choosePaint, type ExternalError } from '@tollgate/diagnostics';
import { Command, CommanderError, Option } from 'commander';
import { commandsFor, OPERATE } from './commands/commands.ts';
import { defectMessage, EXIT, type ExitCode, exitOfFailures, UsageError } from './process/exit-code.ts';
import { errorColumns, OutputError, standardError, standardOutput } from './process/standard-output.ts';
import { askPerson, printMessage, readBytes, safeText, type Terminal } from './process/terminal.ts';
import { VERSION } from './process/version.ts';

/** Runs the command line of a process and sets its exit code. */
export async function runCommandLine(process: NodeJS.Process): Promise<void> {
  const writeError = standardError(process);
  const stop = (error: unknown) => {
    // Vitest has its own listener.
    if (process.listenerCount('uncaughtException') < 2) process.exit(describeFailure(error, { writeError }));
  };
  process.on('uncaughtException', stop);
  let isFinished = false;
  process.once('exit', () => {
    if (!isFinished)
      process.exitCode ??= describeFailure(new Error('the event loop is empty, but the command has not finished'), {
        writeError,
      });
  });
  const output = standardOutput(process, stop);
  process.exitCode = await runTollgate(process.argv.slice(2), {
    ...output,
    writeError,
    readInput: () => readBytes(process.stdin),
    errorColumns: errorColumns(process),
    // Opening standard input takes longer than most files to check, so this comes second.
    ...(output.isInteractive && process.stdin.isTTY && { ask: askPerson }),
    env: process.env,
  });
  isFinished = true;
}

/** Runs the command that the arguments name. Never throws. */
export async function runTollgate(args: readonly string[], given: Terminal): Promise<ExitCode> {
  const terminal = safeTerminal(given);
  let exitCode: ExitCode = EXIT.clean;
  const finish = (code: ExitCode) => {
    exitCode = code;
  };
  const program = await createProgram({ args, terminal, finish });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await reportFailure(error, { program, args, terminal });
  }
}

interface ProgramParts {
  /** Selects the command to load; without arguments, all are loaded. */
  readonly args: readonly string[];
  readonly terminal: Terminal;
  readonly finish: (code: ExitCode) => void;
}

/** Creates the command-line parser with the commands that the arguments need. */
export async function createProgram({ args, terminal, finish }: ProgramParts): Promise<Command> {
  const program = new Command('tollgate');
  const coloured = obeyGlobalOptions(program, terminal);
  const hasColours = () => choosePaint(coloured.isInteractive, coloured.env) === ANSI;
  program
    .description(
      'The toolkit for traffic policies: check, lint, test and trace them, and replay recorded traffic through them.',
    )
    .version(
      await versionText(args),
      '-V, --version',
      'print the version; with `--verbose`, also the date of the catalog data',
    )
    .helpOption('-h, --help', 'print this help')
    .addOption(new Option('--color <when>', 'colour the output').choices(['auto', 'always', 'never']).default('auto'))
    .option('--trust', 'run the modules that settings name, in any directory')
    .option('--no-trust', 'skip the modules that settings name, also in trusted directories')
    .exitOverride()
    .configureOutput({
      writeOut: terminal.write,
      writeErr: terminal.writeError,
      // `reportFailure` prints the message in our own form.
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(terminal.columns ?? 80, MAX_HELP_WIDTH),
      getErrHelpWidth: () => Math.min(terminal.columns ?? 80, MAX_HELP_WIDTH),
      getOutHasColors: hasColours,
      getErrHasColors: hasColours,
    })
    .configureHelp({ showGlobalOptions: true, styleTitle: title => ANSI('strong', title), subcommandTerm: termOf })
    .commandsGroup(OPERATE)
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', PROGRAM_HELP);
  const commands = await Promise.all(
    commandsFor(args).map(async ({ heading, load }) => ({ heading, definition: await load() })),
  );
  for (const { heading, definition } of commands)
    definition.register(program.commandsGroup(heading), { terminal: coloured, finish });
  return program;
}

async function versionText(args: readonly string[]): Promise<string> {
  const asksForVersion = args.includes('--version') || args.includes('-V');
  if (!asksForVersion || !args.includes('--verbose')) return VERSION;
  const { versionDetails } = await import('./process/version-details.ts');
  return versionDetails();
}

const MAX_HELP_WIDTH = 100;

const PROGRAM_HELP = `
Run \`tollgate help COMMAND\` for the options and examples of a command, and
\`tollgate explain CODE\` for a diagnostic code. Colours also follow NO_COLOR,
FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE and TERM.`;

/** Without `[options]`, which every command has. */
function termOf(command: Command): string {
  const names = command.registeredArguments.map(argument => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? ` <${name}>` : ` [${name}]`;
  });
  return command.name() + names.join('');
}

/** Returns the terminal as commands see it: `--color`, `--trust` and `--no-trust` set the equivalent environment variables. */
function obeyGlobalOptions(program: Command, terminal: Terminal): Terminal {
  const overrides: { FORCE_COLOR?: string; TOLLGATE_TRUST?: string } = {};
  program.on('option:color', (when: string) => {
    if (when !== 'auto') overrides.FORCE_COLOR = when === 'always' ? '1' : '0';
  });
  program.on('option:trust', () => {
    overrides.TOLLGATE_TRUST = '1';
  });
  program.on('option:no-trust', () => {
    overrides.TOLLGATE_TRUST = 'skip';
  });
  return {
    ...terminal,
    get env() {
      return { ...terminal.env, ...overrides };
    },
  };
}

interface FailureContext {
  readonly program: Command;
  readonly args: readonly string[];
  readonly terminal: Terminal;
}

async function reportFailure(error: unknown, { program, args, terminal }: FailureContext): Promise<ExitCode> {
  if (error instanceof CommanderError) {
    const { usageMessage } = await import('./process/usage-message.ts');
    const message = usageMessage(error, program, args);
    if (message !== undefined) terminal.writeError(`tollgate: ${message}\n`);
    return error.exitCode === 0 ? EXIT.clean : EXIT.usage;
  }
  return describeFailure(error, terminal);
}

/** Prints why a command ended, and returns its exit code. */
function describeFailure(error: unknown, terminal: Pick<Terminal, 'writeError'>): ExitCode {
  if (error instanceof UsageError) {
    printMessage(terminal, error.message);
    return EXIT.usage;
  }
  if (error instanceof OutputError) {
    // The reader has closed the pipe and needs no message; the exit code says that the output is incomplete.
    if (error.code !== 'EPIPE') printMessage(terminal, error.message);
    return EXIT.external;
  }
  if (isExternalError(error)) {
    // One message contains all invalid server settings.
    for (const line of error.message.split('\ntollgate: ')) printMessage(terminal, line);
    return exitOfFailures([error]);
  }
  terminal.writeError(safeText(defectMessage(error)));
  return EXIT.internal;
}

/** Returns a terminal that escapes control characters. Output to a file or pipe stays unchanged. */
function safeTerminal(terminal: Terminal): Terminal {
  const { write, writeError, isInteractive } = terminal;
  return {
    ...terminal,
    write: isInteractive ? text => write(safeText(text)) : write,
    writeError: text => writeError(safeText(text)),
  };
}

/** Checked by name, because importing the class would load modules that `--help` does not need. */
function isExternalError(error: unknown): error is ExternalError {
  return error instanceof Error && error.name === 'ExternalError';
}
