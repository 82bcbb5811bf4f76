import { Option } from 'commander';
import { partOption } from '../input/part-option.ts';
import { envOption } from '../settings/settings-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate migrate FILE`: writes a policy anew in a later profile. */
export const MIGRATE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('migrate'), HELP)
      .summary('write a policy anew in a later profile')
      .description(
        'Makes a policy of the profile `modern` of one of `edge-v2` or `edge-v2-snake`: phases, names, functions, configuration and ' +
          'texts that are filled in. Comments and layout stay. What may mean something else afterwards is a warning, what a person ' +
          'must finish an error, each at its place in the old policy.',
      )
      .argument(
        '<file>',
        'policies in YAML or JSON, one in each document; `-` for the standard input; `FILE#/spec/policy` for a part of a file',
      )
      .addOption(partOption())
      .addOption(
        new Option('--from <profile>', 'profile of the policy; told by its names by default').choices([
          'edge-v2',
          'edge-v2-snake',
        ]),
      )
      .addOption(new Option('--to <profile>', 'profile to write').choices(['modern']).default('modern'))
      .addOption(
        new Option('--endpoint <kind>', 'what the policy is for; https-route by default').choices([
          'https-route',
          'tls-edge',
          'tcp-edge',
        ]),
      )
      .addOption(envOption())
      .option(
        '--write',
        'write the file, unless there is an error; otherwise the new policy goes to the standard output',
      )
      .action(async (file: string, options) => {
        const { migrateFile } = await import('../migrate-file.ts');
        finish(await migrateFile(file, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['migrate examples/policies/rewrite-api.yaml', 'print the policy in the new profile'],
    ['migrate --write policy.yaml', 'replace the file, unless a person must finish the work'],
  ],
  clean: 'migrated',
  findings: 'a person must finish the work',
};
