import type { SourceText } from '@tollgate/diagnostics';
import { HEADER_NAME_PATTERN } from '../expressions/explain-errors.ts';
import {
  EXCHANGE_FIELDS,
  type PolicyTest,
  type PolicyTests,
  TESTS_FIELDS,
  type TestHeaders,
  type TestMoment,
  type WrittenExchange,
} from './policy-tests.ts';
import { type ParsedSettings, readSettings } from './read-settings.ts';
import type { Fault } from './shape-faults.ts';

/** Reads policy tests in YAML or JSON. Does not check whether the policy has the named rules. */
export function readTests(source: SourceText): ParsedSettings<PolicyTests> {
  return readSettings(source, TESTS_FIELDS, testsFaults);
}

/** Reads a file that describes one exchange like a policy test, in YAML or JSON. */
export function readExchange(source: SourceText): ParsedSettings<WrittenExchange> {
  return readSettings(source, EXCHANGE_FIELDS, (written: WrittenExchange) => exchangeFaults(written, []));
}

type Path = Fault['path'];

function testsFaults(file: PolicyTests): readonly Fault[] {
  return [...momentFaults(file, []), ...sameNames(file), ...file.tests.flatMap(testFaults)];
}

/** Names must be unique, to identify tests in a report. */
function sameNames({ tests }: PolicyTests): readonly Fault[] {
  const seen = new Set<string>();
  return tests.flatMap(({ name }, index) =>
    seen.size === seen.add(name).size ? [fault(['tests', index, 'name'], `duplicate test name \`${name}\``)] : [],
  );
}

function testFaults(test: PolicyTest, index: number): readonly Fault[] {
  const at: Path = ['tests', index];
  const { expect } = test;
  const nothing = Object.keys(expect).length === 0;
  return [
    ...exchangeFaults(test, at),
    ...(nothing ? [noAssertion([...at, 'expect'])] : []),
    ...headersFaults(expect.headers, [...at, 'expect', 'headers']),
    ...headersFaults(expect.upstream?.headers, [...at, 'expect', 'upstream', 'headers']),
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

/** The zone is required, so that a test means the same everywhere. */
const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

function momentFaults({ now }: TestMoment, at: Path): readonly Fault[] {
  if (now === undefined || (TIME.test(now) && !Number.isNaN(Date.parse(now)))) return [];
  return [fault([...at, 'now'], `expected a time with a zone, such as \`2026-03-02T10:15:30Z\`, found \`${now}\``)];
}

function urlFaults(url: string | undefined, path: Path): readonly Fault[] {
  if (url === undefined || url.startsWith('/') || (/^[a-z]+:\/\//i.test(url) && URL.canParse(url))) return [];
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

function fault(path: Path, message: string): Fault {
  return { code: 'test/invalid', path, message };
}
