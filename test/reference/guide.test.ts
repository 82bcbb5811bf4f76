import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECORD_FIELDS, TRAFFIC_FORMATS } from '@tollgate/traffic';
import { expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';

const GUIDE = readFileSync(join(ROOT, 'docs/guide/recorded-traffic.md'), 'utf8');

/** Returns the names in the first column of the table under a heading. */
function firstColumn(heading: string): string[] {
  const section = GUIDE.slice(GUIDE.indexOf(`\n## ${heading}\n`)).split(/\n## /)[1]!;
  const rows = [...section.matchAll(/^\| (`.*?) \| /gm)];
  return rows.flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

it('names every traffic format in the guide', () => {
  expect(firstColumn('Formats')).toEqual(expect.arrayContaining([...TRAFFIC_FORMATS]));
});

it('names exactly the fields of JSON Lines in the guide', () => {
  expect(firstColumn('Fields of JSON lines').toSorted()).toEqual(RECORD_FIELDS.toSorted());
});
