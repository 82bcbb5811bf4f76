import { addServerOptions } from '../server/server-options.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addHelp, type HelpText } from './help-text.ts';

/** `tollgate store`: the configuration that a server keeps, as a whole. */
export const STORE: CommandDefinition = {
  register(program, { terminal, finish }) {
    const store = addHelp(program.command('store'), HELP).summary(
      'back up, restore, export and import what a server keeps',
    );
    addServerOptions(store.command('backup <file>'), ['database'])
      .summary('copy an SQLite database into a new file, while it is in use')
      .action(async (file: string, options) => {
        const { backUpStore } = await import('../server/transfer.ts');
        finish(await backUpStore(file, options, terminal));
      });
    addServerOptions(store.command('restore <file>'), ['database'])
      .summary('make a backup the database, which must not exist yet')
      .action(async (file: string, options) => {
        const { restoreStore } = await import('../server/transfer.ts');
        finish(await restoreStore(file, options, terminal));
      });
    addServerOptions(store.command('export [file]'), ['database'])
      .summary('write the whole configuration as JSON; its secrets stay encrypted')
      .action(async (file: string | undefined, options) => {
        const { exportStore } = await import('../server/transfer.ts');
        finish(await exportStore(file, options, terminal));
      });
    addServerOptions(store.command('import <file>'), ['database'])
      .summary('take an exported configuration into an empty database, all or nothing')
      .action(async (file: string, options) => {
        const { importStore } = await import('../server/transfer.ts');
        finish(await importStore(file, options, terminal));
      });
  },
};

const HELP: HelpText = {
  examples: [
    ['store backup tollgate-backup.db', 'a copy of `tollgate.db`, which may be in use'],
    ['store restore tollgate-backup.db --database new.db', 'the copy as a database of its own'],
    ['store export configuration.json', 'everything as JSON, a record a line'],
    ['store import configuration.json --database new.db', 'into an empty database, of either kind'],
  ],
  clean: 'done',
  external: 'a file or the database is unavailable or damaged',
};
