import { type Command, Option } from 'commander';
import { EXIT } from '../exit-code.ts';
import { addGeoipOptions } from '../replay/geoip-options.ts';
import { addInputOptions } from '../replay/input-options.ts';
import { addReportOptions } from '../replay/report-options.ts';
import { addRequirementsOptions } from '../replay/requirements-options.ts';
import { originOption, parseTime, seedOption } from '../replay/simulation-options.ts';
import { addThreadOptions } from '../replay/thread-options.ts';
import { addSettingsOptions } from '../settings/settings-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate replay POLICY TRAFFIC…`: shows what a policy does to recorded traffic. */
export const REPLAY: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addSettingsOptions(addHelp(program.command('replay'), HELP));
    addThreadOptions(addRequirementsOptions(addReportOptions(addGeoipOptions(addInputOptions(command)))))
      .summary('show what a policy does to recorded traffic')
      .description(
        'Runs a policy on recorded traffic: which rules match how often, which actions fire, what becomes of the traffic, and what ' +
          'is undetermined because the recording does not hold it.',
      )
      .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for a part of a file')
      .argument(
        '[traffic...]',
        'files, directories and patterns of recorded traffic, also compressed; `-` for the standard input',
      )
      .addOption(
        new Option(
          '--edge <file>',
          'in place of a policy, an HTTPS edge in JSON as the API gives it: each request goes to the route that takes it',
        ),
      )
      .addOption(originOption())
      .addOption(
        new Option(
          '--now <time>',
          'what the time is for the policy, such as `2026-03-02T10:15:30Z`; by default that of each exchange',
        ).argParser(parseTime),
      )
      .addOption(seedOption())
      .action(async (first: string, rest: readonly string[], { edge, requirements, ...options }, command: Command) => {
        if (requirements) {
          const { showRequirements } = await import('../replay/show-requirements.ts');
          finish(await showRequirements({ policy: first, edge, ...options }, terminal));
          return;
        }
        // With an edge there is no policy: all arguments are traffic.
        const [policy, files] = edge === undefined ? [first, rest] : [edge, [first, ...rest]];
        if (files.length === 0) command.error("error: missing required argument 'traffic'");
        if (policy === '-' && files.includes('-'))
          command.error('error: the standard input cannot be both policy and traffic');
        const { resolveTraffic } = await import('../replay/traffic-inputs.ts');
        const inputs = await resolveTraffic({ files, ...options }, terminal);
        if (inputs === undefined) finish(EXIT.findings);
        else if (edge === undefined) {
          const { replayTraffic } = await import('../replay/replay-traffic.ts');
          finish(await replayTraffic({ policy, ...options, ...inputs }, terminal));
        } else {
          const { replayEdgeTraffic } = await import('../replay/replay-edge-traffic.ts');
          finish(await replayEdgeTraffic({ edge, ...options, ...inputs }, terminal));
        }
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['replay examples/policies/bookshop.yaml examples/traffic/access.log', 'one access log'],
    ['replay policy.yaml traffic/*.log.gz browse.har', 'several recordings, also compressed'],
    ['replay -f text -f html=report.html policy.yaml access.log', 'a page with plots beside the summary'],
    ['replay --requirements policy.yaml', 'what to record, and how'],
    ['replay --origin https://shop.example policy.yaml access.log', 'for a log without host names'],
  ],
  clean: 'replayed',
  findings: 'the policy has errors',
};
