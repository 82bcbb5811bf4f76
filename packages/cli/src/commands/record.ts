// The commands that write tests from recorded traffic: `record` and `snapshot`.

import { addSettingsOptions } from '../input/input-options.ts';
import {
  addGeoipOptions,
  addInputOptions,
  addSimulationOptions,
  addTrafficArgument,
  originOption,
  requireOneInput,
} from '../input/traffic-options.ts';
import { EXIT } from '../process/exit-code.ts';
import { addRedactionOptions } from '../recording/redaction-options.ts';
import { addTableOptions, requireTraffic } from '../replay/replay-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate record POLICY TRAFFIC…`: writes recorded traffic as policy tests. */
export const RECORD: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addSettingsOptions(addHelp(program.command('record'), RECORD_HELP));
    addTableOptions(addRedactionOptions(addInputOptions(command)))
      .summary('write recorded traffic as policy tests')
      .description(
        'Keeps one exchange for each distinct path through the policy, removes credentials and everything that decides nothing, and writes ' +
          'the exchanges as policy tests that pass.',
      )
      .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file');
    addTrafficArgument(command, { isOptional: true })
      .option('-o, --output <file>', 'write the tests here instead of to standard output')
      .addOption(originOption())
      .action(async (policy: string, files: readonly string[], options) => {
        requireTraffic(command, options, { files });
        requireOneInput(command, policy, files);
        const { resolveTraffic } = await import('../input/traffic-inputs.ts');
        const inputs = await resolveTraffic({ files, ...options }, terminal);
        if (inputs === undefined) {
          finish(EXIT.findings);
          return;
        }
        const { recordTests } = await import('../recording/record-tests.ts');
        finish(await recordTests({ policy, ...options, ...inputs }, terminal));
      });
  },
};

const RECORD_HELP: HelpText = {
  examples: [
    ['record -o policy.test.yaml policy.yaml access.log', 'one test for each path through the policy'],
    ['record --engine postgres --table requests policy.yaml', 'from a table of a database'],
    ['record --redact X-User --redact-clients policy.yaml access.log', 'also without users and addresses'],
  ],
  clean: 'recorded',
  findings: 'the policy has errors; no exchange can be stated as a test',
};

/** `tollgate snapshot POLICY TRAFFIC…`: compares decisions on recorded traffic with those of an earlier run. */
export const SNAPSHOT: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addSettingsOptions(addHelp(program.command('snapshot'), SNAPSHOT_HELP));
    addTableOptions(addRedactionOptions(addGeoipOptions(addInputOptions(command))))
      .summary('compare decisions on recorded traffic with an earlier run')
      .description(
        'Keeps the decision on each recorded exchange in a file for review, without credentials, and shows which decisions a change of ' +
          'the policy alters.',
      )
      .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file');
    addTrafficArgument(command, { isOptional: true })
      .option('--file <file>', 'the snapshot (default: the name of the policy with `.snapshot`)')
      .option('--update', 'write the snapshot instead of comparing with it');
    addSimulationOptions(command).action(async (policy: string, files: readonly string[], options) => {
      requireTraffic(command, options, { files });
      requireOneInput(command, policy, files);
      const { resolveTraffic } = await import('../input/traffic-inputs.ts');
      const inputs = await resolveTraffic({ files, ...options }, terminal);
      if (inputs === undefined) {
        finish(EXIT.findings);
        return;
      }
      const { snapshot } = await import('../recording/snapshot.ts');
      finish(await snapshot({ policy, ...options, ...inputs }, terminal));
    });
  },
};

const SNAPSHOT_HELP: HelpText = {
  examples: [
    ['snapshot --update policy.yaml access.log', 'keep the decisions in `policy.yaml.snapshot`'],
    ['snapshot policy.yaml access.log', 'show the decisions that differ from it'],
    ['snapshot --engine postgres --table requests policy.yaml', 'of a table'],
  ],
  clean: 'all decisions are those of the snapshot, or it was written',
  findings: 'a decision differs; the policy has errors',
};
