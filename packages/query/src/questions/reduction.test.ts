import { DuckDBInstance } from '@duckdb/node-api';
import { PROFILES } from '@tollgate/catalog';
import { check, parse } from '@tollgate/cel';
import { createPhaseEnvironments } from '@tollgate/policy';
import { exchangeExpression, type ImpactDimension, listedKey } from '@tollgate/simulator';
import { MappedFacts, prepareMapping, RecordExchange } from '@tollgate/traffic/columns';
import { PARSED } from '@tollgate/traffic/reading';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DUCKDB_STRINGS, isPlainSql, PLAIN_FORMS, type PlainForm } from './plain-forms.ts';

const MAPPING = prepareMapping({}, PARSED);

/** Returns what rules of a profile read in a variable; undefined if the profile lacks it. */
function readerOf(path: string, profile: (typeof PROFILES)[number]) {
  const endpoint = profile.endpoints[0]!;
  const environments = createPhaseEnvironments(profile, endpoint);
  const phase = profile.phases[0]!;
  const { typed, diagnostics } = check(parse(path, environments[phase]).ast, environments[phase]);
  if (diagnostics.length > 0) return undefined;
  return exchangeExpression(typed, { profile, place: { endpoint, phase }, environment: environments[phase] });
}

/** Returns the values that SQL computes for each string; undefined where it is not plain. */
async function inSql(form: PlainForm, texts: readonly string[]) {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  await connection.run('create table texts(id integer, text varchar)');
  const appender = await connection.createAppender('texts');
  for (const [at, text] of texts.entries()) {
    appender.appendInteger(at);
    appender.appendVarchar(text);
    appender.endRow();
  }
  appender.closeSync();
  const list = Object.entries(form.parts).map(([name, part]) => `${part('text', DUCKDB_STRINGS)} as ${name}`);
  const query = `select ${isPlainSql(form, 'text', DUCKDB_STRINGS)} as plain, ${list.join(', ')} from texts order by id`;
  const rows = (await connection.runAndReadAll(query)).getRowObjects();
  connection.closeSync();
  return rows.map(({ plain, ...values }) => (plain === true ? values : undefined));
}

const CHARACTERS = [
  ...' !"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~',
  '\u0000',
  '\n',
  '\u007f',
  'é',
  '😀',
  '%2e',
  'xn--',
  '..',
];
const TEXT = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 5 }).map(parts => parts.join(''));
const LABEL = fc.constantFrom(
  'e',
  'e.co',
  'a-1.e',
  '1',
  '1.2',
  'E.co',
  'xn--e.co',
  'e.',
  '.e',
  'é.co',
  '[::1]',
  'u@e.co',
  'e.co:80',
);
const PLAIN = fc.stringMatching(/^[!$&->@-[\]-~]{0,9}$/);
const URLS = fc.tuple(
  fc.constantFrom('https://', 'https://', 'http://', 'http://', 'HTTP://', 'ws://', ''),
  fc.oneof(fc.constantFrom('e', 'e.co', 'a-1.e'), LABEL, TEXT),
  fc.oneof(
    fc.tuple(PLAIN, fc.constantFrom('', '?', '?q=%20', '?a?b')).map(([path, query]) => `/${path}${query}`),
    TEXT.map(text => `/${text}`),
    TEXT,
  ),
);
const GROUP = fc.constantFrom('', '0', '1', '01', 'a', 'A', 'ffff', '12345', '10.1.2.3', ':');
const ADDRESSES = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.array(GROUP, { maxLength: 9 }).map(groups => groups.join(':')),
  fc
    .array(fc.constantFrom('0', '1', '01', '10', '255', '256', ' 1', '+1', ''), { maxLength: 5 })
    .map(parts => parts.join('.')),
  TEXT,
);
const VALUES = { url: URLS.map(parts => parts.join('')), client_ip: ADDRESSES };

describe.each(PLAIN_FORMS.map(form => [form.field, form] as const))('the plain form of `%s`', (field, form) => {
  it('has the values that rules read', async () => {
    const texts = fc.sample(VALUES[field], { numRuns: 4000, seed: 1 });
    const usual = field === 'url' ? 'https://e.co/a/b?c=%20' : '10.1.2.3';
    const found = await inSql(form, [...texts, usual]);
    expect(found.at(-1)).toBeDefined();
    expect(found.filter(values => values !== undefined).length).toBeGreaterThan(100);
    for (const profile of PROFILES) {
      for (const [path, part] of Object.entries(form.variables)) {
        const read = readerOf(path, profile);
        if (read === undefined) continue;
        for (const [at, text] of [...texts, usual].entries()) {
          if (found[at] === undefined) continue;
          const exchange = new RecordExchange(
            { file: '', number: 1, unit: 'line' },
            new MappedFacts({ [field]: text }, MAPPING),
          );
          expect({ text, path, value: found[at][part] }).toEqual({ text, path, value: read(exchange) });
          for (const [dimension, key] of Object.entries(form.keys) as [ImpactDimension, string][])
            expect({ text, dimension, key: found[at][key] }).toEqual({
              ...{ text, dimension },
              key: listedKey(exchange, dimension),
            });
        }
      }
    }
  });
});
