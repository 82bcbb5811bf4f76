import { partOption } from '../input/part-option.ts';
import { addLintOptions } from '../lint/lint-options.ts';
import { addOutputOptions } from '../output/output-options.ts';
import { addSettingsOptions } from '../settings/settings-options.ts';
import type { CommandDefinition } from './command-definition.ts';

/** `tollgate lint FILES…`: reports what is wrong with policies, and what is most likely a mistake. */
export const LINT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addOutputOptions(addLintOptions(addSettingsOptions(program.command('lint'))))
      .summary('report what is wrong with policies, or most likely a mistake')
      .description(
        'Checks policies as `tollgate check` does, and runs lint rules over them: conditions that never hold, patterns that match more ' +
          'than was meant, secrets, and so on.',
      )
      .argument(
        '<files...>',
        'files, directories or glob patterns; `-` for the standard input; `FILE#/spec/policy` for a part of a file',
      )
      .addOption(partOption())
      .addHelpText(
        'after',
        '\nExit codes: 0 clean, 1 findings, 2 wrong usage, 3 a file could not be read, 70 a defect of Tollgate.',
      )
      .action(async (files: readonly string[], options) => {
        const { lintFiles } = await import('../lint/lint-files.ts');
        finish(await lintFiles(files, options, terminal));
      });
  },
};
