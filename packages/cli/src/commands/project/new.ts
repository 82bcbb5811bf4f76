import { Option } from 'commander';
import { TEMPLATE_NAMES } from '../../init/templates/policy-templates.ts';
import { addSettingsOptions } from '../../settings/settings-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate new`: creates a policy, a test or a lint rule. */
export const NEW: CommandDefinition = {
  register(program, { terminal, finish }) {
    const create = addHelp(program.command('new'), HELP)
      .summary('create a policy, a test or a lint rule')
      .description('Creates files from templates. Existing files are never changed.');
    create
      .command('policy')
      .summary('create a policy and its tests')
      .description('Writes a policy for a task, and its tests next to it.')
      .argument('<file>', 'the policy, such as `policies/api.yaml`')
      .addOption(new Option('-t, --template <name>', 'what the policy is for').choices([...TEMPLATE_NAMES]))
      .action(async (file: string, options) => {
        const { newPolicy } = await import('../../init/new-policy.ts');
        finish(await newPolicy(file, options, terminal));
      });
    addSettingsOptions(
      create
        .command('test')
        .summary('create tests for a policy')
        .description(
          'Writes a test for each rule of a policy, with a request that it matches. Complete the expectations, and ' +
            'the tests that are skipped.',
        )
        .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file')
        .option('-o, --output <file>', 'the test file (default: next to the policy)'),
    ).action(async (policy: string, options) => {
      const { newTest } = await import('../../init/new-test.ts');
      finish(await newTest(policy, options, terminal));
    });
    create
      .command('rule')
      .summary('create a custom lint rule')
      .description(
        'Writes a working lint rule in TypeScript and its test. Creates a `tollgate.yaml` that loads it; if there is one already, ' +
          'prints what to add to it.',
      )
      .argument('<id>', 'id of the lint rule, such as `team/no-log`')
      .option('--directory <path>', 'directory for the new files', 'lint-rules')
      .action(async (id: string, options) => {
        const { newRule } = await import('../../lint/authoring/new-rule.ts');
        finish(await newRule(id, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['new policy policies/api.yaml --template api', 'an API with JSON Web Tokens, and its tests'],
    ['new test policies/api.yaml', 'a test for each rule of a policy'],
    ['new rule team/no-log', 'lint-rules/no-log.ts and its test'],
  ],
  findings: 'the policy has errors',
};
