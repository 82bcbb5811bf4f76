import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { createLinter, LINT_RULES, lintText, resolveRules } from '@tollgate/lint';
import { expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/correct');
const RECOMMENDED = createLinter(resolveRules(LINT_RULES, ['recommended'], []).active);

/** `modern-jwt-cors.yaml`, `edge-v2-tcp-office.tcp-edge.yaml`: the profile, what the policy is for, and the kind of endpoint. */
function lint(file: string): readonly Diagnostic[] {
  const profile = PROFILES.filter(({ name }) => file.startsWith(`${name}-`)).toSorted(
    (a, b) => b.name.length - a.name.length,
  )[0]!;
  const kind = profile.endpoints.find(one => file.endsWith(`.${one}.yaml`));
  const endpoint: EndpointKind = kind ?? profile.endpoints[0]!;
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return lintText(new SourceText(file, text), { profile, endpoint }, RECOMMENDED).diagnostics;
}

function shown({ severity, code, message }: Diagnostic): string {
  return `${severity} ${code}: ${message}`;
}

/** Notes that the reader of such a policy may want. */
const NOTES: Readonly<Record<string, readonly string[]>> = {
  // `/ordersx` is handed to the service for orders too. That service answers, so it is worth no more than a note.
  'modern-fan-out.yaml': ['url/prefix-boundary'],
};

it.each(readdirSync(FOLDER))('finds nothing wrong with %s', file => {
  const found = lint(file);
  expect(found.filter(({ severity }) => severity !== 'info').map(shown)).toEqual([]);
  expect(found.map(({ code }) => code)).toEqual(NOTES[file] ?? []);
});

const EXAMPLES = join(ROOT, 'examples/policies');

it.each(readdirSync(EXAMPLES).filter(file => file.endsWith('.yaml')))(
  'finds nothing wrong with the example %s',
  file => {
    const source = new SourceText(file, readFileSync(join(EXAMPLES, file), 'utf8'));
    const profile = PROFILES.find(({ name }) => name === 'edge-v2')!;
    const { diagnostics } = lintText(source, { profile, endpoint: profile.endpoints[0]! }, RECOMMENDED);
    expect(diagnostics.filter(({ severity }) => severity !== 'info').map(shown)).toEqual([]);
  },
);
