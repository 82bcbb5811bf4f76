import type { Command } from 'commander';
import { EXIT } from '../exit-code.ts';

/** What stands below the options in a command's help. */
export interface HelpText {
  /** Command lines behind `tollgate`, each with what it does. They are run as tests. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** What the exit codes mean for this command, where it is not the usual. */
  readonly clean?: string;
  readonly findings?: string;
  /** Which I/O errors the command can meet. */
  readonly external?: string;
}

/** Adds examples and exit codes to a command's help, in the style of all. */
export function addHelp(command: Command, { examples, ...given }: HelpText): Command {
  const codes = { external: 'a file could not be read or written', ...given };
  return command.addHelpText('after', ({ command: shown }) => {
    const title = (text: string) => shown.createHelp().styleTitle(text);
    const lines = examples.map(([line, what]) => `  tollgate ${line}\n      ${what}`);
    return `\n${title('Examples:')}\n${lines.join('\n')}\n\n${title('Exit codes:')}\n${exitCodes(codes)}`;
  });
}

function exitCodes({ clean = 'clean', findings, external }: Omit<HelpText, 'examples'>): string {
  const rows: readonly (readonly [number, string | undefined])[] = [
    [EXIT.clean, clean],
    [EXIT.findings, findings],
    [EXIT.usage, 'usage error'],
    [EXIT.external, external],
    [EXIT.internal, 'internal error'],
  ];
  return rows
    .flatMap(([code, meaning]) => (meaning === undefined ? [] : [`  ${String(code).padEnd(3)} ${meaning}`]))
    .join('\n');
}
