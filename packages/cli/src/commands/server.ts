// The commands of the Edge Configuration API: `serve`, `keys`, `events` and `store`.

import { Option } from 'commander';
import { repeatable } from '../input/input-options.ts';
import { addServerOptions } from '../server/server-options.ts';
import { addHelp, type CommandDefinition, type HelpText } from './command-definition.ts';

/** `tollgate serve`: runs the Edge Configuration API. */
export const SERVE: CommandDefinition = {
  register(program, { terminal, finish }) {
    addHelp(addServerOptions(program.command('serve')), SERVE_HELP)
      .summary('run the Edge Configuration API server')
      .description(
        'Runs the Edge Configuration API, which policies are published to, on an SQLite or PostgreSQL database. To try it, run ' +
          '`tollgate serve --development`. Each option can also be set by the environment variable in brackets, or in the ' +
          'settings file (`maxBodyBytes: 65536`).',
      )
      .action(async options => {
        const { serve } = await import('../server/serve.ts');
        finish(await serve(options, terminal));
      });
  },
};

const SERVE_HELP: HelpText = {
  examples: [
    ['serve --development', 'try it: prints an API key and a `curl` command'],
    [
      'serve --database postgres://127.0.0.1/tollgate --secret-key-file key',
      'one of several processes on a shared database',
    ],
    ['serve --config server.yaml --port 8080', 'read settings from a file, and override one'],
  ],
  clean: 'stopped',
  external: 'invalid settings, or the port, database or key is unavailable',
};

const SCOPES = ['read', 'policy', 'write', 'admin'];

/** `tollgate keys`: manages the API keys of a server, directly in its database. */
export const KEYS: CommandDefinition = {
  register(program, { terminal, finish }) {
    const keys = addHelp(program.command('keys'), KEYS_HELP).summary(
      'create, list and revoke API keys of the server, and rotate its encryption keys',
    );
    addServerOptions(keys.command('create'), ['database'])
      .summary('create a key and print it; it is shown only once')
      .addOption(new Option('--description <text>', 'what the key is for').default(''))
      .addOption(
        repeatable(
          new Option(
            '--scope <scope>',
            'permission of the key: `policy` may change policies of edges, `write` everything, `admin` also keys; repeatable',
          )
            .choices(SCOPES)
            .default(['read', 'write']),
        ),
      )
      .addOption(repeatable(new Option('--edge <id>', 'limit the key to this edge and its routes; repeatable')))
      .addOption(new Option('--expires <when>', 'expiry: a date, or a duration such as `90d` or `12h`'))
      .action(async options => {
        const { createApiKey } = await import('../server/manage-store.ts');
        finish(await createApiKey(options, terminal));
      });
    addServerOptions(keys.command('list'), ['database'])
      .summary('list keys, without their secrets')
      .addOption(new Option('-f, --format <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async options => {
        const { listApiKeys } = await import('../server/manage-store.ts');
        finish(await listApiKeys(options, terminal));
      });
    addServerOptions(keys.command('revoke <id>'), ['database'])
      .summary('revoke a key; takes effect within a second')
      .action(async (id: string, options) => {
        const { revokeApiKey } = await import('../server/manage-store.ts');
        finish(await revokeApiKey(id, options, terminal));
      });
    addServerOptions(keys.command('rotate-encryption'), ['database', 'secretKeyFile'])
      .summary('encrypt all secrets with the first encryption key')
      .addOption(new Option('--give-up-lost-keys', 'go on without keys that are lost; their secrets read as null'))
      .action(async options => {
        const { rotateEncryptionKeys } = await import('../server/manage-store.ts');
        finish(await rotateEncryptionKeys(options, terminal));
      });
  },
};

