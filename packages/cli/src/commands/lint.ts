import { partOption } from '../input/part-option.ts';
import { addLintOptions } from '../lint/lint-options.ts';
import { addOutputOptions } from '../output/output-options.ts';
import { addSettingsOptions } from '../settings/settings-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate lint FILES…`: reports what is wrong with policies, and what is most likely a mistake. */
export const LINT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(addOutputOptions(addLintOptions(addSettingsOptions(program.command('lint')))), HELP)
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
      .action(async (files: readonly string[], options) => {
        const { lintFiles } = await import('../lint/lint-files.ts');
        finish(await lintFiles(files, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['lint policies', 'every YAML and JSON file below a directory'],
    ['lint --fix policies', 'mend what can be mended without changing what is decided'],
    ['lint --statistics -f compact policies/*.yaml', 'a line for each finding, and counts by code'],
    ['lint --preset security --rule style/*=off policies', 'choose lint rules'],
    ['lint -f github -f junit=report.xml policies', 'annotations in GitHub Actions, and a report for the CI server'],
  ],
  findings: 'findings at or above the failing severity',
};
