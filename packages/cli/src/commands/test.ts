import { InvalidArgumentError, Option } from 'commander';
import { addChangeOptions, envOption } from '../input/input-options.ts';
import { resolveChanges } from '../input/selected-files.ts';
import { addOutputOptions } from '../output/output-options.ts';
import { addConcurrencyOption } from '../process/concurrency.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate test FILES…`: runs policy tests. */
export const TEST: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(addOutputOptions(addChangeOptions(addConcurrencyOption(program.command('test')))), HELP)
      .summary('run policy tests')
      .description(
        'Runs test files, each of which names a policy, requests, and the expected outcomes. Fields that a test does not set are ' +
          'unknown; an expectation that depends on one fails.',
      )
      .argument(
        '[files...]',
        'test files, glob patterns, or directories with `.test.yaml` and `.test.json` files (default: the working directory)',
      )
      .addOption(
        new Option('-t, --name <pattern>', 'run only tests whose name matches a regular expression').argParser(
          parsePattern,
        ),
      )
      .addOption(
        new Option('--tag <tag>', 'run only tests that have a tag; repeatable, one of them is enough').argParser(
          (tag: string, before: readonly string[] | undefined) => [...(before ?? []), tag],
        ),
      )
      .addOption(envOption())
      .action(async (files: readonly string[], options) => {
        const { testPolicies } = await import('../policies/test-policies.ts');
        const given = await resolveChanges(files, options);
        finish(await testPolicies(given.files, given.options, terminal));
      });
  },
};

function parsePattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(`${error instanceof Error ? error.message : String(error)}.`);
  }
}

const HELP: HelpText = {
  examples: [
    ['test examples/tests', 'all tests below a directory'],
    ["test --name 'bots are' policy.test.yaml", 'only some tests, by their names'],
    ['test --tag smoke', 'only tests with a tag'],
    ['test -f text -f junit=report.xml policies', 'also write a JUnit report for CI'],
  ],
  clean: 'all tests passed',
  findings: 'a test failed, or a test or its policy has an error',
};
