import { type Command, InvalidArgumentError, Option } from 'commander';
import { addChangeOptions, addSettingsOptions, partOption } from '../input/input-options.ts';
import { resolveChanges } from '../input/selected-files.ts';
import { addConcurrencyOption } from '../process/concurrency.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate fmt FILES…`: formats policies. */
export const FMT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addChangeOptions(addConcurrencyOption(addSettingsOptions(addHelp(program.command('fmt'), HELP))))
      .summary('format policies')
      .description(
        'Formats policies in place: indentation, key order, quotes, block scalars and expressions. Meaning and comments are ' +
          'preserved; JSON stays JSON. A file that cannot be parsed as a policy is reported and left unchanged.',
      )
      .argument(
        '[files...]',
        'files, directories or glob patterns; `-` formats standard input to standard output; ' +
          '`FILE#/spec/policy` formats one part of a file',
      )
      .addOption(partOption())
      .option('--verbose', 'name the files in which no policy was found')
      .option('--allow-empty', 'succeed even if no named file contains a policy')
      .option('--check', 'list unformatted files without changing them')
      .option('--diff', 'show the changes without writing them')
      .addOption(new Option('--line-width <columns>', 'maximum line length').argParser(parseWidth).default(100))
      .action(async (files: readonly string[], options, command: Command) => {
        // Without a file, only what Git knows is changed.
        if (files.length === 0 && !options.changed && !options.staged)
          command.error("error: missing required argument 'files'");
        const { formatFiles } = await import('../policies/format.ts');
        const given = await resolveChanges(files, options);
        finish(await formatFiles(given.files, given.options, terminal));
      });
  },
};

function parseWidth(text: string): number {
  const width = Number(text);
  if (!/^[0-9]+$/.test(text) || width < 20) throw new InvalidArgumentError('expected a number of columns, 20 or more.');
  return width;
}

const HELP: HelpText = {
  examples: [
    ['fmt examples/policies', 'format all policies in a directory'],
    ['fmt --check policies', 'fail if a file is not formatted, for CI'],
    ['fmt --diff policy.yaml', 'show the changes without writing them'],
    ['fmt - < policy.yaml', 'format standard input to standard output'],
  ],
  findings: 'a file could not be formatted, or is unformatted (`--check`, `--diff`)',
};
