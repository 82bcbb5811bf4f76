// A file of policy tests with the fixtures of the files that it extends.

import type { Diagnostic, ExternalError, SourceText } from '@tollgate/diagnostics';
import { joinedFixtures } from './expand-tests.ts';
import type { PolicyTests, WrittenFixtures } from './policy-tests.ts';
import { type ParsedSettings, rangeAt } from './read-settings.ts';
import { parseFixtures, parseTests, testsIn } from './read-tests.ts';

/** A file of policy tests that was read. */
export interface ReadTestFile extends Omit<ParsedSettings<PolicyTests>, 'comments'> {
  readonly source: SourceText;
  /** The files that it extends. */
  readonly extended: readonly SourceText[];
}

/** Access to files of policy tests. */
export interface TestFiles {
  /** Returns the absolute path that a file means by a name. */
  readonly pathOf: (name: string, file: string) => string;
  /** @param namedIn the file that names it; undefined if the caller does */
  readonly read: (path: string, namedIn: string | undefined) => Promise<SourceText | ExternalError>;
}

/** Reads a file of policy tests and the files that it extends. Returns an error if one cannot be read. */
export async function readTestFile(path: string, files: TestFiles): Promise<ReadTestFile | ExternalError> {
  const source = await files.read(path, undefined);
  if (source instanceof Error) return source;
  const parsed = parseTests(source);
  const { value, root } = parsed;
  if (value?.extends === undefined || root === undefined) return { ...testsIn(parsed, source), source, extended: [] };
  const found = await inheritedBy({ path, source, parsed }, [path], files);
  if (found instanceof Error) return found;
  const { fixtures, diagnostics, sources } = found;
  if (diagnostics.length > 0) return { value: undefined, diagnostics, root, source, extended: sources };
  return { ...testsIn(parsed, source, fixtures), source, extended: sources };
}

/** A file that extends another one. */
interface Extending {
  readonly path: string;
  readonly source: SourceText;
  readonly parsed: ParsedSettings<WrittenFixtures>;
}

interface Inherited {
  readonly fixtures: WrittenFixtures;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: readonly SourceText[];
}

/** @param chain the files that led here, this one last */
async function inheritedBy(
  { path, source, parsed }: Extending,
  chain: readonly string[],
  files: TestFiles,
): Promise<Inherited | ExternalError> {
  const next = files.pathOf(parsed.value!.extends!, path);
  if (chain.includes(next)) {
    const message = `the file extends itself: ${[...chain, next].map(one => `\`${one}\``).join(' extends ')}`;
    const range = rangeAt(parsed.root!, { path: ['extends'] });
    const fault = { code: 'test/invalid', severity: 'error', message, uri: source.uri, range, args: {} } as const;
    return { fixtures: {}, diagnostics: [fault], sources: [source] };
  }
  const read = await files.read(next, path);
  if (read instanceof Error) return read;
  const found = parseFixtures(read);
  if (found.value === undefined) return { fixtures: {}, diagnostics: found.diagnostics, sources: [read] };
  if (found.value.extends === undefined) return { fixtures: found.value, diagnostics: [], sources: [read] };
  const above = await inheritedBy({ path: next, source: read, parsed: found }, [...chain, next], files);
  if (above instanceof Error) return above;
  const { fixtures, diagnostics, sources } = above;
  return { fixtures: joinedFixtures(found.value, fixtures), diagnostics, sources: [read, ...sources] };
}
