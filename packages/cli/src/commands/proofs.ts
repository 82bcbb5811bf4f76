// The commands about all requests: `diff`, `prove` and `bypass`.

import { Option } from 'commander';
import { addSettingsOptions, environmentOption, envOption, repeatable } from '../input/input-options.ts';
import { addOutputOptions } from '../output/output-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate diff OLD NEW`: shows what two policies decide differently. */
export const DIFF: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('diff'), DIFF_HELP)
      .summary('show which requests two policies decide differently')
      .description(
        'Compares what two policies do, not how they are written. For each combination of rules that decides differently, shows a ' +
          'request and both decisions; or proves that both policies decide every well-formed request alike.',
      )
      .argument(
        '<old>',
        'a policy; `git:REV` for the new file at that revision; `live:TARGET` for what is live, from `tollgate.yaml`',
      )
      .argument('<new>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file')
      .addOption(environmentOption())
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (before: string, after: string, options) => {
        const { diffPolicies } = await import('../proofs/diff.ts');
        finish(await diffPolicies({ before, after, ...options }, terminal));
      });
    addSettingsOptions(command);
  },
};

const DIFF_HELP: HelpText = {
  examples: [
    ['diff main.yaml examples/policies/bookshop.yaml', 'requests that the new policy decides differently'],
    ['diff git:main examples/policies/bookshop.yaml', 'compared with the same file on another branch'],
    ['diff --format markdown main.yaml policy.yaml', 'a comment for a pull request'],
    ['diff --format json old.yaml new.yaml', 'requests and decisions for programs'],
  ],
  clean: 'both policies decide every well-formed request alike (proved)',
  findings: 'a difference, or equality is not proved; a policy has errors',
};

/** `tollgate prove FILES…`: proves invariants of policies, or refutes them with requests. */
export const PROVE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(addOutputOptions(program.command('prove')), PROVE_HELP)
      .summary('prove invariants of policies, or refute them with requests')
      .description(
        'Proves what a policy does with all well-formed traffic. Each invariant is proved, refuted with a request that the ' +
          'simulator confirms, or unknown with the reason. Invariants are in `.invariants.yaml` files and in `tollgate.yaml`.',
      )
      .argument('[files...]', 'policies, files of invariants, glob patterns, or directories (default: `.`)')
      .option(
        '--edge <file>',
        'prove the invariants about an edge: each request passes its route (JSON of the API; `live:TARGET` for the edge of a target)',
      )
      .addOption(environmentOption())
      .option('--fail-open', 'instead, report each rule that refuses traffic and that an evaluation error can skip')
      .option(
        '--write-test <file>',
        'write a policy test for each refuted invariant to a new file, one file for each policy',
      )
      .addOption(envOption())
      .action(async (files: readonly string[], options) => {
        const { provePolicies } = await import('../proofs/prove.ts');
        finish(await provePolicies(files, options, terminal));
      });
  },
};

const PROVE_HELP: HelpText = {
  examples: [
    ['prove examples', 'all invariants below a directory'],
    ['prove policies/shop.yaml', 'the invariants of one policy: those next to it, and those of the project'],
    ['prove --edge examples/edges/bookshop.json', 'the invariants next to an edge, across all of its routes'],
    ['prove --edge edge.json policy.yaml', 'whether invariants of a policy still hold where it is used'],
    ['prove --edge live:shop policy.yaml', 'whether they hold on the edge that is live'],
    ['prove --fail-open examples/policies', 'rules that let traffic pass when an expression fails'],
    ['prove --write-test refuted.test.yaml policy.yaml', 'keep the requests that refute invariants as policy tests'],
  ],
  clean: 'all invariants are proved',
  findings: 'an invariant is not proved, or has an error; a rule can be skipped',
};

/** `tollgate bypass POLICY --upstream NAME`: shows requests that pass although the upstream treats them as refused ones. */
export const BYPASS: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('bypass'), BYPASS_HELP)
      .summary('show requests that pass although the upstream treats them as refused ones')
      .description(
        'For each rule that keeps requests from the upstream, writes such requests differently: with encoded characters, doubled ' +
          'slashes, dot segments, path parameters, other letter case, repeated headers and so on. Shows those that the policy lets ' +
          'pass although the upstream treats them as the refused ones.',
      )
      .argument('<policy>', 'a policy in YAML or JSON; `FILE#/spec/policy` for one part of a file')
      .addOption(
        repeatable(
          new Option(
            '--upstream <name>',
            'what serves the requests; repeatable (default: `upstreams` in `tollgate.yaml`)',
          ),
        ),
      )
      .addOption(new Option('-f, --format <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async (policy: string, options) => {
        const { bypassPolicy } = await import('../proofs/bypass.ts');
        finish(await bypassPolicy(policy, options, terminal));
      });
    addSettingsOptions(command);
  },
};

const BYPASS_HELP: HelpText = {
  examples: [
    [
      'bypass --upstream express examples/policies/protect-admin.yaml',
      'requests that Express routes to the back office',
    ],
    ['bypass --upstream nginx --upstream go policy.yaml', 'for two kinds of upstream'],
  ],
  clean: 'no such request was found',
  findings: 'a request passes; the policy has errors',
};
