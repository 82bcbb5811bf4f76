// The cases of policy tests: what fixtures and tables contribute to each, and how it is called. A table is counted before it is built.

import type { ConfigField, ConfigType } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import { isRecord } from '@tollgate/diagnostics';
import type {
  EarlierExchange,
  PolicyTest,
  PolicyTests,
  WrittenCase,
  WrittenEarlier,
  WrittenFixtures,
  WrittenTest,
  WrittenTests,
} from './policy-tests.ts';
import { type Fault, shapeFaults } from './shape-faults.ts';
import { TEST_FIELDS } from './test-fields.ts';

/** Maximum number of cases in a file. */
const MAX_CASES = 10_000;

/** The tests of a file, or why there are none. */
export interface ExpandedTests {
  readonly tests: PolicyTests;
  /** Wrong uses of fixtures and tables. The tests are complete only if there are none. */
  readonly faults: readonly Fault[];
}

/**
 * Returns a test for each case of a file.
 * @param inherited the fixtures of the file that it extends, if that was read; without it, no fixture is reported as unknown
 */
export function expandTests(file: WrittenTests, inherited: WrittenFixtures | undefined): ExpandedTests {
  const { extends: _, requests: _requests, connections: _connections, tests: written, ...head } = file;
  const fixtures = joinedFixtures(file, inherited);
  const tests: PolicyTest[] = [];
  const faults: Fault[] = [...fixtureFaults(file)];
  const names = new CaseNames();
  const isOpen = file.extends !== undefined && inherited === undefined;
  for (const [index, test] of written.entries()) {
    const path: Path = ['tests', index];
    const wrong = tableFaults(test, path, tests.length);
    faults.push(...wrong);
    if (wrong.length > 0) continue;
    for (const one of casesOf(test, path)) {
      const { value, faults: missing } = withFixtures(one, { fixtures, isOpen });
      faults.push(...missing);
      const { name, fault: repeated } = names.add(one);
      if (repeated) faults.push(repeated);
      if (value.expect === undefined) {
        faults.push({ code: 'test/no-assertion', path: one.path, message: MISSING });
        continue;
      }
      const isListed = one.label === undefined && one.path[1] === tests.length;
      tests.push({
        ...{ ...value, name, expect: value.expect },
        ...(!isListed && { path: one.path }),
        ...(one.label !== undefined && { table: one.test }),
      });
    }
  }
  const { requests: _all, connections: _known, ...moment } = fixtures;
  return { tests: { ...head, ...moment, tests }, faults: distinct(faults) };
}

/** Returns the fixtures of a file with those that it inherits, which its own replace. */
export function joinedFixtures(own: WrittenFixtures, inherited: WrittenFixtures | undefined): WrittenFixtures {
  const { now = inherited?.now, seed = inherited?.seed } = own;
  return {
    requests: { ...inherited?.requests, ...own.requests },
    connections: { ...inherited?.connections, ...own.connections },
    ...(now !== undefined && { now }),
    ...(seed !== undefined && { seed }),
  };
}

const MISSING = 'a test without `expect` cannot fail; add what must happen';

type Path = Fault['path'];

/** A case before fixtures are added. */
interface Case {
  readonly value: WrittenCase;
  /** The name of its test. */
  readonly test: string;
  /** What follows it; undefined for a test without a table. */
  readonly label: string | undefined;
  /** Whether the label is written. */
  readonly isNamed: boolean;
  readonly path: Path;
}

function casesOf(test: WrittenTest, path: Path): readonly Case[] {
  const { cases, for: table, name, ...base } = test;
  if (cases !== undefined) {
    return cases.map(({ name: own, ...one }, index) => ({
      value: { ...(merged(base, one) as WrittenCase), ...joinedTags(base.tags, one.tags) },
      ...{ test: name, label: own ?? (labelOf(leavesOf(one)) || `case ${index + 1}`), isNamed: own !== undefined },
      path: [...path, 'cases', index],
    }));
  }
  if (table === undefined) return [{ value: base, test: name, label: undefined, isNamed: true, path }];
  return combinations(Object.entries(table)).map(chosen => ({
    value: chosen.reduce<WrittenCase>((value, [key, one]) => withValue(value, pathOfField(key)!, one), base),
    label: labelOf(chosen.map(([key, one]) => [pathOfField(key)!.at(-1)!, one])),
    ...{ test: name, isNamed: false, path, isCombination: true },
  }));
}

function joinedTags(test: WrittenCase['tags'] = [], own: WrittenCase['tags'] = []): Pick<WrittenCase, 'tags'> {
  return test.length + own.length === 0 ? {} : { tags: [...new Set([...test, ...own])] };
}

type Entry = readonly [field: string, value: unknown];

function combinations(lists: readonly (readonly [string, readonly unknown[]])[]): readonly (readonly Entry[])[] {
  return lists.reduce<readonly (readonly Entry[])[]>(
    (found, [key, values]) =>
      found.flatMap(before => values.map((value): readonly Entry[] => [...before, [key, value]])),
    [[]],
  );
}

