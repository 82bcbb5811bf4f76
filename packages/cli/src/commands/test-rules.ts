import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate test-rules PATHS…`: runs the tests of lint rules of one's own. */
export const TEST_RULES: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('test-rules'), HELP)
      .summary('run the tests of your own lint rules')
      .description(
        'Runs tests that are written with `testRule` of `@tollgate/lint/testing` and the test runner of Node. They need no installed package: ' +
          'what is not there is taken from this command.',
      )
      .argument('<paths...>', 'files, or directories with files that end in `.test.ts`')
      .action(async (paths: readonly string[]) => {
        const { testRules } = await import('../rules/test-rules.ts');
        finish(await testRules(paths, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['test-rules lint-rules', 'all tests in a directory'],
    ['test-rules lint-rules/no-log.test.ts', 'those of one lint rule'],
  ],
  findings: 'a test failed',
};
