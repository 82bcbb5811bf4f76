import { partOption } from '../input/part-option.ts';
import { addOutputOptions } from '../output/output-options.ts';
import { addSettingsOptions } from '../settings/settings-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate check FILES…`: reports what is wrong with policies. */
export const CHECK: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(addOutputOptions(addSettingsOptions(program.command('check'))), HELP)
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
      .action(async (files: readonly string[], options) => {
        const { checkFiles } = await import('../check-files.ts');
        finish(await checkFiles(files, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['check policies', 'every YAML and JSON file below a directory'],
    ['check --profile modern --endpoint http-endpoint policy.yaml', 'for a certain dialect and kind of endpoint'],
    ['check deploy.yaml#/spec/policy', 'the part of a file that is a policy'],
    ['check -f compact -f sarif=report.sarif policies/*.yaml', 'two reports, one of them into a file'],
  ],
  findings: 'errors',
};
