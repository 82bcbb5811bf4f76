import { normalizeAddress } from '@tollgate/traffic';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalAddressSql } from './sql-conditions.ts';
import { DUCKDB } from './sql-dialects.ts';

/** The patterns in the SQL: one that an address matches, and one that it does not. */
const [PARTS, OTHER] = [...canonicalAddressSql(DUCKDB, 'a').matchAll(/'([^']*)'/g)].map(
  ([, source]) => new RegExp(source!),
);

const GROUP = fc.constantFrom('0', '0', '0', '1', 'a', 'ffff', '00', '01', 'A', '');
const GROUPS = fc.array(GROUP, { minLength: 5, maxLength: 8 });
const SHORTENED = fc
  .tuple(fc.array(GROUP, { maxLength: 6 }), fc.array(GROUP, { maxLength: 6 }))
  .map(([before, after]) => `${before.join(':')}::${after.join(':')}`);

it('takes an address for canonical exactly if normalizing it changes nothing', () => {
  const address = fc.oneof(
    ...[
      SHORTENED,
      SHORTENED,
      GROUPS.map(all => all.join(':')),
      fc.ipV4(),
      fc.ipV6(),
      fc.ipV6().map(text => normalizeAddress(text)!),
    ],
    fc.tuple(GROUPS, fc.ipV4()).map(([all, end]) => `${all.join(':')}:${end}`),
    fc.ipV4().map(text => `::ffff:${text}`),
    fc.constantFrom('', '10.0.0.1:443', ' 10.0.0.1', '[::1]', '10.0.0', '010.0.0.1', '::ffff:a00:1', '::'),
  );
  fc.assert(
    fc.property(address, text => {
      expect([text, PARTS!.test(text) && !OTHER!.test(text)]).toEqual([text, normalizeAddress(text) === text]);
    }),
    { numRuns: 20_000 },
  );
});
