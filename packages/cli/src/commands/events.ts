import { Option } from 'commander';
import { addServerOptions } from '../server/server-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate events`: what a server could not deliver. */
export const EVENTS: CommandDefinition = {
  register(program, { terminal, finish }) {
    const events = addHelp(program.command('events'), HELP).summary(
      'see and send again the events that the server gave up',
    );
    addServerOptions(events.command('dead'), ['database'])
      .summary('list the events that were given up, oldest first')
      .addOption(new Option('--limit <count>', 'how many at most').default('100'))
      .addOption(new Option('--format <format>', 'how to list them').choices(['text', 'json']).default('text'))
      .action(async options => {
        const { listDeadEvents } = await import('../server/dead-events.ts');
        finish(await listDeadEvents(options, terminal));
      });
    addServerOptions(events.command('requeue [number]'), ['database'])
      .summary('send an event again, by the number in the list, or all of them')
      .action(async (number: string | undefined, options) => {
        const { requeueDeadEvents } = await import('../server/dead-events.ts');
        finish(await requeueDeadEvents(number, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['events dead --limit 20', 'the oldest events that were given up, and why'],
    ['events requeue 17', 'send one of them again'],
    ['events requeue --database postgres://127.0.0.1/tollgate', 'send all of them again'],
  ],
  clean: 'done',
  external: 'the settings are wrong, or the database is unavailable',
};
