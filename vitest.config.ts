import { defineConfig } from 'vitest/config';

/**
 * Sources are run as they are: the export condition of each package names its TypeScript entry. `import` must not be among
 * them: workers get it for `require` too, which then finds modules where CommonJS is expected.
 */
const conditions = ['tollgate-source', 'module', 'node'];

export default defineConfig(({ mode }) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/command-directory.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    // 25 s with a worker for each file and 1.4 s without, for 160 files: the tests share no state.
    isolate: false,
    maxWorkers: '100%',
    // How often random tests try: `npm run test:deep` is `--mode deep`.
    provide: { isDeep: mode === 'deep' },
    // Only what hangs is ended: no verdict depends on how busy the machine is.
    testTimeout: mode === 'deep' ? 3_600_000 : 600_000,
    hookTimeout: 600_000,
  },
}));
