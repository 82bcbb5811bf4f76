// A file of policy tests with the fixtures of the files that it extends.

import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Diagnostic, ExternalError, SourceText } from '@tollgate/diagnostics';
import {
  joinedFixtures,
  type ParsedSettings,
  type PolicyTests,
  parseFixtures,
  parseTests,
  rangeAt,
  testsIn,
  type WrittenFixtures,
} from '@tollgate/policy';
import { readSource } from '../input/read-source.ts';
import type { Terminal } from '../process/terminal.ts';

/** A file of policy tests that was read. */
export interface ReadTestFile extends Omit<ParsedSettings<PolicyTests>, 'comments'> {
  readonly source: SourceText;
  /** The files that it extends. */
  readonly extended: readonly SourceText[];
}

/**
 * Reads a file of policy tests and the files that it extends, which must be in the same repository. Returns an error if one cannot be read.
 * @param by who names the file
 */
export async function readTestFile(
  path: string,
  terminal: Terminal,
  by?: Parameters<typeof readSource>[2],
): Promise<ReadTestFile | ExternalError> {
  const source = await readSource(path, terminal, by);
  if (source instanceof Error) return source;
  const parsed = parseTests(source);
  const { value, root } = parsed;
  if (value?.extends === undefined || root === undefined) return { ...testsIn(parsed, source), source, extended: [] };
  const found = await inheritedBy({ path, source, parsed }, [path], terminal);
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
  terminal: Terminal,
): Promise<Inherited | ExternalError> {
  const name = parsed.value!.extends!;
  const next = isAbsolute(name) ? name : join(dirname(path), name);
  if (chain.some(one => resolve(one) === resolve(next))) {
    const message = `the file extends itself: ${[...chain, next].map(one => `\`${one}\``).join(' extends ')}`;
    const range = rangeAt(parsed.root!, { path: ['extends'] });
    const fault = { code: 'test/invalid', severity: 'error', message, uri: source.uri, range, args: {} } as const;
    return { fixtures: {}, diagnostics: [fault], sources: [source] };
  }
  const read = await readSource(next, terminal, { repositoryOf: dirname(path) });
  if (read instanceof Error) return read;
  const found = parseFixtures(read);
  if (found.value === undefined) return { fixtures: {}, diagnostics: found.diagnostics, sources: [read] };
  if (found.value.extends === undefined) return { fixtures: found.value, diagnostics: [], sources: [read] };
  const above = await inheritedBy({ path: next, source: read, parsed: found }, [...chain, next], terminal);
  if (above instanceof Error) return above;
  const { fixtures, diagnostics, sources } = above;
  return { fixtures: joinedFixtures(found.value, fixtures), diagnostics, sources: [read, ...sources] };
}
