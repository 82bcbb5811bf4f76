import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate test-rules PATHS…`: runs the tests of custom lint rules. */
export const TEST_RULES: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('test-rules'), HELP)
      .summary('run the tests of custom lint rules')
      .description(
        'Runs tests written with `testRule` from `@tollgate/lint/testing` on the Node.js test runner. Nothing needs to be ' +
          'installed: this command provides the packages that are missing.',
      )
      .argument('<paths...>', 'test files, or directories with `.test.ts` files')
      .action(async (paths: readonly string[]) => {
        const { testRules } = await import('../lint/own-rules.ts');
        finish(await testRules(paths, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['test-rules lint-rules', 'all tests in a directory'],
    ['test-rules lint-rules/no-log.test.mts', 'the tests of one lint rule'],
  ],
  findings: 'a test failed',
};
