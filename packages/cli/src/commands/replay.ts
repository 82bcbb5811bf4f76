import { type Command, Option } from 'commander';
import { addSettingsOptions, environmentOption } from '../input/input-options.ts';
import {
  addGeoipOptions,
  addInputOptions,
  addSimulationOptions,
  addTrafficArgument,
  requireOneInput,
  requirePolicyFirst,
} from '../input/traffic-options.ts';
import { EXIT } from '../process/exit-code.ts';
import {
  addEngineOptions,
  addFollowOptions,
  addReportOptions,
  addRequirementsOptions,
  addSelectionOptions,
  addStateOption,
  requireAddable,
  requireFollow,
  requireTraffic,
} from '../replay/replay-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate replay POLICY TRAFFIC…`: replays recorded traffic through a policy. */
export const REPLAY: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addSettingsOptions(addHelp(program.command('replay'), HELP));
    addFollowOptions(command, 'denied.least > 100');
    addStateOption(command);
    addEngineOptions(
      addRequirementsOptions(addReportOptions(addSelectionOptions(addGeoipOptions(addInputOptions(command))))),
    )
      .summary('replay recorded traffic through a policy')
      .description(
        'Runs a policy on recorded traffic and reports which rules match, how often, what happens to each request, and what ' +
          'cannot be determined because the recording lacks a field.',
      )
      .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file');
    addTrafficArgument(command, { isOptional: true })
      .addOption(
        new Option(
          '--edge <file>',
          'replay through an HTTPS edge with routes (JSON, as returned by the API) instead of a policy; `live:TARGET` for the edge of a target',
        ),
      )
      .addOption(environmentOption());
    addSimulationOptions(command).action(
      async (first: string, rest: readonly string[], { edge, requirements, ...options }, command: Command) => {
        if (requirements) {
          const { showRequirements } = await import('../replay/show-requirements.ts');
          finish(await showRequirements({ policy: first, edge, ...options }, terminal));
          return;
        }
        // With `--edge` there is no policy argument: all arguments are traffic.
        const [policy, files] = edge === undefined ? [first, rest] : [edge, [first, ...rest]];
        requireFollow(command, options);
        requireTraffic(command, options, { files, edge });
        requireAddable(command, options);
        requireOneInput(command, policy, files);
        if (edge === undefined) requirePolicyFirst(command, policy, files);
        const { resolveTraffic } = await import('../input/traffic-inputs.ts');
        const inputs = await resolveTraffic({ files, ...options }, terminal);
        if (inputs === undefined) finish(EXIT.findings);
        else if (edge === undefined) {
          const { replayTraffic } = await import('../replay/replay-traffic.ts');
          finish(await replayTraffic({ policy, ...options, ...inputs }, terminal));
        } else {
          const { replayEdgeTraffic } = await import('../replay/replay-edge-traffic.ts');
          finish(await replayEdgeTraffic({ edge, ...options, ...inputs }, terminal));
        }
      },
    );
  },
};

const HELP: HelpText = {
  examples: [
    ['replay examples/policies/bookshop.yaml examples/traffic/access.log', 'replay an access log'],
    ['replay -f text -f html=report.html policy.yaml access.log', 'also write an HTML page with charts'],
    ['replay policy.yaml traffic/*.log.gz browse.har', 'several recordings, some compressed'],
    ['replay --origin https://shop.example policy.yaml access.log', 'a log without host names'],
    ['replay --engine postgres --table requests policy.yaml', 'traffic in a table of a database'],
    ['replay --engine postgres --table log --top 0 --state days policy.yaml', 'days add up'],
    [`replay --where 'decision.status == 403' policy.yaml access.log`, 'only exchanges that are denied'],
    ['replay --requirements policy.yaml', 'show which fields to record, and how'],
    ['replay --follow policy.yaml access.log', 'while the log is being written'],
  ],
  clean: 'replayed',
  findings: 'the policy has errors',
  interrupted: 'stopped by Ctrl-C after a partial report',
};
