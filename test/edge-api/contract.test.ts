import { ERRORS } from '@tollgate/edge-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER_CASES } from './all-cases.ts';
import { ELSEWHERE } from './elsewhere.ts';
import { type Started, startForTest } from './start.ts';
import { createWorld, type World } from './world.ts';

let started: Started;
let world: World;

beforeAll(async () => {
  started = await startForTest();
  world = createWorld(started);
});

afterAll(() => started?.stop());

for (const [group, cases] of Object.entries(SERVER_CASES)) {
  describe(group, () => {
    it.each(cases)('$name', ({ run }) => run(world));
  });
}

it('is answered with every error of the contract while the cases are run, but for those that need another server', () => {
  const missing = Object.keys(ERRORS)
    .map(Number)
    .filter(number => !world.answered.has(number) && !(number in ELSEWHERE));
  expect(missing).toEqual([]);
  const unknown = [...world.answered].filter(number => !(number in ERRORS));
  expect(unknown).toEqual([]);
});

it('has cases of different names', () => {
  const names = Object.values(SERVER_CASES).flatMap(cases => cases.map(({ name }) => name));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it('logs no error while every case is run', () => {
  expect(started.logged.filter(line => (JSON.parse(line) as { level: number | string }).level === 50)).toEqual([]);
});
