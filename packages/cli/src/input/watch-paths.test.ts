import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Debounce, FolderWatch, foldersOf } from './watch-paths.ts';

it.each<[string[], string[]]>([
  [['a/b.yaml'], ['a']],
  [['b.yaml', './c.yaml'], ['.']],
  [['folder'], ['folder']],
  [['a/*.yaml', 'a/**/x/*.json', 'a/b.yaml#/spec'], ['a']],
  [['*.yaml'], ['.']],
])('watches, for %j, the folders %j', (names, folders) => {
  expect(foldersOf(names, name => name === 'folder')).toEqual(folders);
});

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
  /** As editors save: a new file takes the place of the old one. */
  const replace = (file: string) =>
    new Promise<void>(resolve => {
      noticed = resolve;
      writeFileSync(`${file}~`, 'inbound: []');
      renameSync(`${file}~`, file);
    });
  return { settle, pass, change, replace };
}

it('reports changes that happen together once, at any depth, and ends with the signal', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
  mkdirSync(join(directory, 'deep/er'), { recursive: true });
  const stop = new AbortController();
  const { settle, pass, change } = handDriven();
  const changes = new FolderWatch(stop.signal, [], settle);
  await changes.add([directory, directory]);
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

it('notices a file that is replaced again and again, and files in folders that come later', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
  writeFileSync(join(directory, 'a.yaml'), '');
  const stop = new AbortController();
  const { settle, pass, change, replace } = handDriven();
  await new FolderWatch(stop.signal, [], settle).add([directory]);
  for (let times = 0; times < 4; times++) {
    await replace(join(directory, 'a.yaml'));
    expect(pass()).toBe(1);
  }
  mkdirSync(join(directory, 'new'));
  await change(join(directory, 'new/b.yaml'));
  expect(pass()).toBe(1);
  rmSync(join(directory, 'new'), { recursive: true });
  stop.abort();
  rmSync(directory, { recursive: true });
});

it('ignores what the command writes itself, what tools keep for themselves, and other kinds of files', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-watch-'));
  for (const folder of ['.git', 'node_modules/p']) mkdirSync(join(directory, folder), { recursive: true });
  const stop = new AbortController();
  const { settle, pass, change } = handDriven();
  const report = join(directory, 'report.json');
  const changes = new FolderWatch(stop.signal, [report], settle);
  await changes.add([directory]);
  for (const name of ['report.json', 'notes.txt', '.hidden.yaml', '.git/a.yaml', 'node_modules/p/index.js'])
    writeFileSync(join(directory, name), 'x');
  // What is noticed is noticed in order.
  await change(join(directory, 'other.json'));
  expect(pass()).toBe(1);
  expect(changes.changed()).toEqual([join(directory, 'other.json')]);
  stop.abort();
  rmSync(directory, { recursive: true });
});
