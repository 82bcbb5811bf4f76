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
    const profile = PROFILES.find(profile => profile.name === name)!;
    const { policy, diagnostics } = analyzePolicy(new SourceText(file, text), { profile, endpoint });
    // One fixture contains every authentication action, which conflict with each other.
    const errors = diagnostics.filter(
      ({ severity, code }) => severity === 'error' && code !== 'policy/conflicting-actions',
    );
    expect(errors.map(({ range, message }) => `${text.slice(range.start, range.end)}: ${message}`)).toEqual([]);
    expect(
      Object.values(policy!.rules)
        .flat()
        .every(rule => rule.expressions.every(({ typed }) => typed)),
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
    expect(names.filter(name => !texts.includes(name))).toEqual([]);
  });
});
