import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, detectProfile } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';

const FIXTURES = 'test/dialects/fixtures';

describe('a policy as the dialects have them', () => {
  it.each(readdirSync(join(ROOT, FIXTURES)))('is recognised and without error: %s', file => {
    const [name, endpoint] = file.split('.') as [string, EndpointKind];
    const text = readFileSync(join(ROOT, FIXTURES, file), 'utf8');
    expect(detectProfile(text).profile.name).toBe(name);
    const profile = PROFILES.find(one => one.name === name)!;
    const { policy, diagnostics } = analyzePolicy(new SourceText(file, text), { profile, endpoint });
    const found = diagnostics.filter(one => one.severity !== 'info');
    expect(found.map(({ range, message }) => `${text.slice(range.start, range.end)}: ${message}`)).toEqual([]);
    expect(
      Object.values(policy!.rules)
        .flat()
        .every(rule => rule.expressions.every(one => one.typed)),
    ).toBe(true);
  });
});
