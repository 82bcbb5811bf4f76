import { Option } from 'commander';
import { addServerOptions } from '../../server/server-options.ts';
import type { CommandDefinition } from '../definition/command-definition.ts';
import { addHelp, type HelpText } from '../definition/help-text.ts';

/** `tollgate store`: backs up and moves the database of a server. */
export const STORE: CommandDefinition = {
  register(program, { terminal, finish }) {
    const store = addHelp(program.command('store'), HELP).summary(
      'back up, restore, export and import the server database, and list its changes',
    );
    addServerOptions(store.command('backup <file>'), ['database'])
      .summary('copy an SQLite database to a new file, even while in use')
      .action(async (file: string, options) => {
        const { backUpStore } = await import('../../server/transfer.ts');
        finish(await backUpStore(file, options, terminal));
      });
    addServerOptions(store.command('restore <file>'), ['database'])
      .summary('restore a backup to a database that does not exist yet')
      .action(async (file: string, options) => {
        const { restoreStore } = await import('../../server/transfer.ts');
        finish(await restoreStore(file, options, terminal));
      });
    addServerOptions(store.command('export [file]'), ['database'])
      .summary('export the configuration as JSON; secrets stay encrypted')
      .action(async (file: string | undefined, options) => {
        const { exportStore } = await import('../../server/transfer.ts');
        finish(await exportStore(file, options, terminal));
      });
    addServerOptions(store.command('import <file>'), ['database'])
      .summary('import an exported configuration into an empty database')
      .action(async (file: string, options) => {
        const { importStore } = await import('../../server/transfer.ts');
        finish(await importStore(file, options, terminal));
      });
    addServerOptions(store.command('changes'), ['database'])
      .summary('list who changed what in the configuration, newest first')
      .addOption(new Option('--since <when>', 'only changes since then: a date, or an age such as `7d` or `12h`'))
      .addOption(new Option('--limit <count>', 'maximum number of changes').default('100'))
      .addOption(
        new Option('--format <format>', '`jsonl` has a change on each line, with values before and after')
          .choices(['text', 'jsonl'])
          .default('text'),
      )
      .action(async options => {
        const { listChanges } = await import('../../server/changes.ts');
        finish(await listChanges(options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['store backup tollgate-backup.db', 'back up `tollgate.db`, even while in use'],
    ['store restore tollgate-backup.db --database new.db', 'restore it as a new database'],
    ['store export configuration.json', 'export everything as JSON, one record per line'],
    ['store changes --since 7d --limit 100000 --format jsonl', 'export the changes of a week'],
    ['store import configuration.json --database new.db', 'import into an empty SQLite or PostgreSQL database'],
  ],
  clean: 'done',
  external: 'a file or the database is unavailable or damaged',
};
