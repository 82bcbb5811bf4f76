import { Option } from 'commander';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate explain CODE…`: shows the reference page of a diagnostic code. */
export const EXPLAIN: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('explain'), HELP)
      .summary('explain a diagnostic code and how to fix it')
      .description(
        'Shows the reference page of a code: what it means, why it matters, a bad and a good example, and how to fix or suppress ' +
          'it. An area such as `yaml` lists its codes; without arguments, all codes are listed.',
      )
      .argument('[codes...]', 'codes such as `name/undeclared-field` (or `undeclared-field`), or areas such as `yaml`')
      .addOption(new Option('--format <format>', 'output format').choices(['text', 'markdown', 'json']).default('text'))
      .action(async (codes: readonly string[], options) => {
        const { explainCodes } = await import('../help/explain-codes.ts');
        finish(await explainCodes(codes, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['explain name/undeclared-field', 'explain one code'],
    ['explain yaml', 'list all codes in an area'],
    ['explain undeclared-field', 'the area may be omitted'],
  ],
  external: 'the output could not be written',
};
