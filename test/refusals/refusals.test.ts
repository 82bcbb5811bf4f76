import { type EndpointKind, MODERN, REFUSALS, refusalOf, refusalsOf } from '@tollgate/catalog';
import { CODE_PAGES } from '@tollgate/cli/codes';
import { SourceText } from '@tollgate/diagnostics';
import { ERRORS } from '@tollgate/edge-api';
import { analyzePolicy } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { REFUSAL_CASES, type RefusalCase } from './refusal-cases.ts';

/** Documented numbers, as the vendor lists them; 2236 and 2261 stand in its older list. */
const NUMBERS = [
  ...[2200, 2201, 2202, 2203, 2204, 2205, 2206, 2207, 2208, 2209, 2210, 2211, 2212, 2213, 2214, 2215, 2216, 2217, 2218],
  ...[2219, 2221, 2222, 2223, 2224, 2225, 2226, 2227, 2228, 2229, 2230, 2231, 2234, 2235, 2236, 2237, 2238, 2239, 2240],
  ...[2241, 2242, 2243, 2244, 2245, 2246, 2248, 2250, 2252, 2255, 2256, 2257, 2258, 2261, 2262, 2263, 2264, 2265, 2266],
  2267,
];

/** Lint rules report these, and their own tests show it. */
const LINTED = ['header/value-invalid', 'header/reserved', 'header/name-invalid'];

function findingsOf(text: string, { endpoint: other }: Pick<RefusalCase, 'endpoint'>): readonly string[] {
  const endpoint: EndpointKind = other ?? 'https-route';
  const { diagnostics } = analyzePolicy(new SourceText('p.yaml', text), { profile: MODERN, endpoint });
  return diagnostics.filter(one => one.severity === 'error').map(one => `${one.code} ${refusalOf(one)}`);
}

describe('the table of documented refusals', () => {
  it('has every documented number, in order', () => {
    expect(REFUSALS.map(({ number }) => number)).toEqual(NUMBERS);
  });

  it('says of each by which code it is foretold, or why it is not', () => {
    expect(REFUSALS.filter(({ codes, limits }) => codes.length === 0 && limits === undefined)).toEqual([]);
  });

  it('names only codes that exist', () => {
    const known = CODE_PAGES.flatMap(({ code }) => [code, `${code.slice(0, code.indexOf('/'))}/*`]);
    expect(REFUSALS.flatMap(({ codes }) => codes).filter(code => !known.includes(code))).toEqual([]);
  });

  it('has a case for each number that the analysis foretells', () => {
    const foretold = REFUSALS.filter(({ codes }) => codes.some(code => !LINTED.includes(code)));
    const cases = new Set(REFUSAL_CASES.map(({ number }) => number));
    expect(foretold.map(({ number }) => number).filter(number => !cases.has(number))).toEqual([]);
  });

  it('gives numbers that the Edge Configuration API answers with', () => {
    const foretold = REFUSALS.filter(({ codes }) => codes.length > 0);
    expect(foretold.map(({ number }) => number).filter(number => !(number in ERRORS))).toEqual([]);
  });

  it('gives each code of the configuration a number', () => {
    const errors = CODE_PAGES.filter(
      ({ code, severity, rule }) => code.startsWith('config/') && severity === 'error' && !rule,
    );
    expect(errors.filter(({ code }) => refusalsOf(code).length === 0)).toEqual([]);
  });
});

describe('a policy that the service refuses', () => {
  it.each(REFUSAL_CASES.map(one => [one.number, one.code, one] as const))('with %d has %s', (number, code, one) => {
    expect(findingsOf(one.bad, one)).toEqual([`${code} ${number}`]);
    expect(findingsOf(one.good, one)).toEqual([]);
  });
});
