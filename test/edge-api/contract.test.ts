import { ERRORS } from '@tollgate/edge-api';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { QUICK_SERVER_CASES, RULES, SERVER_CASES } from './all-cases.ts';
import { type ApiFixture, createApiFixture } from './api-fixture.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { type Started, startForTest } from './start.ts';

let started: Started;
let api: ApiFixture;

beforeAll(async () => {
  started = await startForTest();
  api = createApiFixture(started);
});

afterAll(() => started?.stop());

const CASES = inject('isDeep') ? SERVER_CASES : QUICK_SERVER_CASES;

for (const [group, cases] of Object.entries(CASES)) {
  describe(group, () => {
    it.each(cases)('$name', ({ run }) => run(api));
  });
}

it('returns every error of the contract while the cases run, except those that need another server or many requests', () => {
  const left = SERVER_CASES[RULES]!.filter(one => !CASES[RULES]!.includes(one));
  const missing = Object.keys(ERRORS)
    .map(Number)
    .filter(number => !api.answered.has(number) && !(number in ELSEWHERE))
    .filter(number => !left.some(({ name }) => name.includes(`(${number})`)));
  expect(missing).toEqual([]);
  const unknown = [...api.answered].filter(number => !(number in ERRORS));
  expect(unknown).toEqual([]);
});

it('has cases with unique names', () => {
  const names = Object.values(SERVER_CASES).flatMap(cases => cases.map(({ name }) => name));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('logs no error while all cases run', () => {
  expect(started.logged.filter(line => (JSON.parse(line) as { level: number | string }).level === 50)).toEqual([]);
});
