import { addSettingsOptions } from '../input/input-options.ts';
import {
  addGeoipOptions,
  addInputOptions,
  addSimulationOptions,
  addTrafficArgument,
} from '../input/traffic-options.ts';
import { EXIT } from '../process/exit-code.ts';
import { addImpactOptions } from '../replay/impact-options.ts';
import { addEngineOptions, addFollowOptions, requireFollow, requireTraffic } from '../replay/replay-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate impact OLD NEW TRAFFIC…`: shows how a change of a policy changes what happens to recorded traffic. */
export const IMPACT: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addSettingsOptions(addHelp(program.command('impact'), HELP));
    addFollowOptions(command, 'newly_denied.least > 0');
    addEngineOptions(addImpactOptions(addGeoipOptions(addInputOptions(command))))
      .summary('show whose requests a change of a policy affects')
      .description(
        'Shows whom a change affects. It runs both policies on recorded traffic and compares the outcomes: how many exchanges and clients ' +
          'change, by rule, path prefix, client and country. Where the recording lacks a field, figures are bounds.',
      )
      .argument(
        '<old>',
        'a policy; `git:REV` for the new file at that revision; `live:TARGET` for what is live, from `tollgate.yaml`',
      )
      .argument('<new>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file');
    addTrafficArgument(command, { isOptional: true });
    addSimulationOptions(command, 'the policies').action(
      async (old: string, becomes: string, files: readonly string[], options) => {
        if ([old, becomes, ...files].filter(one => one === '-').length > 1)
          command.error('error: standard input can be only one of the policies or the traffic');
        requireFollow(command, options);
        // Who knows the option from `replay` is told why there is none.
        if (options.state !== undefined)
          command.error(
            'error: the clients of several days cannot be counted from those of each; leave out `--state`, and choose days with `--since` and `--until`',
          );
        requireTraffic(command, options, { files });
        if (options.into !== undefined && options.table === undefined)
          command.error('error: `--into` is for traffic in a table; use it together with `--table`');
        if (options.append && options.into === undefined) command.error('error: use `--append` together with `--into`');
        const { resolveTraffic } = await import('../input/traffic-inputs.ts');
        const inputs = await resolveTraffic({ files, ...options }, terminal);
        if (inputs === undefined) {
          finish(EXIT.findings);
          return;
        }
        const { impactOfPolicies } = await import('../replay/impact.ts');
        finish(await impactOfPolicies({ old, new: becomes, ...options, ...inputs }, terminal));
      },
    );
  },
};

const HELP: HelpText = {
  examples: [
    ['impact old.yaml new.yaml access.log', 'who is affected by the change'],
    ['impact git:main policy.yaml access.log', 'compared with the same file on another branch'],
    ['impact live:shop policy.yaml access.log', 'compared with what is live'],
    ['impact -f markdown git:main policy.yaml access.log', 'a comment for a pull request'],
    ['impact --engine postgres --table requests git:main policy.yaml', 'traffic in a table of a database'],
    ['impact --engine postgres --table log --into changed old.yaml new.yaml', 'keep the rows'],
    ['impact --max-newly-denied 0.01% git:main policy.yaml access.log', 'fail if it denies more than that'],
    ['impact --follow git:main policy.yaml access.log', 'while the log is being written'],
  ],
  clean: 'within the limits',
  findings: 'a limit is exceeded; a policy has errors',
  external: 'a file, the repository or the API is unavailable',
};
