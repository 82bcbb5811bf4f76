import { InvalidArgumentError, Option } from 'commander';
import { partOption } from '../input/part-option.ts';
import { addSettingsOptions } from '../settings/settings-options.ts';
import type { CommandDefinition } from './command-definition.ts';

/** `tollgate fmt FILES…`: gives policies their canonical layout. */
export const FMT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addSettingsOptions(program.command('fmt'))
      .summary('give policies their canonical layout')
      .description(
        'Formats policies in YAML or JSON in place: indentation, order of keys, quotes, block scalars, and the layout of ' +
          'expressions. What they mean and all comments are kept; JSON stays JSON. A file that cannot be read as a policy is ' +
          'reported, and left alone.',
      )
      .argument(
        '<files...>',
        'files, directories or glob patterns; `-` formats the standard input to the standard output; ' +
          '`FILE#/spec/policy` formats a part of a file, and leaves all else as it is',
      )
      .addOption(partOption())
      .option('--check', 'write nothing, and list the files that are not formatted')
      .option('--diff', 'write nothing, and show what would change')
      .addOption(
        new Option('--line-width <columns>', 'longest line, where it can be broken').argParser(parseWidth).default(100),
      )
      .addHelpText(
        'after',
        '\nExit codes: 0 clean, 1 a file was refused, or is not formatted under `--check` or `--diff`, 2 wrong usage, ' +
          '3 a file could not be read or written, 70 a defect of Tollgate.',
      )
      .action(async (files: readonly string[], options) => {
        const { formatFiles } = await import('../format/format-files.ts');
        finish(await formatFiles(files, options, terminal));
      });
  },
};

function parseWidth(text: string): number {
  const width = Number(text);
  if (!/^[0-9]+$/.test(text) || width < 20)
    throw new InvalidArgumentError('expected a number of columns, at least 20.');
  return width;
}
