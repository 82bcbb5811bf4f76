import { Option } from 'commander';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate explain CODE…`: says what a code means and how to mend it. */
export const EXPLAIN: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('explain'), HELP)
      .summary('say what a code means, and how to mend it')
      .description(
        'Shows the page of a lint rule, or of any other code that a report has: what it means, why it matters, a bad and a good example, ' +
          'how to mend or suppress it. An area such as `yaml` lists its codes; without a word all are listed.',
      )
      .argument('[codes...]', 'codes such as `name/undeclared-field`, their last parts, or areas')
      .addOption(
        new Option('--format <format>', 'how to show it').choices(['text', 'markdown', 'json']).default('text'),
      )
      .action(async (codes: readonly string[], options) => {
        const { explainCodes } = await import('../explain/explain-codes.ts');
        finish(await explainCodes(codes, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['explain name/undeclared-field', 'the page of a code'],
    ['explain undeclared-field', 'the same'],
    ['explain yaml', 'all codes of an area'],
  ],
  external: 'the output could not be written',
};