/** Fields of `for` that need no path. */
const SHORT_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['method', ['request', 'method']],
  ['url', ['request', 'url']],
  ['protocol', ['request', 'protocol']],
  ['client_ip', ['connection', 'client_ip']],
  ['country_code', ['connection', 'geo', 'country_code']],
  ['status', ['response', 'status']],
]);

const EXCHANGE_PARTS: ReadonlySet<string> = new Set(['connection', 'request', 'response', 'variables', 'now', 'times']);

/** Returns the keys that lead to a field; undefined if there is no such field. */
function pathOfField(key: string): readonly string[] | undefined {
  const short = SHORT_FIELDS.get(key);
  if (short) return short;
  const path = key.split('.');
  return EXCHANGE_PARTS.has(path[0]!) && typeOf(path) !== undefined ? fieldSteps(path) : undefined;
}

/** Names in maps, such as those of headers and variables, may contain dots. */
function fieldSteps(path: readonly string[]): readonly string[] {
  const at = path.findIndex(step => step === 'headers' || step === 'variables');
  return at < 0 ? path : [...path.slice(0, at + 1), path.slice(at + 1).join('.')];
}

function typeOf(path: readonly string[]): ConfigType | undefined {
  let fields: readonly ConfigField[] = TEST_FIELDS;
  for (const [index, step] of path.entries()) {
    const type = fields.find(({ name }) => name === step)?.type;
    if (type === undefined || index === path.length - 1)
      return type?.kind === 'object' || type?.kind === 'map' ? undefined : type;
    if (type.kind === 'map') return type.value;
    if (type.kind !== 'object') return undefined;
    fields = type.fields;
  }
  return undefined;
}

/** Null leaves a field out; headers may be absent. */
function withValue(value: object, [key, ...rest]: readonly string[], one: unknown): WrittenCase {
  const members = new Map(Object.entries(value));
  const name = key === 'headers' || rest.length > 0 ? key! : (sameHeader(members, key!) ?? key!);
  const before = members.get(name);
  if (rest.length > 0) members.set(name, withValue(isRecord(before) ? before : {}, rest, one));
  else members.set(name, one);
  return Object.fromEntries(members);
}

function tableFaults(test: WrittenTest, path: Path, before: number): readonly Fault[] {
  const { cases, for: table } = test;
  if (table === undefined) {
    const count = cases?.length ?? 1;
    return before + count > MAX_CASES
      ? [tooMany([...path, ...(cases ? ['cases'] : [])], `${before + count} cases`)]
      : [];
  }
  const at = [...path, 'for'];
  if (cases !== undefined) return [{ ...fault(at, '`for` and `cases` in one test; make them two tests'), ofKey: true }];
  const lists = Object.entries(table);
  const faults = lists.flatMap(([key, values]) => fieldFaults(key, values, { test, at }));
  if (faults.length > 0) return faults;
  if (lists.length === 0) return [fault(at, 'expected a list of values for at least one field')];
  const sizes = lists.map(([, values]) => values.length);
  const count = sizes.reduce((product, size) => product * size, 1);
  const shown = sizes.length > 1 ? `${count} cases (${sizes.join(' × ')})` : `${count} cases`;
  if (count > MAX_CASES) return [tooMany(at, shown)];
  return before + count > MAX_CASES ? [tooMany(at, `${before + count} cases`)] : [];
}

function tooMany(path: Path, count: string): Fault {
  return { ...fault(path, `${count}; a file may have at most ${MAX_CASES}`), ofKey: true };
}

function fieldFaults(
  key: string,
  values: readonly unknown[],
  { test, at }: { readonly test: WrittenTest; readonly at: Path },
): readonly Fault[] {
  const field = pathOfField(key);
  if (field === undefined) {
    const meant = nearest(key, SHORT_FIELDS.keys());
    const hint =
      meant === undefined ? 'write a path such as `request.headers.X-Api-Key`' : `did you mean \`${meant}\`?`;
    return [{ ...fault([...at, key], `unknown field \`${key}\`; ${hint}`), ofKey: true }];
  }
  if (memberAt(test, field) !== undefined) {
    const message = `\`${key}\` is in \`for\` and in the test itself; remove one`;
    return [{ ...fault([...at, key], message), ofKey: true }];
  }
  const type = typeOf(key.includes('.') ? key.split('.') : field) ?? { kind: 'any' };
  return values.flatMap((value, index) =>
    shapeFaults({ [index]: value }, [{ name: String(index), type, doc: '' }], [...at, key]),
  );
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const step of path) {
    if (!isRecord(found)) return undefined;
    found = Object.hasOwn(found, step) ? found[step] : undefined;
  }
  return found;
}

interface FixtureContext {
  readonly fixtures: WrittenFixtures;
  /** Whether there are fixtures that are not known. */
  readonly isOpen: boolean;
}

/** A case without references to fixtures. */
type Resolved = Omit<WrittenCase, 'use' | 'after'> & { readonly after?: readonly EarlierExchange[] };

