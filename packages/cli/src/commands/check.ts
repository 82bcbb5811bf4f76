import { partOption } from '../input/part-option.ts';
import { addOutputOptions } from '../output/output-options.ts';
import { addSettingsOptions } from '../settings/settings-options.ts';
import type { CommandDefinition } from './command-definition.ts';

/** `tollgate check FILES…`: reports what is wrong with policies. */
export const CHECK: CommandDefinition = {
  register(program, { terminal, finish }) {
    addOutputOptions(addSettingsOptions(program.command('check')))
      .summary('report what is wrong with policies')
      .description(
        'Checks policies in YAML or JSON: their documents, shape, names, phases, actions with their configuration, and ' +
          'expressions. Every error is reported, at its place.',
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
        const { checkFiles } = await import('../check-files.ts');
        finish(await checkFiles(files, options, terminal));
      });
  },
};
