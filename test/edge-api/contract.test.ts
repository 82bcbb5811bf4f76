import { ERRORS } from '@tollgate/edge-api';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { QUICK_SERVER_CASES, SERVER_CASES } from './all-cases.ts';
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

for (const [group, cases] of Object.entries(inject('isDeep') ? SERVER_CASES : QUICK_SERVER_CASES)) {
  describe(group, () => {
    it.each(cases)('$name', ({ run }) => run(api));
  });
}

it('returns every error of the contract while the cases run, except those that need another server', () => {
  const missing = Object.keys(ERRORS)
    .map(Number)
    .filter(number => !api.answered.has(number) && !(number in ELSEWHERE));
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
