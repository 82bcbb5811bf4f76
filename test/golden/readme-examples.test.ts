import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { expect, it, vi } from 'vitest';
import { filesBelow, ROOT } from '../architecture/source-file.ts';

/** The `ts` blocks of a document. */
function blocksOf(text: string): string[] {
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

/** What a block says that it prints: comments behind `console.log(…);`, and comment lines after one. */
function promisedOutput(code: string): string[] {
  return [...code.matchAll(/^(?:.*console\.log.*; )?\/\/ (.*)$/gm)].map(([, line = '']) => line);
}

function printed(args: readonly unknown[]): string {
  return args.map(arg => (typeof arg === 'string' ? arg : inspect(arg))).join(' ');
}

const documents = filesBelow('.', 'README.md').flatMap(path =>
  blocksOf(readFileSync(join(ROOT, path), 'utf8')).map((code, index) => ({ path, code, index })),
);

// Below the root, so that the blocks find the packages that they import.
const scratch = join(ROOT, 'test/golden/.readme');

it.each(documents)('prints what it says: $path, block $index', async ({ path, code, index }) => {
  mkdirSync(scratch, { recursive: true });
  // Named after its document, because modules are cached by path.
  const file = join(scratch, `${path.replaceAll('/', '-')}-${index}.ts`);
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((...args) => lines.push(printed(args)));
  try {
    writeFileSync(file, code);
    await import(pathToFileURL(file).href);
    expect(lines).toEqual(promisedOutput(code));
  } finally {
    log.mockRestore();
    rmSync(scratch, { recursive: true });
  }
});

it('finds the examples of the engine and of the front door', () => {
  expect(documents.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['packages/cel/README.md', 'packages/core/README.md']),
  );
});
