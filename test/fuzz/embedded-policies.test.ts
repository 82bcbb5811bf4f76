import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MODERN } from '@tollgate/catalog';
import { runCaptured } from '@tollgate/cli';
import { SourceText } from '@tollgate/diagnostics';
import { activate, createLinter, fixText, LINT_RULES, lintText } from '@tollgate/lint';
import {
  type EmbeddedPolicy,
  findingsInFile,
  findPolicies,
  partAddress,
  policyAt,
  readPlain,
  rewriteInFile,
  wholePolicy,
} from '@tollgate/policy';
import { codeFences } from '@tollgate/policy/markdown';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { EMBEDDINGS, foreignFile, type PolicyData, policyYaml } from '../support/embedding-writers.ts';
import { runs } from '../support/runs.ts';

const OPTIONS = { profile: MODERN, endpoint: 'http-endpoint' } as const;
const LINTER = createLinter(LINT_RULES.filter(({ id }) => !id.startsWith('style/')).map(rule => activate(rule)));
const SETTINGS = { fences: codeFences };

/** Conditions with mistakes, most of which have a fix, and names with characters that formats escape. */
const EXPRESSIONS = [
  "req.pth == '/'",
  "req.url.pth == '/é\\n'",
  "req.metod == 'GET'",
  'conn.client_ip == 5',
  "req.url.path.matches('^/admin.php$')",
  "req.url.path == '/' || true",
  "'x' in req.headers",
  'a ==',
  "req.method == 'get'",
  'req.host == "a\\\\b"',
];
const NAMES = ['a', 'é "quoted" \\ \'x\'', 'a: b # c', '${x} %{y}', 'tab\there', '{{ x'];
const ACTIONS = [
  { type: 'deny' },
  { type: 'deny', config: {} },
  { type: 'dney' },
  { type: 'custom-response', config: { status_code: 999, body: 'a ${req.pth} $${b}' } },
  { type: 'log', config: { metadata: { 'a/b': '</p>' } } },
  { type: 'custom-response', config: { status_cde: 200, body: 'line\nbreak' } },
];

const rule = fc.record({
  name: fc.constantFrom(...NAMES),
  expressions: fc.uniqueArray(fc.constantFrom(...EXPRESSIONS), { minLength: 1, maxLength: 3 }),
  actions: fc.uniqueArray(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 2 }),
});
const policies: fc.Arbitrary<PolicyData> = fc.record(
  {
    on_http_request: fc.array(rule, { minLength: 1, maxLength: 3 }),
    on_http_response: fc.array(rule, { maxLength: 2 }),
  },
  { requiredKeys: ['on_http_request'] },
);

const lint = ({ source, part }: Pick<EmbeddedPolicy, 'source' | 'part'>) =>
  lintText(source, { ...OPTIONS, ...(part && { part }) }, LINTER).diagnostics;

/** A Helm template cannot contain `{{` as it is. */
function isWritable(format: string, policy: PolicyData): boolean {
  return format !== 'a Helm template' || !JSON.stringify(policy).includes('{{');
}

/** Codes of findings with the text that they cover, without the escapes of the notation. */
function covered(text: string, found: ReturnType<typeof lint>): readonly string[] {
  return found
    .map(
      ({ code, range }) =>
        `${code} ${text
          .slice(range.start, range.end)
          .replace(/["'\\\s$%]|>|#[^\n]*/g, '')
          .slice(0, 12)}`,
    )
    .toSorted();
}

it('finds the same in every format, at the text that it concerns', () => {
  fc.assert(
    fc.property(policies, fc.constantFrom(...EMBEDDINGS), (policy, { name, write, file, address, isCommented }) => {
      fc.pre(isWritable(name, policy));
      const plain = { source: new SourceText('p.yaml', policyYaml(policy, isCommented)), part: undefined };
      const source = new SourceText(file, write(policy));
      const [embedded, ...others] = findPolicies(source, SETTINGS);
      expect([undefined, embedded && readPlain(embedded.source, embedded.part)]).toContainEqual(
        wholePolicy(source, SETTINGS),
      );
      expect([partAddress(embedded!.path), others]).toEqual([address, []]);
      expect(covered(source.text, findingsInFile(embedded!, lint(embedded!)))).toEqual(
        covered(plain.source.text, lint(plain)),
      );
    }),
    { numRuns: runs(15, 3_000) },
  );
});

it('fixes the same in every format, and changes nothing else', () => {
  fc.assert(
    fc.property(policies, fc.constantFrom(...EMBEDDINGS), (policy, { name, write, file, isCommented }) => {
      fc.pre(isWritable(name, policy));
      const before = new SourceText('p.yaml', policyYaml(policy, isCommented));
      const plain = fixText(before, { lint: source => lint({ source, part: undefined }), kinds: ['safe'] }).source;
      const source = new SourceText(file, write(policy));
      const [embedded] = findPolicies(source, SETTINGS);
      const { part } = embedded!;
      const fixed = fixText(embedded!.source, { lint: source => lint({ source, part }), kinds: ['safe'] }).source;
      const rewritten = rewriteInFile(embedded!, fixed.text, SETTINGS);
      expect(rewritten.refusal).toBeUndefined();
      const again = policyAt(rewritten.file!, embedded!.path, SETTINGS);
      expect(readPlain(again.source, again.part)).toEqual(readPlain(plain));
      if (plain.text === before.text) expect(rewritten.file!.text).toBe(source.text);
    }),
    { numRuns: runs(15, 3_000) },
  );
});

/** Does not exist in any profile. */
const MARK = 'zqx9';

it('finds every policy of a repository at its place, and reports no foreign file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-repository-'));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  };
  const policy = { on_http_request: [{ name: 'a', expressions: [`req.${MARK} == '/'`], actions: [{ type: 'deny' }] }] };
  const expected = EMBEDDINGS.map(({ file, write: inFile }) => {
    const text = inFile(policy);
    write(file, text);
    const { line, character } = new SourceText(file, text).positionAt(text.indexOf(MARK));
    return `${file}:${line + 1}:${character + 1}`;
  });
  for (let index = 0; index < 200; index += 1) write(`foreign/${index % 7}/f${index}.yaml`, foreignFile(index));
  vi.spyOn(process, 'cwd').mockReturnValue(directory);
  const { output, errors } = await runCaptured(['check', '-f', 'compact', '--verbose', directory]);
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
  const found = [...output.replaceAll(`${directory}/`, '').matchAll(/^(\S+:\d+:\d+): error: .*zqx9/gm)].map(
    ([, place]) => place,
  );
  expect(found.toSorted()).toEqual(expected.toSorted());
  expect(output).toContain(`\n${EMBEDDINGS.length} errors in ${EMBEDDINGS.length} files\n`);
  expect(errors).toContain('skipped 200 files that contain neither a policy nor tests: ');
});
