import { readFileSync } from 'node:fs';
import { CODE_PAGES } from '@tollgate/cli/codes';
import { CODES_BY_ID } from '@tollgate/lint';
import { describe, expect, it } from 'vitest';
import { filesBelow, ROOT } from '../architecture/source-file.ts';
import { findingsOf } from './example-codes.ts';

const described = new Set(CODE_PAGES.map(({ code }) => code));
const sources = filesBelow('packages', '.ts')
  .filter(path => path.includes('/src/') && !path.endsWith('.test.ts') && !/\/src\/(?:codes|explain)\//.test(path))
  .map(path => readFileSync(`${ROOT}/${path}`, 'utf8'));

/** Strings that look like a code of an existing area. */
function codesInSources(): ReadonlySet<string> {
  const areas = new Set([...described].map(code => code.split('/')[0]));
  const literals = sources.flatMap(text => [...text.matchAll(/'([a-z]+\/[a-z][a-z0-9]*(?:-[a-z0-9]+)*)'/g)]);
  const named = sources.flatMap(text => [...text.matchAll(/(?:\bcode: |Error\(\s*)'([a-z]+\/[a-z0-9-]+)'/g)]);
  const all = literals.map(([, code = '']) => code).filter(code => areas.has(code.split('/')[0]!));
  return new Set([...all, ...named.map(([, code = '']) => code), ...madeCodes()]);
}

/** Codes that are composed where they are reported. */
function madeCodes(): readonly string[] {
  const json = sources.flatMap(text =>
    [...text.matchAll(/\breport\(cursor, '([a-z-]+)'/g)].map(([, name]) => `json/${name}`),
  );
  const places = ['phase', 'endpoint'].flatMap(area =>
    ['variable', 'function', 'action', 'config'].map(what => `${area}/${what}-unavailable`),
  );
  return [...json, ...places, ...parserCodes()];
}

/** Codes of the YAML parser that we report only on request, replace with our own, or word differently. */
const NOT_OURS = [
  'IMPOSSIBLE',
  'DUPLICATE_KEY',
  'MULTIPLE_DOCS',
  'NON_STRING_KEY',
  'RESOURCE_EXHAUSTION',
  'TAG_RESOLVE_FAILED',
];

function parserCodes(): readonly string[] {
  const types = readFileSync(`${ROOT}/node_modules/yaml/dist/errors.d.ts`, 'utf8');
  const [, union = ''] = /type ErrorCode = ([^;]+);/.exec(types) ?? [];
  const names = [...union.matchAll(/'([A-Z0-9_]+)'/g)].map(([, name = '']) => name);
  expect(names).toContain('BAD_INDENT');
  return names.filter(name => !NOT_OURS.includes(name)).map(name => `yaml/${name.toLowerCase().replaceAll('_', '-')}`);
}

describe('codes', () => {
  it('are described exactly if they occur in the sources', () => {
    expect([...codesInSources()].filter(code => !described.has(code) && !(code in CODES_BY_ID)).sort()).toEqual([]);
  });

  it('are described only if they are reported', () => {
    const found = codesInSources();
    expect([...described].filter(code => !found.has(code))).toEqual([]);
  });

  it('are described once', () => {
    const seen = new Set<string>();
    expect(CODE_PAGES.filter(({ code }) => seen.size === seen.add(code).size)).toEqual([]);
  });

  it('have descriptions in the house style', () => {
    const odd = CODE_PAGES.filter(
      ({ summary, rationale, remedy, bad, good, withoutExample }) =>
        /^[A-Z][a-z]|\.$/.test(summary) ||
        summary.length > 90 ||
        !/^[A-Z`*"].*[.`?!]$/s.test(rationale) ||
        (remedy !== undefined && !/[.`]$/.test(remedy)) ||
        (withoutExample === undefined ? !bad || !good : bad !== undefined || good !== undefined),
    );
    expect(odd.map(({ code }) => code)).toEqual([]);
  });
});

const withExamples = CODE_PAGES.filter(page => page.bad && !page.rule);

describe('examples', () => {
  it.each(withExamples.map(page => [page.code, page] as const))('report %s', async (code, { bad, good, severity }) => {
    const found = (await findingsOf(bad!)).find(finding => finding.code === code);
    expect(found).toBeDefined();
    if (found!.severity !== undefined) expect(found!.severity).toBe(severity);
    expect(await findingsOf(good!)).toEqual([]);
  });
});
