import type { Command } from 'commander';
import { EXIT } from '../exit-code.ts';

/** What stands below the options in a command's help. */
export interface HelpText {
  /** Command lines behind `tollgate`, each with what it does. They are run as tests. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** What the exit codes mean for this command, where it is not the usual. */
  readonly clean?: string;
  readonly findings?: string;
  /** Undefined for a command that has nothing to do with the world outside. */
  readonly world?: string | undefined;
}

/** Adds examples and exit codes to a command's help, in the style of all. */
export function addHelp(command: Command, { examples, ...given }: HelpText): Command {
  const codes = { world: 'a file could not be read or written', ...given };
  return command.addHelpText('after', ({ command: shown }) => {
    const title = (text: string) => shown.createHelp().styleTitle(text);
    const lines = examples.map(([line, what]) => `  tollgate ${line}\n      ${what}`);
    return `\n${title('Examples:')}\n${lines.join('\n')}\n\n${title('Exit codes:')}\n${exitCodes(codes)}`;
  });
}

function exitCodes({ clean = 'clean', findings, world }: Omit<HelpText, 'examples'>): string {
  const rows: readonly (readonly [number, string | undefined])[] = [
    [EXIT.clean, clean],
    [EXIT.findings, findings],
    [EXIT.usage, 'wrong usage'],
    [EXIT.world, world],
    [EXIT.internal, 'a defect of Tollgate'],
  ];
  return rows
    .flatMap(([code, meaning]) => (meaning === undefined ? [] : [`  ${String(code).padEnd(3)} ${meaning}`]))
    .join('\n');
}
