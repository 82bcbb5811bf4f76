import { Option } from 'commander';
import { addSettingsOptions } from '../../settings/settings-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate bypass POLICY --upstream NAME`: shows requests that pass although the upstream treats them as refused ones. */
export const BYPASS: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('bypass'), HELP)
      .summary('show requests that pass although the upstream treats them as refused ones')
      .description(
        'For each rule that keeps requests from the upstream, writes such requests differently: with encoded characters, doubled ' +
          'slashes, dot segments, path parameters, other letter case, repeated headers and so on. Shows those that the policy lets ' +
          'pass although the upstream treats them as the refused ones.',
      )
      .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file')
      .option(
        '--upstream <name>',
        'what serves the requests; repeatable (default: `upstreams` in `tollgate.yaml`)',
        collect,
      )
      .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async (policy: string, options) => {
        const { bypassPolicy } = await import('../../bypass/bypass-policy.ts');
        finish(await bypassPolicy(policy, options, terminal));
      });
    addSettingsOptions(command);
  },
};

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

const HELP: HelpText = {
  examples: [
    [
      'bypass --upstream express examples/policies/protect-admin.yaml',
      'requests that Express routes to the back office',
    ],
    ['bypass --upstream nginx --upstream go policy.yaml', 'for two kinds of upstream'],
  ],
  clean: 'no such request was found',
  findings: 'a request passes; the policy has errors',
};
