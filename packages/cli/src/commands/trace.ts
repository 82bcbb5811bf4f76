import { InvalidArgumentError, Option } from 'commander';
import { addGeoipOptions } from '../replay/geoip-options.ts';
import { addInputOptions } from '../replay/input-options.ts';
import { originOption, seedOption } from '../replay/simulation-options.ts';
import { addSettingsOptions } from '../settings/settings-options.ts';
import { addRequestOptions } from '../trace/request/request-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate trace POLICY --request FILE`: shows what a policy does to one exchange, and why. */
export const TRACE: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('trace'), HELP)
      .summary('show what a policy does to one request, and why')
      .description(
        'Runs a policy on one exchange: every rule in order, the value of every part of its expressions, why it did not match, what ' +
          'its actions changed, and what client and upstream get.',
      )
      .argument('[policy]', 'a policy in YAML or JSON; `FILE#/spec/policy` for a part of a file');
    addRequestOptions(command)
      .addOption(
        new Option(
          '--edge <file>',
          'in place of a policy, an HTTPS edge in JSON as the API gives it: first its route is told',
        ),
      )
      .addOption(originOption())
      .addOption(seedOption())
      .option('--with-history', 'count earlier requests of the recording for limits; the default')
      .option('--no-with-history', 'trace the request by itself: what limits do is not known')
      .addOption(
        new Option(
          '--rule <rule>',
          'only rules of this number or name; `inbound 2` for one; may be given several times',
        ).argParser((rule, before: readonly string[] = []) => [...before, rule]),
      )
      .addOption(
        new Option('--only <status,...>', 'only rules that matched, or that did what else is named').argParser(
          parseOnly,
        ),
      )
      .addOption(new Option('--format <format>', 'how to report').choices(['text', 'json', 'html']).default('text'))
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
    ['trace policy.yaml --url https://shop.example/admin/', 'a request that is described here'],
    ['trace policy.yaml -X POST -H X-Key:1 --url /api --incomplete', 'in the manner of curl'],
    ['trace policy.yaml --request browse.har#5', 'the fifth entry of a recording'],
    ['trace --edge edge.json --request access.log#12', 'the route that a line of a log takes'],
  ],
  clean: 'traced',
  findings: 'the policy has errors',
};
