import { Option } from 'commander';
import { addSettingsOptions, environmentOption } from '../../settings/settings-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate diff OLD NEW`: shows what two policies decide differently. */
export const DIFF: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('diff'), HELP)
      .summary('show which requests two policies decide differently')
      .description(
        'Compares what two policies do, not how they are written. For each combination of rules that decides differently, shows a ' +
          'request and both decisions; or proves that both policies decide every well-formed request alike.',
      )
      .argument(
        '<old>',
        'a policy; `git:REV` for the new file at that revision; `live:TARGET` for what is live, from `tollgate.yaml`',
      )
      .argument('<new>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file')
      .addOption(environmentOption())
      .addOption(new Option('--format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'))
      .action(async (before: string, after: string, options) => {
        const { diffPolicies } = await import('../../diff/diff-policies.ts');
        finish(await diffPolicies({ before, after, ...options }, terminal));
      });
    addSettingsOptions(command);
  },
};

const HELP: HelpText = {
  examples: [
    ['diff main.yaml examples/policies/bookshop.yaml', 'requests that the new policy decides differently'],
    ['diff git:main examples/policies/bookshop.yaml', 'compared with the same file on another branch'],
    ['diff --format markdown main.yaml policy.yaml', 'a comment for a pull request'],
    ['diff --format json old.yaml new.yaml', 'requests and decisions for programs'],
  ],
  clean: 'both policies decide every well-formed request alike (proved)',
  findings: 'a difference, or equality is not proved; a policy has errors',
};
