import { afterAll, expect, it } from 'vitest';
import { duckdbEngine } from '../support/sql-engines.ts';
import { runConstructs } from './compiled-constructs.ts';
import { constructsPage, PAGE } from './compiled-constructs-page.ts';

const engines = [await duckdbEngine()];
afterAll(() => Promise.all(engines.map(engine => engine.stop())));

it('decides with each construct what the evaluator decides, on DuckDB, as the page says', async () => {
  const results = await runConstructs(engines);
  expect(results.differences).toEqual([]);
  await expect(constructsPage(results)).toMatchFileSnapshot(PAGE);
});
