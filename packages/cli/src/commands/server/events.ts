import { Option } from 'commander';
import { addServerOptions } from '../../server/server-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate events`: manages the events a server could not deliver. */
export const EVENTS: CommandDefinition = {
  register(program, { terminal, finish }) {
    const events = addHelp(program.command('events'), HELP).summary('list and retry undelivered events of the server');
    addServerOptions(events.command('dead'), ['database'])
      .summary('list undelivered events, oldest first')
      .addOption(new Option('--limit <count>', 'maximum number of events').default('100'))
      .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async options => {
        const { listDeadEvents } = await import('../../server/undelivered-events.ts');
        finish(await listDeadEvents(options, terminal));
      });
    addServerOptions(events.command('requeue [number]'), ['database'])
      .summary('retry one event, by its number in the list, or all')
      .action(async (number: string | undefined, options) => {
        const { requeueDeadEvents } = await import('../../server/undelivered-events.ts');
        finish(await requeueDeadEvents(number, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['events dead --limit 20', 'list the oldest undelivered events and their errors'],
    ['events requeue 17', 'retry one event'],
    ['events requeue --database postgres://127.0.0.1/tollgate', 'retry all undelivered events'],
  ],
  clean: 'done',
  external: 'invalid settings, or the database is unavailable',
};
