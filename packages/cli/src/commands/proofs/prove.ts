import { addOutputOptions } from '../../output/output-options.ts';
import { environmentOption, envOption } from '../../settings/settings-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate prove FILES…`: proves invariants of policies, or refutes them with requests. */
export const PROVE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(addOutputOptions(program.command('prove')), HELP)
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
        const { provePolicies } = await import('../../prove/prove-policies.ts');
        finish(await provePolicies(files, options, terminal));
      });
  },
};

const HELP: HelpText = {
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