const KEYS_HELP: HelpText = {
  examples: [
    ['keys create --scope read --expires 90d --description CI', 'create a read-only key that expires'],
    ['keys create --scope read --scope policy --edge edghts_2cSjwFetn8PAuAd', 'for publishing to one edge'],
    ['keys list --database tollgate.db', 'list the keys in a database'],
    ['keys rotate-encryption --secret-key-file secrets.key', 'encrypt all secrets with the first key of the file'],
    ['keys revoke ak_2cSjwFetn8PAuAdqWYSMnLOvBYX', 'takes effect within a second'],
  ],
  clean: 'done',
  findings: 'no such key',
  external: 'the database is unavailable',
};

/** `tollgate events`: manages the events a server could not deliver. */
export const EVENTS: CommandDefinition = {
  register(program, { terminal, finish }) {
    const events = addHelp(program.command('events'), EVENTS_HELP).summary(
      'list and retry undelivered events of the server',
    );
    addServerOptions(events.command('dead'), ['database'])
      .summary('list undelivered events, oldest first')
      .addOption(new Option('--limit <count>', 'maximum number of events').default('100'))
      .addOption(new Option('-f, --format <format>', 'output format').choices(['text', 'json']).default('text'))
      .action(async options => {
        const { listDeadEvents } = await import('../server/manage-store.ts');
        finish(await listDeadEvents(options, terminal));
      });
    addServerOptions(events.command('requeue [number]'), ['database'])
      .summary('retry one event, by its number in the list, or all')
      .action(async (number: string | undefined, options) => {
        const { requeueDeadEvents } = await import('../server/manage-store.ts');
        finish(await requeueDeadEvents(number, options, terminal));
      });
  },
};

const EVENTS_HELP: HelpText = {
  examples: [
    ['events dead --limit 20', 'list the oldest undelivered events and their errors'],
    ['events requeue 17', 'retry one event'],
    ['events requeue --database postgres://127.0.0.1/tollgate', 'retry all undelivered events'],
  ],
  clean: 'done',
  external: 'invalid settings, or the database is unavailable',
};

/** `tollgate store`: backs up and moves the database of a server. */
export const STORE: CommandDefinition = {
  register(program, { terminal, finish }) {
    const store = addHelp(program.command('store'), STORE_HELP).summary(
      'back up, restore, export and import the server database, and list its changes',
    );
    addServerOptions(store.command('backup <file>'), ['database'])
      .summary('copy an SQLite database to a new file, even while in use')
      .action(async (file: string, options) => {
        const { backUpStore } = await import('../server/manage-store.ts');
        finish(await backUpStore(file, options, terminal));
      });
    addServerOptions(store.command('restore <file>'), ['database'])
      .summary('restore a backup to a database that does not exist yet')
      .action(async (file: string, options) => {
        const { restoreStore } = await import('../server/manage-store.ts');
        finish(await restoreStore(file, options, terminal));
      });
    addServerOptions(store.command('export [file]'), ['database'])
      .summary('export the configuration as JSON; secrets stay encrypted')
      .action(async (file: string | undefined, options) => {
        const { exportStore } = await import('../server/manage-store.ts');
        finish(await exportStore(file, options, terminal));
      });
    addServerOptions(store.command('import <file>'), ['database'])
      .summary('import an exported configuration into an empty database')
      .action(async (file: string, options) => {
        const { importStore } = await import('../server/manage-store.ts');
        finish(await importStore(file, options, terminal));
      });
    addServerOptions(store.command('changes'), ['database'])
      .summary('list who changed what in the configuration, newest first')
      .addOption(new Option('--since <when>', 'only changes since then: a date, or an age such as `7d` or `12h`'))
      .addOption(new Option('--limit <count>', 'maximum number of changes').default('100'))
      .addOption(
        new Option('-f, --format <format>', '`jsonl` has a change on each line, with values before and after')
          .choices(['text', 'jsonl'])
          .default('text'),
      )
      .action(async options => {
        const { listChanges } = await import('../server/manage-store.ts');
        finish(await listChanges(options, terminal));
      });
  },
};

const STORE_HELP: HelpText = {
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
