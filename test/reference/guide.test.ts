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

it.each(['README.md', 'CONTRIBUTING.md'])('names a Node for a clone in %s that no installed package warns of', page => {
  const [, named = ''] =
    /(?:clone[^.]*, with|You need) Node (\d+) or newer/.exec(readFileSync(join(ROOT, page), 'utf8')) ?? [];
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<
      Record<string, { readonly engines?: { readonly node?: string }; readonly optional?: true }>
    >;
  };
  const least = Object.entries(packages).flatMap(([path, { engines, optional }]) => {
    const majors = [...(engines?.node ?? '').matchAll(/(?:>=|\^) *(\d+)/g)].map(([, major]) => Number(major));
    return optional || majors.length === 0 || majors.some(major => major <= Number(named)) ? [] : [path];
  });
  expect(Number(named)).toBeGreaterThan(0);
  expect(least).toEqual([]);
});
