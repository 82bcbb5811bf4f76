import { ANSI, choosePaint, type ExternalError } from '@tollgate/diagnostics';
import { Command, CommanderError, Option } from 'commander';
import { commandsFor } from './commands/commands.ts';
import { defectMessage } from './defect-message.ts';
import { EXIT, type ExitCode, exitOfFailures } from './exit-code.ts';
import { readBytes } from './input/read-bytes.ts';
import { safeText } from './output/safe-text.ts';
import { errorColumns, OutputError, standardError, standardOutput } from './output/standard-output.ts';
import { type Terminal, tell } from './terminal.ts';
import { UsageError } from './usage-error.ts';
import { VERSION } from './version.ts';

/** Runs the command line of a process and leaves its exit code there. */
export async function runCommandLine(process: NodeJS.Process): Promise<void> {
  const writeError = standardError(process);
  const stop = (error: unknown) => {
    // The runner of tests has a listener of its own.
    if (process.listenerCount('uncaughtException') < 2) process.exit(describeFailure(error, { writeError }));
  };
  process.on('uncaughtException', stop);
  let isFinished = false;
  process.once('exit', () => {
    if (!isFinished)
      process.exitCode ??= describeFailure(new Error('the command waits for something that cannot come'), {
        writeError,
      });
  });
  process.exitCode = await runTollgate(process.argv.slice(2), {
    ...standardOutput(process, stop),
    writeError,
    readInput: () => readBytes(process.stdin),
    errorColumns: errorColumns(process),
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
  /** What the program is for; without any it has all commands. */
  readonly args: readonly string[];
  readonly terminal: Terminal;
  readonly finish: (code: ExitCode) => void;
}

/** The command line with the commands that the arguments need. */
export async function createProgram({ args, terminal, finish }: ProgramParts): Promise<Command> {
  const program = new Command('tollgate');
  const coloured = obeyGlobalOptions(program, terminal);
  const hasColours = () => choosePaint(coloured.isInteractive, coloured.env) === ANSI;
  program
    .description('The toolkit for traffic policies: check them, lint them, replay recorded traffic through them.')
    .version(
      await versionText(args),
      '-V, --version',
      'print the version; with `--verbose`, also the age of the catalog',
    )
    .helpOption('-h, --help', 'print this help')
    .addOption(
      new Option('--color <when>', 'colours of the output').choices(['auto', 'always', 'never']).default('auto'),
    )
    .option('--trust', 'run modules that settings name, whatever directory they are in')
    .exitOverride()
    .configureOutput({
      writeOut: terminal.write,
      writeErr: terminal.writeError,
      // Said in our words when everything is known.
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(terminal.columns ?? 80, WIDEST_HELP),
      getErrHelpWidth: () => Math.min(terminal.columns ?? 80, WIDEST_HELP),
      getOutHasColors: hasColours,
      getErrHasColors: hasColours,
    })
    .configureHelp({ showGlobalOptions: true, styleTitle: title => ANSI('strong', title), subcommandTerm: termOf })
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', PROGRAM_HELP);
  const definitions = await Promise.all(commandsFor(args).map(one => one.load()));
  for (const one of definitions) one.register(program, { terminal: coloured, finish });
  return program;
}

/** With `--verbose`, also when the facts of each profile were read. */
async function versionText(args: readonly string[]): Promise<string> {
  const asksForVersion = args.includes('--version') || args.includes('-V');
  if (!asksForVersion || !args.includes('--verbose')) return VERSION;
  const { versionDetails } = await import('./version-details.ts');
  return versionDetails();
}

const WIDEST_HELP = 100;

const PROGRAM_HELP = `
\`tollgate help COMMAND\` tells all about a command, with examples; \`tollgate
explain CODE\` says more about what a report says. Colours follow FORCE_COLOR,
NO_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM, unless \`--color\` says otherwise.`;

/** Every command has options; saying so would only take room. */
function termOf(command: Command): string {
  const names = command.registeredArguments.map(one => {
    const name = `${one.name()}${one.variadic ? '...' : ''}`;
    return one.required ? ` <${name}>` : ` [${name}]`;
  });
  return command.name() + names.join('');
}

/** The terminal as commands see it: `--color` and `--trust` are as good as the variables that say the same. */
function obeyGlobalOptions(program: Command, terminal: Terminal): Terminal {
  const said: { FORCE_COLOR?: string; TOLLGATE_TRUST?: string } = {};
  program.on('option:color', (when: string) => {
    if (when !== 'auto') said.FORCE_COLOR = when === 'always' ? '1' : '0';
  });
  program.on('option:trust', () => {
    said.TOLLGATE_TRUST = '1';
  });
  return {
    ...terminal,
    get env() {
      return { ...terminal.env, ...said };
    },
  };
}

interface Failing {
  readonly program: Command;
  readonly args: readonly string[];
  readonly terminal: Terminal;
}

async function reportFailure(error: unknown, { program, args, terminal }: Failing): Promise<ExitCode> {
  if (error instanceof CommanderError) {
    const { usageMessage } = await import('./usage-message.ts');
    const message = usageMessage(error, program, args);
    if (message !== undefined) terminal.writeError(`tollgate: ${message}\n`);
    return error.exitCode === 0 ? EXIT.clean : EXIT.usage;
  }
  return describeFailure(error, terminal);
}

/** Says what ended a command, and gives its exit code. */
function describeFailure(error: unknown, terminal: Pick<Terminal, 'writeError'>): ExitCode {
  if (error instanceof UsageError) {
    tell(terminal, error.message);
    return EXIT.usage;
  }
  if (error instanceof OutputError) {
    // Whoever stopped reading knows; that not everything was written is all there is to say, and the exit code says it.
    if (error.code !== 'EPIPE') tell(terminal, error.message);
    return EXIT.external;
  }
  if (isExternalError(error)) {
    // Wrong settings of a server are told all at once.
    for (const line of error.message.split('\ntollgate: ')) tell(terminal, line);
    return exitOfFailures([error]);
  }
  terminal.writeError(safeText(defectMessage(error)));
  return EXIT.internal;
}

/** The terminal, protected from control characters of what is written to it. What goes into a file or pipe is left as it is. */
function safeTerminal(terminal: Terminal): Terminal {
  const { write, writeError, isInteractive } = terminal;
  return {
    ...terminal,
    write: isInteractive ? text => write(safeText(text)) : write,
    writeError: text => writeError(safeText(text)),
  };
}

/** By its name: importing the class would load what `--help` does not need. */
function isExternalError(error: unknown): error is ExternalError {
  return error instanceof Error && error.name === 'ExternalError';
}
