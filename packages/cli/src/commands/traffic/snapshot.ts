import { Option } from 'commander';
import { EXIT } from '../../process/exit-code.ts';
import { addRedactionOptions } from '../../recording/redaction-options.ts';
import { addSettingsOptions } from '../../settings/settings-options.ts';
import { addGeoipOptions } from '../../traffic/geoip-options.ts';
import { addInputOptions } from '../../traffic/recording-options.ts';
import { originOption, parseTime, seedOption } from '../../traffic/simulation-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate snapshot POLICY TRAFFIC…`: compares decisions on recorded traffic with those of an earlier run. */
export const SNAPSHOT: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addSettingsOptions(addHelp(program.command('snapshot'), HELP));
    addRedactionOptions(addGeoipOptions(addInputOptions(command)))
      .summary('compare decisions on recorded traffic with an earlier run')
      .description(
        'Keeps the decision on each recorded exchange in a file for review, without credentials, and shows which decisions a change of ' +
          'the policy alters.',
      )
      .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file')
      .argument(
        '<traffic...>',
        'recordings: files (also compressed), directories or glob patterns; `-` for standard input',
      )
      .option('--file <file>', 'the snapshot (default: the name of the policy with `.snapshot`)')
      .option('--update', 'write the snapshot instead of comparing with it')
      .addOption(originOption())
      .addOption(
        new Option(
          '--now <time>',
          'current time as seen by the policy, such as `2026-03-02T10:15:30Z`; by default the time of each exchange',
        ).argParser(parseTime),
      )
      .addOption(seedOption())
      .action(async (policy: string, files: readonly string[], options) => {
        if (policy === '-' && files.includes('-'))
          command.error('error: standard input cannot be both policy and traffic');
        const { resolveTraffic } = await import('../../traffic/traffic-inputs.ts');
        const inputs = await resolveTraffic({ files, ...options }, terminal);
        if (inputs === undefined) {
          finish(EXIT.findings);
          return;
        }
        const { snapshot } = await import('../../snapshot/snapshot.ts');
        finish(await snapshot({ policy, ...options, ...inputs }, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['snapshot --update policy.yaml access.log', 'keep the decisions in `policy.yaml.snapshot`'],
    ['snapshot policy.yaml access.log', 'show the decisions that differ from it'],
  ],
  clean: 'all decisions are those of the snapshot, or it was written',
  findings: 'a decision differs; the policy has errors',
};
