import { addChangeOptions, addSettingsOptions, partOption } from '../input/input-options.ts';
import { resolveChanges } from '../input/selected-files.ts';
import { addLintOptions } from '../lint/lint-options.ts';
import { addOutputOptions } from '../output/output-options.ts';
import { addConcurrencyOption } from '../process/concurrency.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate lint FILES…`: reports errors and likely mistakes in policies. */
export const LINT: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(
      addOutputOptions(
        addLintOptions(addChangeOptions(addConcurrencyOption(addSettingsOptions(program.command('lint'))))),
      ),
      HELP,
    )
      .summary('report errors and likely mistakes in policies')
      .description(
        'Reports everything that `tollgate check` does, and runs lint rules: conditions that never hold, patterns that match too ' +
          'much, hard-coded secrets, and more.',
      )
      .argument(
        '[files...]',
        'files, directories or glob patterns (default: the working directory); `-` for standard input; `FILE#/spec/policy` for one part of a file',
      )
      .addOption(partOption())
      .option('--verbose', 'name the files in which no policy was found')
      .action(async (files: readonly string[], options) => {
        const { lintFiles } = await import('../lint/lint-files.ts');
        const given = await resolveChanges(files, options);
        finish(await lintFiles(given.files, given.options, terminal));
      });
    for (const option of command.options) option.helpGroup(groupOf(option.long ?? ''));
  },
};

/** Headings of the options in `--help`; what is in none of them makes long or repeated runs faster. */
const GROUPS: readonly (readonly [heading: string, options: readonly string[]])[] = [
  ['Policies:', ['profile', 'endpoint', 'env', 'templates', 'at']],
  ['Files:', ['changed', 'staged', 'no-ignore', 'stdin-filename', 'allow-empty', 'verbose']],
  ['Lint rules:', ['preset', 'rule', 'no-suppressions']],
  ['Result:', ['fail-on', 'max-warnings', 'baseline', 'write-baseline', 'prune-baseline']],
  ['Fixes:', ['fix', 'unsafe-fixes', 'traffic', 'diff', 'fix-dry-run']],
  ['Output:', ['format', 'output', 'statistics', 'quiet', 'docs-url']],
];

function groupOf(flag: string): string {
  return GROUPS.find(([, options]) => options.includes(flag.slice(2)))?.[0] ?? 'Speed:';
}

const HELP: HelpText = {
  examples: [
    ['lint policies', 'all policies below a directory, also inside files of other kinds'],
    ['lint --fix policies', 'apply the fixes that change no decision'],
    ['lint --statistics -f compact policies/*.yaml', 'one line per finding, and counts by code'],
    ['lint --preset security --rule style/*=off policies', 'choose the lint rules to run'],
    ['lint -f github -f junit=report.xml policies', 'annotations in GitHub Actions, and a JUnit report'],
  ],
  findings: 'findings at or above the `--fail-on` severity',
};
