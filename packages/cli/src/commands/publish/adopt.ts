import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate adopt URL|EDGE [ENV]`: adds targets for an existing edge. */
export const ADOPT: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(program.command('adopt'), HELP)
      .summary('add targets for an existing edge to tollgate.yaml')
      .description(
        'Adds a target for each route of an edge, or one for a TLS or TCP edge, to `tollgate.yaml`. Sends only reads.',
      )
      .argument('<edge>', 'id of the edge, one of its hosts or hostports, or a URL that it serves')
      .argument('[environment]', 'environment in `tollgate.yaml` (default: the only one)')
      .action(async (edge: string, environment: string | undefined) => {
        const { adopt } = await import('../../publish/adopting/adopt.ts');
        finish(await adopt(edge, environment, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['adopt https://shop.example', 'the edge that serves a URL'],
    ['adopt shop.example', 'by host'],
    ['adopt shop.example:443 production', 'by hostport, in one of several environments'],
  ],
  clean: 'added',
  external: 'the API is unavailable, or there is no such edge',
};
