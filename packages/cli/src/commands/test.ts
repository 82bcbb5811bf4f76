import { addOutputOptions } from '../output/output-options.ts';
import { envOption } from '../settings/settings-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate test FILES…`: runs policy tests. */
export const TEST: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(addOutputOptions(program.command('test')), HELP)
      .summary('run policy tests')
      .description(
        'Runs the tests in files that name a policy, exchanges, and what must come of each. What a test does not say of its exchange is ' +
          'not known; an expectation that hangs on it fails.',
      )
      .argument(
        '<files...>',
        'files or glob patterns, or directories with files that end in `.test.yaml` or `.test.json`',
      )
      .addOption(envOption())
      .action(async (files: readonly string[], options) => {
        const { testPolicies } = await import('../testing/test-policies.ts');
        finish(await testPolicies(files, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['test examples/tests', 'all tests below a directory'],
    ['test -f text -f junit=report.xml policies', 'a report for the CI server beside that for people'],
  ],
  clean: 'all tests that were run passed',
  findings: 'a test failed, or a test or its policy has an error',
};
