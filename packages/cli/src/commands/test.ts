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
      .option('--watch', 'run tests again when they, their policies, fixtures or the settings change')
      .option('--coverage', 'show what of each policy no test reaches')
      .addOption(
        new Option(
          '--fail-under <percent>',
          'fail if the tests of a policy reach fewer of its goals; by default what `coverage` in `tollgate.yaml` says',
        ).argParser(parsePercent),
      )
      .option('--coverage-lcov <file>', 'write coverage as LCOV')
      .option('--coverage-html <file>', 'write coverage as a page')
      .option('--mutate', 'show which small mistakes in a policy its tests would not notice')
      .addOption(
        new Option('--min-score <percent>', 'fail if the tests of a policy notice fewer of these mistakes').argParser(
          parsePercent,
        ),
      )
      .option('--mutants-html <file>', 'write these mistakes and what became of them as a page')
      .option(
        '--write-missing',
        'add tests for what no test reaches and for mistakes that none would notice, with the decisions of today',
      )
      .option('--verbose', 'with coverage: say why goals are impossible')
      .addOption(envOption())
      .action(async (files: readonly string[], options) => {
        const given = await resolveChanges(files, options);
        if (options.watch) {
          const { watchTests } = await import('../policies/watch-tests.ts');
          finish(await watchTests(given.files, given.options, terminal));
          return;
        }
        const { testPolicies } = await import('../policies/test-policies.ts');
        finish(await testPolicies(given.files, given.options, terminal));
      });
  },
};

function parsePercent(text: string): number {
  const percent = Number(text);
  if (/^\d{1,3}(?:\.\d+)?$/.test(text) && percent <= 100) return percent;
  throw new InvalidArgumentError('expected a number from 0 to 100.');
}

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
    ['test --coverage --fail-under 90', 'what the tests do not reach, and fail below 90 %'],
    ['test --watch', 'again after each change'],
    ['test --mutate', 'which mistakes in the policies the tests would not notice'],
    ['test --write-missing policies', 'add tests for what no test reaches'],
    ['test -f text -f junit=report.xml policies', 'also write a JUnit report for CI'],
  ],
  clean: 'all tests passed',
  findings: 'a test failed, or a test or its policy has an error',
};
