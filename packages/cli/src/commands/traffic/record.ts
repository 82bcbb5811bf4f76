import { EXIT } from '../../process/exit-code.ts';
import { addRedactionOptions } from '../../recording/redaction-options.ts';
import { addSettingsOptions } from '../../settings/settings-options.ts';
import { addInputOptions } from '../../traffic/recording-options.ts';
import { originOption } from '../../traffic/simulation-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate record POLICY TRAFFIC…`: writes recorded traffic as policy tests. */
export const RECORD: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addSettingsOptions(addHelp(program.command('record'), HELP));
    addRedactionOptions(addInputOptions(command))
      .summary('write recorded traffic as policy tests')
      .description(
        'Keeps one exchange for each distinct path through the policy, removes credentials and everything that decides nothing, and writes ' +
          'the exchanges as policy tests that pass.',
      )
      .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file')
      .argument(
        '<traffic...>',
        'recordings: files (also compressed), directories or glob patterns; `-` for standard input',
      )
      .option('-o, --output <file>', 'write the tests here instead of to standard output')
      .addOption(originOption())
      .action(async (policy: string, files: readonly string[], options) => {
        if (policy === '-' && files.includes('-'))
          command.error('error: standard input cannot be both policy and traffic');
        const { resolveTraffic } = await import('../../traffic/traffic-inputs.ts');
        const inputs = await resolveTraffic({ files, ...options }, terminal);
        if (inputs === undefined) {
          finish(EXIT.findings);
          return;
        }
        const { recordTests } = await import('../../recording/record-tests.ts');
        finish(await recordTests({ policy, ...options, ...inputs }, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['record -o policy.test.yaml policy.yaml access.log', 'one test for each path through the policy'],
    ['record --redact X-User --redact-clients policy.yaml access.log', 'also without users and addresses'],
  ],
  clean: 'recorded',
  findings: 'the policy has errors; no exchange can be stated as a test',
};
