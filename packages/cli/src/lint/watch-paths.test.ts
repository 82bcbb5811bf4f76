import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FolderWatch, foldersOf } from './watch-paths.ts';

it.each<[string[], string[]]>([
  [['a/b.yaml'], ['a']],
  [['b.yaml', './c.yaml'], ['.']],
  [['folder'], ['folder']],
  [['a/*.yaml', 'a/**/x/*.json', 'a/b.yaml#/spec'], ['a']],
  [['*.yaml'], ['.']],
])('watches, for %j, the folders %j', (names, folders) => {
  expect(foldersOf(names, name => name === 'folder')).toEqual(folders);
});

it('tells of changes that happen together once, at any depth, and ends with the signal', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
  mkdirSync(join(directory, 'deep/er'), { recursive: true });
  const stop = new AbortController();
  const changes = new FolderWatch(stop.signal, [join(directory, 'report.json')]);
  changes.add([directory, directory]);
  for (const name of ['a.yaml', 'deep/er/b.yaml']) writeFileSync(join(directory, name), 'inbound: []');
  expect(await changes.next()).toBe(true);
  const second = changes.next();
  for (const name of ['report.json', 'notes.txt', '.hidden.yaml']) writeFileSync(join(directory, name), 'x');
  await new Promise(resolve => setTimeout(resolve, 300));
  stop.abort();
  expect(await second).toBe(false);
  rmSync(directory, { recursive: true });
});
