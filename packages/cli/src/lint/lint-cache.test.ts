import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LintDirectory } from '../fixtures/lint-directory.ts';

const ROOM = new LintDirectory();
const { write, read, lint } = ROOM;
let directory: string;

beforeEach(() => {
  directory = ROOM.make();
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
});

afterEach(() => {
  vi.restoreAllMocks();
  ROOM.remove();
});

it.each([
  ['a diagnostic of another file', (text: string) => text.replaceAll(/"uri":"[^"]*"/g, '"uri":"other.yaml"')],
  ['a place outside of the file', (text: string) => text.replaceAll(/"end":\d+/g, '"end":9000')],
  ['a place that ends before it begins', (text: string) => text.replaceAll(/"end":\d+/g, '"end":0')],
  ['a severity that does not exist', (text: string) => text.replaceAll('"severity":"warning"', '"severity":"none"')],
  ['no diagnostics', (text: string) => text.replaceAll('"diagnostics":', '"other":')],
  ['another version', (text: string) => text.replace(/"version":"[^"]*"/, '"version":"0.0.0"')],
])('ignores a cache that has %s', async (_, change) => {
  write({
    'tollgate.yaml': 'lint: { extends: [], rules: { doc/empty-phase: warning } }',
    'a.yaml': 'inbound: [{ name: a, actions: [{ type: deny }] }]\noutbound: []\n',
  });
  const cache = ['--cache', '--cache-file', join(directory, 'kept.json')];
  await lint(['a.yaml'], cache);
  const marked = read('kept.json').replaceAll('doc/empty-phase', 'doc/kept');
  write({ 'kept.json': marked });
  expect((await lint(['a.yaml'], cache)).codes).toEqual(['doc/kept warning']);
  write({ 'kept.json': change(marked) });
  expect((await lint(['a.yaml'], cache)).codes).toEqual(['doc/empty-phase warning']);
});
