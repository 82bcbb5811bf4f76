// Lookups of many keys at once, and patterns behind one that stands for all, on ClickHouse: they say what each condition says alone.
import type { LookupCondition } from '@tollgate/compile';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { CLICKHOUSE_STRINGS } from '../../packages/query/src/questions/plain-forms.ts';
import { conditionCodes } from '../../packages/query/src/tables/condition-codes.ts';
import { clickhouseForTests } from '../support/clickhouse.ts';
import { runs, seed } from '../support/runs.ts';

const clickhouse = await clickhouseForTests();
afterAll(() => clickhouse?.stop());

/** Short, and of few characters, so that keys are parts of each other. */
const TEXT = fc.array(fc.constantFrom('/', 'a', 'b', "'"), { minLength: 1, maxLength: 5 }).map(parts => parts.join(''));
const ADDRESS = fc.tuple(
  fc.constantFrom(1, 10, 255),
  fc.constantFrom(0, 1, 128),
  fc.constantFrom(0, 64),
  fc.constantFrom(0, 1, 255),
);
const PATTERN = fc.constantFrom(
  'a|b',
  '^/',
  '/$',
  '(?i)A',
  '.',
  'a{2}',
  '^(?:a|/b)+$',
  "'",
  '^$',
  'b.',
  '/a/',
  '(a)(b)',
);

const textKeys = (kind: 'equal' | 'start' | 'end') =>
  fc
    .array(
      TEXT.map(value => ({ value, length: value.length })),
      { minLength: 1, maxLength: 3 },
    )
    .map((keys): LookupCondition => ({ kind, column: 't', keys }));
// Ranges with 0.0.0.0 are no lookups.
const network = fc
  .tuple(ADDRESS, fc.integer({ min: 1, max: 32 }))
  .map(([bytes, length]) => ({ value: firstOf(numberOf(bytes), length), length }))
  .filter(({ value }) => value > 0)
  .map((key): LookupCondition => ({ kind: 'network', column: 'a', keys: [key] }));
const pattern = PATTERN.map(
  (value): LookupCondition => ({ kind: 'pattern', column: 't', keys: [{ value, length: value.length }] }),
);
const CONDITIONS = fc.array(fc.oneof(textKeys('equal'), textKeys('start'), textKeys('end'), network, pattern), {
  minLength: 1,
  maxLength: 40,
});

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

function firstOf(address: number, length: number): number {
  return address - (address % 2 ** (32 - length));
}

/** Whether a condition is true, without SQL. */
function holds({ kind, keys }: LookupCondition, text: string, address: string): boolean {
  const number = address.includes(':') ? 0 : numberOf(address.split('.').map(Number));
  const tests: Readonly<Record<LookupCondition['kind'], (key: string, length: number) => boolean>> = {
    equal: key => text === key,
    start: key => text.startsWith(key),
    end: key => text.endsWith(key),
    network: (key, length) => number > 0 && firstOf(number, length) === Number(key),
    pattern: key => (key === '(?i)A' ? /a/i.test(text) : new RegExp(key).test(text)),
  };
  return keys.some(({ value, length }) => tests[kind](String(value), length));
}

describe.skipIf(clickhouse === undefined)('codes of conditions on ClickHouse', () => {
  it('tell what each condition says alone', async () => {
    let lookups = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(
          CONDITIONS,
          fc.array(fc.tuple(fc.oneof(TEXT, fc.constant('')), ADDRESS), { minLength: 20, maxLength: 60 }),
        ),
        fc.constantFrom(1, 2, 5),
        async ([conditions, values], least) => {
          const rows = values.map(([text, bytes], at) => ({
            text,
            address: at % 7 === 0 ? '2001:db8::1' : bytes.join('.'),
          }));
          const results = conditions.map(aloneSql);
          const { codes, columns } = conditionCodes(
            { results, lookups: conditions, used: ['t', 'a'] },
            CLICKHOUSE_STRINGS,
            {
              keys: least,
              patterns: least,
            },
          );
          const given = rows.map(({ text: t, address }, n) => `(${n}, ${quoted(t)}, ${quoted(address)})`).join(', ');
          const added = columns.map(([name, sql]) => `, ${sql} as ${name}`).join('');
          const odd = codes.map(({ size }) =>
            [...Array(Math.floor(Math.log2(size))).keys()].filter(bit => bit % 2 === 1),
          );
          const some = codes.map(({ only }, code) => (only && odd[code]!.length > 0 ? only(odd[code]!) : '0'));
          const sql = `select ${[...codes.map(code => code.sql), ...some].join(', ')} from (select *${added} from values('n Int32, t String, a String', ${given})) order by n format JSONCompactEachRow`;
          const lines = (await clickhouse!.run(sql)).trim().split('\n');
          for (const [at, line] of lines.entries()) {
            const values: readonly (string | number)[] = JSON.parse(line);
            for (const [code, { only }] of codes.entries()) {
              const bits = odd[code]!.map(
                (bit, place) => (Math.floor(Number(values[code]) / 2 ** bit) % 2) * 2 ** place,
              );
              if (only) expect(Number(values[codes.length + code])).toBe(bits.reduce((sum, bit) => sum + bit, 0));
            }
            const found = values.slice(0, codes.length).flatMap((value, code) => {
              expect(Number(value)).toBeLessThan(codes[code]!.size);
              return codes[code]!.trueIn(Number(value));
            });
            const { text: t, address } = rows[at]!;
            const expected = conditions.flatMap((condition, place) => (holds(condition, t, address) ? [place] : []));
            expect(found.sort((a, b) => a - b)).toEqual(expected);
          }
          expect(lines.length).toBe(rows.length);
          if (codes.some(code => code.sql.includes('transform(') || code.sql.includes('t_g'))) lookups++;
        },
      ),
      { numRuns: runs(25, 2000), seed: seed(5, 'CODES_SEED') },
    );
    expect(lookups).toBeGreaterThan(10);
  });
});

const { text: quoted } = CLICKHOUSE_STRINGS;
const ALONE: Readonly<Record<LookupCondition['kind'], (key: string, length: number) => string>> = {
  equal: key => `t = ${quoted(key)}`,
  start: key => `startsWith(t, ${quoted(key)})`,
  end: key => `endsWith(t, ${quoted(key)})`,
  network: (key, length) => `IPv4StringToNumOrDefault(a) between ${key} and ${Number(key) + 2 ** (32 - length) - 1}`,
  pattern: key => `match(t, concat('(?-s)', ${quoted(key)}))`,
};

/** Returns a condition without any lookup, in SQL. */
function aloneSql({ kind, keys }: LookupCondition): string {
  return `(${keys.map(({ value, length }) => ALONE[kind](String(value), length)).join(' or ')})`;
}
