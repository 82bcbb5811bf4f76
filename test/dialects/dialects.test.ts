import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EDGE_V2, type EndpointKind, MODERN, PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { analyzePolicy, detectProfile } from '@tollgate/policy';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';

const FIXTURES = 'test/dialects/fixtures';

describe('a policy of each profile', () => {
  it.each(readdirSync(join(ROOT, FIXTURES)))('is detected and has no errors: %s', file => {
    const [name, endpoint] = file.split('.') as [string, EndpointKind];
    const text = readFileSync(join(ROOT, FIXTURES, file), 'utf8');
    expect(detectProfile(text).profile.name).toBe(name);
    const profile = PROFILES.find(one => one.name === name)!;
    const { policy, diagnostics } = analyzePolicy(new SourceText(file, text), { profile, endpoint });
    // One of them has every action that authenticates.
    const found = diagnostics.filter(one => one.severity === 'error' && one.code !== 'policy/conflicting-actions');
    expect(found.map(({ range, message }) => `${text.slice(range.start, range.end)}: ${message}`)).toEqual([]);
    expect(
      Object.values(policy!.rules)
        .flat()
        .every(rule => rule.expressions.every(one => one.typed)),
    ).toBe(true);
  });
});

describe.each([EDGE_V2, MODERN])('the fixtures of $name', profile => {
  const texts = readdirSync(join(ROOT, FIXTURES))
    .filter(file => file.startsWith(`${profile.name}.`))
    .map(file => readFileSync(join(ROOT, FIXTURES, file), 'utf8'))
    .join('\n');

  it('use every variable, function, action and configuration key', () => {
    const names = [
      ...profile.variables.map(({ path }) => path.split('.').at(-1)!),
      ...profile.functions.map(fact => `${fact.name}(`),
      ...profile.actions.flatMap(fact => [`type: ${fact.type}`, ...fact.config.map(field => `${field.name}:`)]),
    ];
    expect(names.filter(one => !texts.includes(one))).toEqual([]);
  });
});
