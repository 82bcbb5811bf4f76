// The commands that say something in words: `explain` a code, `describe` a policy.

import { Option } from 'commander';
import { addSettingsOptions } from '../input/input-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate explain CODE…`: shows the reference page of a diagnostic code. */
export const EXPLAIN: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('explain'), EXPLAIN_HELP)
      .summary('explain a diagnostic code and how to fix it')
      .description(
        'Shows the reference page of a code: what it means, why it matters, a bad and a good example, and how to fix or suppress ' +
          'it. An area such as `yaml` lists its codes; without arguments, all codes are listed.',
      )
      .argument('[codes...]', 'codes such as `name/undeclared-field` (or `undeclared-field`), or areas such as `yaml`')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'markdown', 'json']).default('text'),
      )
      .action(async (codes: readonly string[], options) => {
        const { explainCodes } = await import('../help/explain-codes.ts');
        finish(await explainCodes(codes, options, terminal));
      });
  },
};

const EXPLAIN_HELP: HelpText = {
  examples: [
    ['explain name/undeclared-field', 'explain one code'],
    ['explain yaml', 'list all codes in an area'],
    ['explain undeclared-field', 'the area may be omitted'],
  ],
  external: 'the output could not be written',
};

/** `tollgate describe POLICIES…`: says in plain English what policies do. */
export const DESCRIBE: CommandDefinition = {
  register(program, { terminal, finish }) {
    const command = addHelp(program.command('describe'), DESCRIBE_HELP)
      .summary('say in plain English what a policy does')
      .description(
        'Says how requests can end, what each rule does, and what decides besides the request. The sentences are made from the ' +
          'policy itself and leave nothing out; what has no words is shown as code.',
      )
      .argument('<policies...>', 'policies in YAML or JSON; `FILE#/spec/policy` for one part of a file')
      .addOption(
        new Option('-f, --format <format>', 'output format').choices(['text', 'json', 'markdown']).default('text'),
      )
      .action(async (policies: readonly string[], options) => {
        const { describePolicies } = await import('../policies/describe.ts');
        finish(await describePolicies(policies, options, terminal));
      });
    addSettingsOptions(command);
  },
};

const DESCRIBE_HELP: HelpText = {
  examples: [
    ['describe examples/policies/bookshop.yaml', 'for the owner of a site, and for its auditor'],
    ['describe --format markdown policy.yaml', 'a section of a wiki or a comment'],
    ['describe --format json policy.yaml', 'sentences with the range of each phrase'],
  ],
  clean: 'described',
  findings: 'a policy has errors',
};
