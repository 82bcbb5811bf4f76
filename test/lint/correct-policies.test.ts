import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { type Diagnostic, SourceText } from '@tollgate/diagnostics';
import { createLinter, LINT_RULES, lintText, resolveRules } from '@tollgate/lint';
import { expect, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';

const FOLDER = join(import.meta.dirname, 'fixtures/correct');
const RECOMMENDED = createLinter(resolveRules(LINT_RULES, ['recommended'], []).active);

/** Lints a file named after its profile, purpose and endpoint kind, such as `edge-v2-tcp-office.tcp-edge.yaml`. */
function lint(file: string): readonly Diagnostic[] {
  const profile = PROFILES.filter(({ name }) => file.startsWith(`${name}-`)).toSorted(
    (a, b) => b.name.length - a.name.length,
  )[0]!;
  const kind = profile.endpoints.find(endpoint => file.endsWith(`.${endpoint}.yaml`));
  const endpoint: EndpointKind = kind ?? profile.endpoints[0]!;
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return lintText(new SourceText(file, text), { profile, endpoint }, RECOMMENDED).diagnostics;
}

function shown({ severity, code, message }: Diagnostic): string {
  return `${severity} ${code}: ${message}`;
}

/** Expected findings of severity `info`. */
const INFOS: Readonly<Record<string, readonly string[]>> = {
  // Spellings of a path are worth a thought, but depend on the upstream.
  'modern-blue-green-paths.yaml': ['url/path-spellings'],
  'modern-jwt-claims.yaml': ['url/path-spellings', 'url/normalisation-bypass'],
  'modern-jwt-cors.yaml': ['url/path-spellings', 'url/normalisation-bypass'],
  'modern-webhook-github.yaml': ['url/path-spellings'],
};

it.each(readdirSync(FOLDER))('has no warnings or errors: %s', file => {
  const diagnostics = lint(file);
  expect(diagnostics.filter(({ severity }) => severity !== 'info').map(shown)).toEqual([]);
  expect(diagnostics.map(({ code }) => code)).toEqual(INFOS[file] ?? []);
});

const EXAMPLES = join(ROOT, 'examples/policies');

it.each(readdirSync(EXAMPLES).filter(file => file.endsWith('.yaml')))('has no warnings or errors: example %s', file => {
  const source = new SourceText(file, readFileSync(join(EXAMPLES, file), 'utf8'));
  const profile = PROFILES.find(({ name }) => name === 'edge-v2')!;
  const { diagnostics } = lintText(source, { profile, endpoint: profile.endpoints[0]! }, RECOMMENDED);
  expect(diagnostics.filter(({ severity }) => severity !== 'info').map(shown)).toEqual([]);
});
