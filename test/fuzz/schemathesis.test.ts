import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, inject, it } from 'vitest';
import { startForTest } from '../edge-api/start.ts';

/** Where `scripts/install-test-tools.sh` installs the fuzzer. */
const PROGRAM = join(import.meta.dirname, '../../node_modules/.cache/tollgate-schemathesis/bin/st');
const SEED = '1';
/** What must hold for every response; the other checks have exceptions, which a decision record lists. */
const CHECKS = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance';

it.skipIf(!inject('isDeep') || !existsSync(PROGRAM))(
  'Schemathesis finds no response that the description does not have',
  async () => {
    const server = await startForTest();
    // It keeps what it finds in its working directory.
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-schemathesis-'));
    const headers = ['-H', `Authorization: Bearer ${server.token}`, '-H', 'Service-Version: 2'];
    const phases = ['--phases', 'fuzzing,stateful', '--max-examples', '3', '--seed', SEED, '--checks', CHECKS];
    // It would delete its own key.
    const others = ['--exclude-operation-id', 'ApiKeysDelete', '--request-timeout', '600', '--no-color'];
    const run = spawn(PROGRAM, ['run', `${server.baseUrl}/openapi.json`, ...headers, ...phases, ...others], {
      cwd: folder,
    });
    const [output, [code]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('passed') });
    rmSync(folder, { recursive: true });
    await server.stop();
  },
);
