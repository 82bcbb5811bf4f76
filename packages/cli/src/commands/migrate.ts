import { Option } from 'commander';
import { envOption, partOption } from '../input/input-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate migrate FILE`: converts a policy to a later profile. */
export const MIGRATE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('migrate'), HELP)
      .summary('convert a policy to a later profile')
      .description(
        'Converts a policy from the profile `edge-v2` or `edge-v2-snake` to `modern`: phases, names, functions, configuration and ' +
          'interpolated strings. Comments and layout are preserved. Where the meaning may change, a warning points to the old ' +
          'policy; where the conversion needs your decision, an error does, and nothing is printed without `--partial`.',
      )
      .argument(
        '<file>',
        'policies in YAML or JSON, one per document; `-` for standard input; `FILE#/spec/policy` for one part of a file',
      )
      .addOption(partOption())
      .addOption(
        new Option('--from <profile>', 'profile of the policy; detected by default').choices([
          'edge-v2',
          'edge-v2-snake',
        ]),
      )
      .addOption(new Option('--to <profile>', 'target profile').choices(['modern']).default('modern'))
      .addOption(
        new Option('--endpoint <kind>', 'kind of endpoint the policy is attached to (default: https-route)').choices([
          'https-route',
          'tls-edge',
          'tcp-edge',
        ]),
      )
      .addOption(envOption())
      .option('--write', 'replace the file unless there is an error, instead of printing the result')
      .option('--partial', 'print what could be converted, even if it does not check yet')
      .action(async (file: string, options) => {
        const { migrateFile } = await import('../policies/migrate.ts');
        finish(await migrateFile(file, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['migrate examples/policies/rewrite-api.yaml', 'print the converted policy'],
    ['migrate --write policy.yaml', 'convert the file in place'],
  ],
  clean: 'migrated',
  findings: 'part of the policy must be converted by hand',
};
