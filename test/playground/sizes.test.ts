import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPlayground, LATE_FILES } from '../../scripts/build-playground.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-play-sizes-'));
  await buildPlayground(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the compressed size of all files with one of these names, in kB. */
function kilobytes(names: readonly string[]): number {
  const files = readdirSync(folder).filter(file => names.some(name => file.replace(/-[\da-f]{10}\.\w+$/, '') === name));
  expect(files).toHaveLength(names.length);
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0) / 1000;
}

/** Returns the files that are loaded with some, whose names have no hash: what they require outside of what is loaded on first use. */
function loadedWith(names: readonly string[]): readonly string[] {
  const files = readdirSync(folder);
  const found = new Set(names);
  // Iteration over a set includes elements that are added meanwhile.
  for (const name of found) {
    const file = files.find(one => one.replace(/-[\da-f]{10}\.js$/, '') === name);
    const code = readFileSync(join(folder, file!), 'utf8');
    for (const [, required = ''] of code.matchAll(/require\([`'"]\.\/([\w-]+)\.cjs[`'"]\)/g))
      if (!LATE_FILES.has(required)) found.add(required);
  }
  return [...found];
}

/** What the language server loads to check policies of the modern profile, as a page in Chromium requested it when this was written. */
const CHECKS = ['server', 'lint', 'modern-facts', 'read-settings', 'closures'];

describe('the playground', () => {
  it('has an editor of at most 170 kB', () => {
    expect(kilobytes(['editor'])).toBeLessThan(170);
  });

  it('checks with all lint rules in the modern profile within 580 kB, editor and style included', () => {
    expect(kilobytes(['editor', 'style', ...loadedWith(CHECKS)])).toBeLessThan(580);
  });

  it('adds at most 160 kB to run policies', () => {
    const loaded = loadedWith(CHECKS);
    const more = loadedWith(['runner', 'simulator']).filter(name => !loaded.includes(name));
    expect(kilobytes(more)).toBeLessThan(160);
  });

  it('asks nothing of Node, and generates no code but where it may', () => {
    for (const file of readdirSync(folder).filter(name => name.endsWith('.js'))) {
      const code = readFileSync(join(folder, file), 'utf8');
      expect([file, code.match(/require\([`'"](?!\.\/)[^)]*\)|\bfrom ?["']node:/g)]).toEqual([file, null]);
    }
  });

  it('names only files that exist, all with a hash of their content', () => {
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    const named = [...page.matchAll(/[\w-]+-[\da-f]{10}\.\w+/g)].map(([name]) => name);
    expect(new Set(named).size).toBe(5);
    for (const name of named) expect(readdirSync(folder)).toContain(name);
    expect(page).not.toContain('{{');
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });
});
