import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Debounce, FolderWatch, foldersOf, isRelevant } from './watch-paths.ts';

it.each<[string[], string[]]>([
  [['a/b.yaml'], ['a']],
  [['b.yaml', './c.yaml'], ['.']],
  [['folder'], ['folder']],
  [['a/*.yaml', 'a/**/x/*.json', 'a/b.yaml#/spec'], ['a']],
  [['*.yaml'], ['.']],
])('watches, for %j, the folders %j', (names, folders) => {
  expect(foldersOf(names, name => name === 'folder')).toEqual(folders);
});

it.each([
  ['a.yaml', true],
  ['deep/er/b.json', true],
  ['rules/rule.ts', true],
  ['notes.txt', false],
  ['.hidden.yaml', false],
  ['deep/.git/a.yaml', false],
  ['node_modules/p/index.js', false],
])('detects a change of %s as relevant: %s', (path, expected) => expect(isRelevant(path)).toBe(expected));

/** A clock that the test moves, and that records each change that is noticed. */
function handDriven() {
  const waiting = new Set<() => void>();
  let noticed = () => {};
  const settle: Debounce = done => {
    waiting.add(done);
    noticed();
    return () => waiting.delete(done);
  };
  const pass = () => {
    const now = [...waiting];
    waiting.clear();
    for (const done of now) done();
    return now.length;
  };
  const change = (file: string) =>
    new Promise<void>(resolve => {
      noticed = resolve;
      writeFileSync(file, 'inbound: []');
    });
  return { settle, pass, change };
}

it('reports changes that happen together once, at any depth, and ends with the signal', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
  mkdirSync(join(directory, 'deep/er'), { recursive: true });
  const stop = new AbortController();
  const { settle, pass, change } = handDriven();
  const changes = new FolderWatch(stop.signal, [], settle);
  changes.add([directory, directory]);
  const first = changes.next();
  for (const name of ['a.yaml', 'deep/er/b.yaml']) await change(join(directory, name));
  expect(pass()).toBe(1);
  expect(await first).toBe(true);
  const second = changes.next();
  await change(join(directory, 'c.yaml'));
  stop.abort();
  expect(await second).toBe(false);
  expect(pass()).toBe(0);
  rmSync(directory, { recursive: true });
});

it('ignores what the command writes itself', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
  const stop = new AbortController();
  const { settle, pass, change } = handDriven();
  const report = join(directory, 'report.json');
  new FolderWatch(stop.signal, [report], settle).add([directory]);
  // A watcher that was added later notices later: once it has, the first one would have.
  const later = handDriven();
  new FolderWatch(stop.signal, [], later.settle).add([directory]);
  await later.change(report);
  expect(pass()).toBe(0);
  await change(join(directory, 'other.json'));
  expect(pass()).toBe(1);
  stop.abort();
  rmSync(directory, { recursive: true });
});
