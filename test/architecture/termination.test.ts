import { expect, it } from 'vitest';
import { filesBelow, readSource } from './source-file.ts';

/** Matches code that reads when an action ends the policy without looking at its configuration. */
const READS = /\.terminates\b|\[['"]terminates['"]\]|[{,]\s*terminates\s*(?::\s*\w+\s*)?[,}][^\n]*=(?!=)/;

it('has one function that reads when an action ends the policy', () => {
  const readers = filesBelow('packages', '.ts')
    .map(readSource)
    .filter(({ text }) => READS.test(text))
    .map(({ path }) => path);
  expect(readers).toEqual(['packages/catalog/src/schema/action-fact.ts']);
});

it.each([
  "fact.terminates === 'always'",
  "fact?.terminates !== 'never'",
  'const { terminates } = fact;',
  '({ terminates }: F) => 1',
])('finds the reader in `%s`', source => expect(source).toMatch(READS));

it.each(["  terminates: 'always',", "name: 'terminates',"])('ignores `%s`', source =>
  expect(source).not.toMatch(READS),
);
