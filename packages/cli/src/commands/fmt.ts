import { InvalidArgumentError, Option } from 'commander';
import { partOption } from '../input/part-option.ts';
import { addSettingsOptions } from '../settings/settings-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate fmt FILES…`: gives policies their canonical layout. */
export const FMT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addSettingsOptions(addHelp(program.command('fmt'), HELP))
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

const HELP: HelpText = {
  examples: [
    ['fmt examples/policies', 'format the files of a directory in place'],
    ['fmt --check policies', 'list what is not formatted, for CI'],
    ['fmt --diff policy.yaml', 'show what would change'],
    ['fmt - < policy.yaml', 'format the standard input to the standard output'],
  ],
  findings: 'a file was refused, or is not formatted under `--check` or `--diff`',
};
