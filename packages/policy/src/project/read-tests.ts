// Reads files of policy tests, and files that describe one exchange like a test.

import { EDGE_V2 } from '@tollgate/catalog';
import { type Diagnostic, type ExternalError, isRecord, type SourceText } from '@tollgate/diagnostics';
import { type DocumentLimits, maxDiagnostics, Reporter } from '../document/document-node.ts';
import { HEADER_NAME_PATTERN } from '../expressions/explain-errors.ts';
import { expandTests, fault, joinedFixtures } from './expand-tests.ts';
import type {
  PolicyTest,
  PolicyTests,
  TestHeaders,
  TestMoment,
  WrittenExchange,
  WrittenFixtures,
  WrittenTests,
} from './policy-tests.ts';
import { type ParsedSettings, rangeAt, readSettings } from './read-settings.ts';
import type { Fault } from './shape-faults.ts';
import { EXCHANGE_FIELDS, EXTENDED_FIELDS, TESTS_FIELDS } from './test-fields.ts';

/** Tests are many and short: the limits of policies would refuse a file with 10,000 of them. */
const TEST_LIMITS: DocumentLimits = {
  maxDocumentSize: 20_000_000,
  maxDocumentDepth: 64,
  maxDocumentNodes: 1_000_000,
  maxDocumentTokens: 4_000_000,
};

/**
 * Reads policy tests in YAML or JSON, with a test for each case. Does not check whether the policy has the named rules.
 * @param inherited what the file extends, if that was read; without it, the names of fixtures are not checked
 */
export function readTests(source: SourceText, inherited?: WrittenFixtures): ParsedSettings<PolicyTests> {
  return testsIn(parseTests(source), source, inherited);
}

/** Reads policy tests as they are written. */
export function parseTests(source: SourceText): ParsedSettings<WrittenTests> {
  return readSettings<WrittenTests>(source, TESTS_FIELDS, fixturesFaults, TEST_LIMITS);
}

/** Reads the fixtures of a file of policy tests that another one extends; it may have nothing else. */
export function parseFixtures(source: SourceText): ParsedSettings<WrittenFixtures> {
  return readSettings<WrittenFixtures>(source, EXTENDED_FIELDS, fixturesFaults, TEST_LIMITS);
}

/** Returns a test for each case of a file that was parsed. See {@link readTests}. */
export function testsIn(
  { value, root, diagnostics, comments }: ParsedSettings<WrittenTests>,
  source: SourceText,
  inherited?: WrittenFixtures,
): ParsedSettings<PolicyTests> {
  if (value === undefined || root === undefined) return { value: undefined, diagnostics, root, comments };
  const { tests, faults: misused } = expandTests(value, inherited);
  const faults = [...misused, ...testsFaults(tests)];
  const reporter = new Reporter(source.uri, maxDiagnostics(EDGE_V2));
  for (const one of faults) {
    const { code = 'settings/invalid', message } = one;
    reporter.report({ code, message, range: rangeAt(root, one), args: {} });
  }
  const found = reporter.finish();
  return { value: found.length > 0 ? undefined : tests, diagnostics: found, root, comments };
}

/** Reads a file that describes one exchange like a policy test, in YAML or JSON. */
export function readExchange(source: SourceText): ParsedSettings<WrittenExchange> {
  return readSettings(source, EXCHANGE_FIELDS, (written: WrittenExchange) => exchangeFaults(written, []));
}

type Path = Fault['path'];

function fixturesFaults({ requests = {}, ...file }: WrittenFixtures): readonly Fault[] {
  return [
    ...momentFaults(file, []),
    ...Object.entries(requests).flatMap(([name, request]) => [
      ...urlFaults(request.url, ['requests', name, 'url']),
      ...headersFaults(request.headers, ['requests', name, 'headers']),
    ]),
  ];
}

/** Combinations of a test have the same faults. */
function testsFaults({ tests }: PolicyTests): readonly Fault[] {
  const faults = tests.flatMap(testFaults);
  if (faults.length === 0) return faults;
  return [...new Map(faults.map(one => [JSON.stringify([one.path, one.message]), one])).values()];
}

function testFaults(test: PolicyTest, index: number): readonly Fault[] {
  const at: Path = test.path ?? ['tests', index];
  const { expect, after = [], assume } = test;
  const nothing = Object.keys(expect).length === 0;
  return [
    ...exchangeFaults(test, at),
    ...(nothing ? [noAssertion([...at, 'expect'])] : []),
    ...headersFaults(expect.headers, [...at, 'expect', 'headers']),
    ...headersFaults(expect.upstream?.headers, [...at, 'expect', 'upstream', 'headers']),
    ...after.flatMap((one, position) => exchangeFaults(one, [...at, 'after', position])),
    ...(assume === undefined ? [] : assumptionFaults(assume, [...at, 'assume'])),
  ];
}

function noAssertion(path: Path): Fault {
  return { code: 'test/no-assertion', path, message: 'a test without expectations cannot fail; add one to `expect`' };
}

function exchangeFaults(exchange: WrittenExchange, at: Path): readonly Fault[] {
  const { request, response } = exchange;
  return [
    ...momentFaults(exchange, at),
    ...urlFaults(request?.url, [...at, 'request', 'url']),
    ...headersFaults(request?.headers, [...at, 'request', 'headers']),
    ...headersFaults(response?.headers, [...at, 'response', 'headers']),
  ];
}

function assumptionFaults(assume: NonNullable<PolicyTest['assume']>, at: Path): readonly Fault[] {
  return Object.entries(assume).flatMap(([action, what]: readonly [string, unknown]) => {
    if (what === 'passes' || what === 'refuses') return [];
    if (!isRecord(what)) return [fault([...at, action], 'expected `passes`, `refuses`, or a map of results')];
    const { passes } = what;
    if (passes === undefined || typeof passes === 'boolean') return [];
    return [fault([...at, action, 'passes'], 'expected true or false')];
  });
}

/** The zone is required, so that a test means the same everywhere. */
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

function momentFaults({ now }: TestMoment, at: Path): readonly Fault[] {
  if (now === undefined || (TIME.test(now) && !Number.isNaN(Date.parse(now)))) return [];
  return [fault([...at, 'now'], `expected a time with a zone, such as \`2026-03-02T10:15:30Z\`, found \`${now}\``)];
}

/** Returns true for what a test may have as the URL of a request. */
export function isTestUrl(url: string): boolean {
  return url.startsWith('/') || (/^[a-z]+:\/\//i.test(url) && URL.canParse(url));
}

function urlFaults(url: string | undefined, path: Path): readonly Fault[] {
  if (url === undefined || isTestUrl(url)) return [];
  return [fault(path, `expected an absolute URL or a path that begins with \`/\`, found \`${url}\``)];
}

const HEADER_NAME = new RegExp(HEADER_NAME_PATTERN);

function headersFaults(headers: TestHeaders | undefined, at: Path): readonly Fault[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const path = [...at, name];
    if (!HEADER_NAME.test(name))
      return [{ ...fault(path, `expected a header name, found \`${name}\``), ofKey: true as const }];
    return isHeaderValue(value)
      ? []
      : [fault(path, `expected a string, a list of strings, or null for no \`${name}\``)];
  });
}

function isHeaderValue(value: unknown): boolean {
  if (value === null || typeof value === 'string') return true;
  return Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'string');
}

// A file of policy tests with the fixtures of the files that it extends.

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
