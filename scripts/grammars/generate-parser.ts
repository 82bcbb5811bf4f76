/**
 * Generates `parser.c`, `node-types.json` and the header of the Tree-sitter grammar from its `grammar.json`. Run after `npm run generate` if
 * that has changed the grammar. Needs Rust: the generator is compiled into the project's cache when it is first needed.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GRAMMAR = fileURLToPath(new URL('../../grammars/tree-sitter-cel/src/', import.meta.url));
const PROJECT = fileURLToPath(new URL('parser-generator/', import.meta.url));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/tollgate-parser-generator/', import.meta.url));
const FILES = ['parser.c', 'node-types.json', 'tree_sitter/parser.h'];

/** Returns the path of the generator; undefined if it is not compiled. */
export function findGenerator(): string | undefined {
  const path = join(CACHE, 'release/parser-generator');
  return existsSync(path) ? path : undefined;
}

/** Returns the generated files by name, relative to the grammar's `src`. */
export function generateParser(generator: string): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-grammar-'));
  try {
    cpSync(join(GRAMMAR, 'grammar.json'), join(folder, 'src/grammar.json'));
    execFileSync(generator, [folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    return Object.fromEntries(FILES.map(name => [name, readFileSync(join(folder, 'src', name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compileGenerator(): string {
  const options = ['build', '--release', '--locked', '--target-dir', CACHE];
  execFileSync('cargo', options, { cwd: PROJECT, stdio: 'inherit' });
  return findGenerator()!;
}

if (import.meta.main) {
  const generated = generateParser(findGenerator() ?? compileGenerator());
  for (const [name, text] of Object.entries(generated)) writeFileSync(join(GRAMMAR, name), text);
}
