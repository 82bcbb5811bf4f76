import { InvalidArgumentError, Option } from 'commander';
import { addSettingsOptions, environmentOption } from '../input/input-options.ts';
import { addGeoipOptions, addInputOptions, originOption, seedOption } from '../input/traffic-options.ts';
import { addRequestOptions } from '../trace/trace-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate trace POLICY --request FILE`: explains what a policy does to one request. */
export const TRACE: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('trace'), HELP)
      .summary('explain what a policy does to one request')
      .description(
        'Runs a policy on one request and shows each rule in order: the value of every subexpression, why it did not match, what ' +
          'its actions changed, and what the client and the upstream receive.',
      )
      .argument('[policy]', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file');
    addRequestOptions(command)
      .addOption(
        new Option(
          '--edge <file>',
          'trace through an HTTPS edge with routes (JSON, as returned by the API) instead of a policy; `live:TARGET` for the edge of a target',
        ),
      )
      .addOption(environmentOption())
      .addOption(originOption())
      .addOption(seedOption())
      .option('--with-history', 'count earlier requests of the recording towards limits (default)')
      .option('--no-with-history', 'trace the request in isolation; the effect of limits is then unknown')
      .addOption(
        new Option(
          '--rule <rule>',
          'show only rules with this number or name, such as `inbound 2`; repeatable',
        ).argParser((rule, before: readonly string[] = []) => [...before, rule]),
      )
      .addOption(
        new Option(
          '--only <status,...>',
          'show only rules with this status: matched, not-matched, failed, undetermined, not-reached',
        ).argParser(parseOnly),
      )
      .addOption(new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'html']).default('text'))
      .action(async (policy: string | undefined, options) => {
        const { traceRequest } = await import('../trace/trace-request.ts');
        finish(await traceRequest({ policy, ...options }, terminal));
      });
    addGeoipOptions(addInputOptions(addSettingsOptions(command)));
  },
};

const STATUSES = ['matched', 'not-matched', 'failed', 'undetermined', 'not-reached'] as const;

function parseOnly(text: string): readonly string[] {
  const names = text.split(',').map(name => name.trim());
  const wrong = names.find(name => !STATUSES.some(status => status === name));
  if (wrong !== undefined) throw new InvalidArgumentError(`expected ${STATUSES.join(', ')}, found \`${wrong}\`.`);
  return names;
}

const HELP: HelpText = {
  examples: [
    ['trace policy.yaml --url https://shop.example/admin/', 'describe the request on the command line'],
    ['trace policy.yaml --request browse.har#5', 'the fifth entry of a recording'],
    ['trace policy.yaml -X POST -H X-Key:1 --url /api --incomplete', 'curl-style options; other headers are unknown'],
    ['trace --edge edge.json --request access.log#12', 'find the route and trace its policy'],
  ],
  clean: 'traced',
  findings: 'the policy has errors',
};
