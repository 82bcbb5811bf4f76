import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { findPrograms } from './scripts/postgres/temporary-postgres.ts';

/**
 * The export condition of each package names its TypeScript entry. Without `development`, which Vitest adds: under it, a dependency offers
 * TypeScript, whose types Node does not strip below `node_modules`.
 */
const CONDITIONS = ['tollgate-source', 'node'];

const EVERYWHERE = ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'];

/** Tests that start many processes, browsers, databases or other servers, or that measure memory: more than half of the time of all tests. */
const DEEP_ONLY = '**/*.deep.test.ts';

/** The suites that start a server through `test/edge-api/start.ts`: it has the same contract on each database. */
const ON_POSTGRES = ['test/edge-api/**/*.test.ts', 'test/e2e/public-client.test.ts'];

const DEEP = { extends: true as const, test: { name: 'deep', include: EVERYWHERE } };
const POSTGRES = {
  extends: true as const,
  test: { name: 'postgres', include: ON_POSTGRES, provide: { isOnPostgres: true } },
};

/** Threads and processes that tests start from the sources keep their compiled code here: 0.6 instead of 1.6 s for a thread that lints. */
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/tollgate-compiled');

/** What a test file imports that starts processes. */
const STARTING = /'node:child_process'|\/support\/(?:installed-command|workplace|chromium|postgres|clickhouse)/;

/**
 * Runs the files that start processes first: a start takes 1 ms of processor time from a new worker, and 70 ms from one that has grown to 1.5 GB, since
 * the system copies the table of its pages.
 */
class StartingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).map(file => ({
      file,
      starts: STARTING.test(readFileSync(file.moduleId, 'utf8')),
    }));
    return [...Map.groupBy(sorted, ({ file }) => file.project.name).values()]
      .flatMap(own => [...own.filter(({ starts }) => starts), ...own.filter(({ starts }) => !starts)])
      .map(({ file }) => file);
  }
}

/** The suites that run the packed extension in VS Code's server, which is too large to install for each test run. */
const IN_VSCODE = ['test/vscode/**/*.e2e.ts'];

/** The same, and the suites that run in the current Neovim, Helix and Emacs. */
const IN_EDITORS = ['test/editors/**/*.e2e.ts', ...IN_VSCODE];

/**
 * `npm run test:deep` is `--mode deep`: also `*.deep.test.ts`, more random cases, new seeds, and PostgreSQL if it is installed.
 * `npm run test:slow` is `--mode slow`: `*.deep.test.ts` alone, with as few cases as other tests have under `npm test`.
 * `npm run test:vscode` is `--mode vscode`, and `npm run test:editors` is `--mode editors`.
 */
export default defineConfig(({ mode }) => {
  const isDeep = mode === 'deep';
  const hasPostgres = process.env.TOLLGATE_TEST_POSTGRES !== undefined || findPrograms() !== undefined;
  if (isDeep && !hasPostgres) console.warn('PostgreSQL is not installed: the contract is tested on SQLite only');
  return {
    plugins: [
      {
        name: 'conditions',
        configResolved: ({ ssr }) => void ssr.resolve?.conditions?.splice(0, Infinity, ...CONDITIONS),
      },
    ],
    test: {
      globalSetup: ['test/support/command-directory.ts'],
      setupFiles: ['test/support/fixed-seed.ts'],
      // 25 s with a worker for each file and 1.4 s without, for 160 files: the tests share no state.
      isolate: false,
      sequence: { sequencer: StartingFirst },
      // Node runs the sources itself, types stripped, as it does elsewhere: a fifth less processor time than through Vite, whose modules
      // reach each other through getters.
      experimental: { viteModuleRunner: false },
      // One more than there are processors: tests also wait, for processes and events.
      maxWorkers: availableParallelism() + 1,
      // An eighth of the processor time of all tests was the collection of young objects.
      execArgv: ['--max-semi-space-size=64'],
      provide: { isDeep, isOnPostgres: false },
      // Only what hangs is ended: no verdict depends on how busy the machine is.
      testTimeout: isDeep ? 3_600_000 : 600_000,
      hookTimeout: 600_000,
      teardownTimeout: 60_000,
      ...(isDeep
        ? { projects: hasPostgres ? [DEEP, POSTGRES] : [DEEP] }
        : mode === 'vscode' || mode === 'editors'
          ? { include: mode === 'vscode' ? IN_VSCODE : IN_EDITORS }
          : mode === 'slow'
            ? { include: [DEEP_ONLY] }
            : { include: EVERYWHERE, exclude: [...configDefaults.exclude, DEEP_ONLY] }),
    },
  };
});
