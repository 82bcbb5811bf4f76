import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readSource, type SourceFile, type SyntaxNode } from './source-file.ts';

/** Returns the exported names of an entry point, each with the file that declares it. */
function exportedNames(entry: string): { name: string; file: string }[] {
  return readSource(entry).module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(one => {
      const file = one.moduleRequest ? posix.join(posix.dirname(entry), one.moduleRequest.value) : entry;
      if (one.importName.kind === 'AllButDefault') return exportedNames(file);
      return one.exportName.name === null ? [] : [{ name: one.importName.name ?? one.exportName.name, file }];
    }),
  );
}

interface Declaration extends SyntaxNode {
  readonly declaration?: SyntaxNode & {
    readonly id?: { readonly name?: string };
    readonly declarations?: readonly { readonly id: { readonly name?: string } }[];
  };
}

/** Returns the statement of a file that exports `name`. */
function declarationOf(source: SourceFile, name: string): SyntaxNode | undefined {
  const body: readonly object[] = source.program.body;
  return (body as readonly Declaration[]).find(
    ({ declaration }) =>
      declaration?.id?.name === name ||
      declaration?.declarations?.some(declaration => declaration.id.name === name) === true,
  );
}

function isDocumented(source: SourceFile, node: SyntaxNode): boolean {
  return source.comments.some(
    ({ type, value, end }) =>
      type === 'Block' &&
      value.startsWith('*') &&
      end <= node.start &&
      source.text.slice(end, node.start).trim() === '',
  );
}

/** The sources of a package's entry points, sub-paths included. */
function entryPointsOf(name: string): readonly string[] {
  const { exports = {} } = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as {
    exports?: Readonly<Record<string, { readonly 'tollgate-source'?: string }>>;
  };
  const sources = Object.values(exports).flatMap(({ 'tollgate-source': source }) => source ?? []);
  const entries = sources.map(source => posix.join('packages', name, source));
  return entries.length === 0 ? [`packages/${name}/src/index.ts`] : entries;
}

for (const name of readdirSync(join(ROOT, 'packages'))) {
  it(`documents every exported name of ${name}`, () => {
    const bare = entryPointsOf(name)
      .filter(entry => !GENERATED_CODE_ONLY.includes(entry))
      .flatMap(exportedNames)
      .filter(exported => {
        const source = readSource(exported.file);
        const node = declarationOf(source, exported.name);
        return node === undefined || !isDocumented(source, node);
      });
    expect(bare).toEqual([]);
  });
}

/** Imported by generated code, not by people. */
const GENERATED_CODE_ONLY = ['packages/cel/src/runtime/support.ts', 'packages/cel/src/runtime/regex-support.ts'];
