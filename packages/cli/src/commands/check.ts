import { addChangeOptions, addSettingsOptions, partOption } from '../input/input-options.ts';
import { resolveChanges } from '../input/selected-files.ts';
import { addOutputOptions } from '../output/output-options.ts';
import { addConcurrencyOption } from '../process/concurrency.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate check FILES…`: reports the errors in policies. */
export const CHECK: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(
      addOutputOptions(addChangeOptions(addConcurrencyOption(addSettingsOptions(program.command('check'))))),
      HELP,
    )
      .summary('report errors in policies')
      .description(
        'Checks policies in YAML or JSON: syntax, structure, names, phases, action configuration and CEL expressions. ' +
          'Reports every error with its exact position.',
      )
      .argument(
        '[files...]',
        'files, directories or glob patterns (default: the working directory); `-` for standard input; `FILE#/spec/policy` for one part of a file',
      )
      .addOption(partOption())
      .option('--verbose', 'name the files in which no policy was found')
      .option('--allow-empty', 'succeed even if no named file contains a policy')
      .action(async (files: readonly string[], options) => {
        const { checkFiles } = await import('../policies/check.ts');
        const given = await resolveChanges(files, options);
        finish(await checkFiles(given.files, given.options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['check policies', 'all policies below a directory, also inside files of other kinds'],
    ['check -f compact -f sarif=report.sarif policies/*.yaml', 'one line per finding, and SARIF to a file'],
    ['check deploy.yaml#/spec/policy', 'a policy embedded in another file'],
    ['check --profile modern --endpoint http-endpoint policy.yaml', 'set the profile and the endpoint kind'],
  ],
  findings: 'errors',
};
