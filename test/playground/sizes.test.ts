import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPlayground } from '../../scripts/build-playground.ts';

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

/** What the language server loads for policies of the modern profile; a test in Chromium compares it with the requests of a page. */
const CHECKS = [
  ...['server', 'rolldown-runtime-shared', 'base-shared', 'lint'],
  ...[
    'modern-facts',
    'result-variables-shared',
    'read-settings',
    'closures',
    'code-shared',
    'lint-workspace',
    'shape-faults-shared',
  ],
];

describe('the playground', () => {
  it('has an editor of at most 170 kB', () => {
    expect(kilobytes(['editor'])).toBeLessThan(170);
  });

  it('checks with all lint rules in the modern profile within 580 kB, editor and style included', () => {
    expect(kilobytes(['editor', 'style', ...CHECKS])).toBeLessThan(580);
  });

  it('adds at most 160 kB to run policies', () => {
    expect(
      kilobytes([
        'runner',
        'run-shared',
        'simulator',
        'closures',
        'code-shared',
        'lint-workspace',
        'shape-faults-shared',
      ]),
    ).toBeLessThan(160);
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
