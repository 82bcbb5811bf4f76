import { type Command, InvalidArgumentError, Option } from 'commander';
import { addSettingsOptions, environmentOption, parseSeconds } from '../input/input-options.ts';
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

/** `tollgate simulate POLICY`: answers real requests as the edge would. */
export const SIMULATE: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('simulate'), SIMULATE_HELP)
      .summary('answer real requests as a policy decides, and explain each decision')
      .description(
        'Runs a server that answers as the edge would: with the response of the policy, or, if the request passes, with that of `--upstream` ' +
          'or a description of what the upstream would receive. Prints the rules that decide each request, with the values of their ' +
          'expressions. Reads the policy again when it changes.',
      )
      .argument('<policy>', LIVE_ARGUMENT)
      .addOption(new Option('--listen <address>', 'port, or address and port').default('127.0.0.1:8080'))
      .option('--upstream <url>', 'the server that requests pass to, such as `http://127.0.0.1:3000`')
      .option('--shadow', 'decide and report, but let everything pass unchanged')
      .option(
        '--client-header <name>',
        "take the client's address from this header, to try rules on addresses with curl, or behind a proxy that sets it",
      )
      .option('--log <file>', 'append what was decided as JSON lines, which `replay` and `record` read')
      .option('--quiet', 'print one line for each request')
      .action(async (policy: string, options) => {
        const { simulatePolicy } = await import('../server/simulate.ts');
        finish(await simulatePolicy({ policy, ...options }, terminal));
      });
    addGeoipOptions(addSettingsOptions(addLiveOptions(command)));
  },
};

const SIMULATE_HELP: HelpText = {
  examples: [
    ['simulate policy.yaml', 'then try it: `curl -i http://127.0.0.1:8080/admin`'],
    ['simulate --upstream http://127.0.0.1:3000 policy.yaml', 'in front of an application'],
    [
      'simulate --client-header X-Client-Ip policy.yaml',
      "`curl -H 'X-Client-Ip: 203.0.113.9' …` is a request from there",
    ],
  ],
  clean: 'stopped by Ctrl-C',
  findings: 'the policy has errors, or asks for what only the edge can do',
  external: 'the address is in use, or a file cannot be read or written',
};

const LIVE_ARGUMENT =
  'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file; `live:TARGET` for what is published for a target of `tollgate.yaml`';

/** Adds the options of commands that enforce a policy until they are stopped. */
function addLiveOptions(command: Command): Command {
  return command
    .addOption(environmentOption())
    .option('--secrets <file>', 'what `secrets.get` returns: vaults with secrets by name, in YAML or JSON')
    .addOption(
      new Option('--poll <seconds>', 'how often `live:TARGET` is read again').argParser(parseSeconds).default(10),
    );
}

/** `tollgate enforce POLICY`: decides the requests of a gateway. */
export const ENFORCE: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('enforce'), ENFORCE_HELP)
      .summary('enforce a policy in Envoy')
      .description(
        "Runs the service that Envoy's filter for external processing asks about each request and response, and decides as `replay` and `test` do. " +
          'What cannot be decided is answered with 500. Reads the policy again when it changes, without losing a request.',
      )
      .argument('<policy>', LIVE_ARGUMENT)
      .addOption(new Option('--ext-proc <address>', 'port, or address and port').default('127.0.0.1:9191'))
      .option('--envoy-config', 'print what to add to the configuration of Envoy, and end')
      .option(
        '--upstream <url>',
        'with `--envoy-config`: print a whole configuration, with this application, such as `http://127.0.0.1:3000`, behind Envoy',
      )
      .addOption(
        new Option('--listen <address>', 'where Envoy listens in that configuration').default('127.0.0.1:10000'),
      )
      .option('--shadow', 'decide and report, but let everything pass unchanged')
      .option('--log <file>', 'append what was decided as JSON lines, which `replay` and `record` read')
      .option('--metrics <address>', 'port, or address and port, of `/metrics` for Prometheus and of `/healthz`')
      .action(async (policy: string, options) => {
        const { enforcePolicy } = await import('../server/enforce.ts');
        finish(await enforcePolicy({ policy, ...options }, terminal));
      });
    addGeoipOptions(addSettingsOptions(addLiveOptions(command)));
  },
};

const ENFORCE_HELP: HelpText = {
  examples: [
    ['enforce --envoy-config policy.yaml', 'what Envoy needs to know'],
    ['enforce --envoy-config --upstream http://127.0.0.1:3000 policy.yaml', 'all of it, for `envoy -c`'],
    ['enforce --log decisions.jsonl policy.yaml', 'then start Envoy'],
    ['enforce --shadow --metrics 9192 policy.yaml', 'change nothing, and count what would be done'],
    ['enforce --envoy-config live:shop', 'for what is published for a target of `tollgate.yaml`'],
  ],
  clean: 'printed, or stopped by Ctrl-C',
  findings: 'the policy has errors, or asks for what Envoy cannot do',
  external: 'an address is in use, or a file cannot be read or written',
};
