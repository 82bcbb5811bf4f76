import { expect, it } from 'vitest';
import { filesBelow, readSource, type SyntaxNode, visit } from './source-file.ts';

// What a repository names is never written outside of it. That holds because one module of the command opens files for writing.

const sources = filesBelow('packages', '.ts')
  .filter(path => path.includes('/src/') && !path.endsWith('.test.ts') && !path.includes('/fixtures/'))
  .map(readSource);

/** Functions of `node:fs` that create, change or open files. Synchronous ones end in `Sync`. */
const WRITERS =
  /^(?:appendFile|chmod|copyFile|cp|createWriteStream|fchmod|ftruncate|link|mkdir|mkdtemp|open|rename|symlink|truncate|utimes|write|writeFile|writev)(?:Sync)?$/;

/** The name of the module as a string: files without it need not be parsed. */
const MODULE = /['"](?:node:)?fs(?:\/promises)?['"]/;

/** The files that write, and why they need not ask where a path leads. */
const ALLOWED: Readonly<Record<string, string>> = {
  'packages/cli/src/trust/replace-file.ts': 'the writer of the command; it asks `pathToWrite`',
  'packages/cli/src/language-server/run-language-server.ts': 'a report in a temporary directory of its own',
  'packages/cli/src/process/standard-output.ts': 'standard output, which is open',
  'packages/cli/src/process/code-cache.ts': 'compiled code, and the directory for it, which only the user may enter',
  'packages/edge-server/src/events/deliver.ts': 'events, below a directory that the operator names',
  'packages/edge-server/src/server/listen.ts': 'the mode of a socket that the operator names',
  'packages/edge-server/src/security/encryption.ts': 'the key of a database that the operator names',
  'packages/edge-server/src/store/sqlite-store.ts': 'a database that the operator names, and its backup',
  'packages/edge-server/src/service/configuration.ts': 'a database that the operator names',
  'packages/query/src/recordings/duckdb-session.ts': 'a temporary directory of its own',
  'packages/traffic-node/src/inspect-traffic.ts': 'opens for reading',
  'packages/traffic-node/src/open-file.ts': 'opens for reading',
  'packages/traffic-node/src/rejected-rows.ts': 'opens for reading',
  'packages/traffic-node/src/table-file.ts': 'a temporary directory of its own',
};

/** Returns the writing functions that a module imports from `node:fs`. */
function writersIn(program: SyntaxNode): readonly string[] {
  const found: string[] = [];
  visit(program, node => {
    if (node.type !== 'ImportDeclaration') return;
    const { source, specifiers } = node as SyntaxNode & {
      readonly source: { readonly value: string };
      readonly specifiers: readonly { readonly type: string; readonly imported?: { readonly name: string } }[];
    };
    if (!/^(?:node:)?fs(?:\/promises)?$/.test(source.value)) return;
    for (const { type, imported } of specifiers) {
      if (type !== 'ImportSpecifier') found.push('*');
      else if (imported && WRITERS.test(imported.name)) found.push(imported.name);
    }
  });
  return found;
}

it('writes files in one module of the command, and elsewhere only where nobody else names them', () => {
  const naming = sources.filter(({ text }) => MODULE.test(text));
  const found = naming.filter(({ program }) => writersIn(program).length > 0).map(({ path }) => path);
  expect(found.sort()).toEqual(Object.keys(ALLOWED).sort());
});

it('loads `node:fs` by import only, so that the names of its functions are known', () => {
  const loads = /(?:import|require|getBuiltinModule)\(\s*['"](?:node:)?fs(?:\/promises)?['"]\s*\)/;
  const allowed = ['packages/cli/src/input/find-inputs.ts'];
  const found = sources.filter(({ text }) => loads.test(text)).map(({ path }) => path);
  expect(found).toEqual(allowed);
});