function withFixtures(
  { value, path }: Case,
  context: FixtureContext,
): { readonly value: Resolved; readonly faults: readonly Fault[] } {
  const { use = [], after, ...own } = value;
  if (use.length === 0 && after === undefined) return { value: own, faults: NO_FAULTS };
  const base = used(use, [...path, 'use'], context);
  const whole = use.length === 0 ? own : (merged(base.value, own) as Resolved);
  const { now, connection, request, response, variables } = whole;
  const same = { now, connection, request, response, variables };
  const exchange = Object.fromEntries(Object.entries(same).filter(([, part]) => part !== undefined));
  const earlier = (after ?? []).map(({ use: names = [], ...one }: WrittenEarlier, index) => {
    const added = used(names, [...path, 'after', index, 'use'], context);
    return { value: merged(merged(exchange, added.value), one) as EarlierExchange, faults: added.faults };
  });
  return {
    value: { ...whole, ...(after && { after: earlier.map(one => one.value) }) },
    faults: [...base.faults, ...earlier.flatMap(one => one.faults)],
  };
}

const NO_FAULTS: readonly Fault[] = [];

function used(
  names: readonly string[],
  path: Path,
  { fixtures: { requests = {}, connections = {} }, isOpen }: FixtureContext,
): { readonly value: unknown; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  let value: unknown = {};
  for (const [index, name] of names.entries()) {
    const request = Object.hasOwn(requests, name) ? requests[name] : undefined;
    const connection = Object.hasOwn(connections, name) ? connections[name] : undefined;
    if (request) value = merged(value, { request });
    if (connection) value = merged(value, { connection });
    if (request || connection || isOpen) continue;
    const meant = nearest(name, [...Object.keys(requests), ...Object.keys(connections)]);
    const hint = meant === undefined ? 'add it to `requests` or `connections`' : `did you mean \`${meant}\`?`;
    faults.push(fault([...path, index], `unknown fixture \`${name}\`; ${hint}`));
  }
  return { value, faults };
}

function fixtureFaults({ requests = {}, connections = {} }: WrittenFixtures): readonly Fault[] {
  return Object.keys(connections)
    .filter(name => Object.hasOwn(requests, name))
    .map(name => ({
      ...fault(['connections', name], `\`${name}\` is also a request; fixtures need different names`),
      ofKey: true as const,
    }));
}

/** Maps are merged, and anything else is replaced. Names of headers are compared without regard to case. */
function merged(base: unknown, over: unknown, isHeaders = false): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  const members = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    const same = isHeaders ? sameHeader(members, key) : undefined;
    if (same !== undefined && same !== key) members.delete(same);
    members.set(key, members.has(key) ? merged(members.get(key), value, key === 'headers') : value);
  }
  return Object.fromEntries(members);
}

function sameHeader(members: ReadonlyMap<string, unknown>, name: string): string | undefined {
  const lower = name.toLowerCase();
  return [...members.keys()].find(one => one.toLowerCase() === lower);
}

/** The names of cases, which must be unique to identify tests in a report. */
class CaseNames {
  readonly #seen = new Set<string>();

  /** A name that is made gets a number if it is taken. */
  add({ test, label, isNamed, path }: Case): { readonly name: string; readonly fault?: Fault } {
    const name = label === undefined ? test : `${test}: ${label}`;
    if (this.#seen.size < this.#seen.add(name).size) return { name };
    if (isNamed) return { name, fault: fault([...path, 'name'], `duplicate test name \`${name}\``) };
    for (let number = 2; ; number++) {
      const numbered = `${name} (${number})`;
      if (this.#seen.size < this.#seen.add(numbered).size) return { name: numbered };
    }
  }
}

/** Longer names are cut. */
const MAX_LABEL = 60;

function labelOf(leaves: readonly Entry[]): string {
  const label = leaves
    .map(([field, value]) => (value === null ? `no ${field}` : `${field} ${textOf(value)}`))
    .join(', ');
  return label.length > MAX_LABEL ? `${label.slice(0, MAX_LABEL - 1)}…` : label;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : Array.isArray(value) ? value.map(textOf).join(' ') : JSON.stringify(value);
}

/** What does not tell cases apart. */
const UNNAMED: ReadonlySet<string> = new Set(['expect', 'only', 'skip', 'tags']);

function leavesOf(value: object): readonly Entry[] {
  return Object.entries(value).flatMap(([key, member]): readonly Entry[] => {
    if (UNNAMED.has(key)) return [];
    return isRecord(member) ? leavesOf(member) : [[key, member]];
  });
}

/** Combinations of a test have the same faults. */
function distinct(faults: readonly Fault[]): readonly Fault[] {
  return [...new Map(faults.map(one => [JSON.stringify([one.path, one.message]), one])).values()];
}

/** Returns a fault of a file of tests. */
export function fault(path: Path, message: string): Fault {
  return { code: 'test/invalid', path, message };
}
