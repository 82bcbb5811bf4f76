import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EndpointKind, MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicies } from '@tollgate/policy';
import { expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, 'published');

/** Returns the value of `# name: value` in the leading comments of a fixture. */
function headOf(text: string, name: string): string | undefined {
  return new RegExp(`^# ${name}:(.*)$`, 'm').exec(text)?.[1]?.trim();
}

it.each(readdirSync(FOLDER))('a published policy has exactly the documented findings: %s', file => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const endpoint = (headOf(text, 'endpoint') ?? 'http-endpoint') as EndpointKind;
  const { diagnostics } = analyzePolicies(new SourceText(file, text), { profile: MODERN, endpoint });
  const expected = headOf(text, 'finds')!
    .split(' ')
    .filter(code => code !== '');
  expect(headOf(text, 'source')).not.toBe('');
  expect(diagnostics.map(({ code }) => code)).toEqual(expected);
});
