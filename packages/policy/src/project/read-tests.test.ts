import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { readTests } from './read-tests.ts';

const HEAD = 'policy: p.yaml\ntests:\n';

/** Returns the diagnostics, each with the source it points at. */
function faultsOf(text: string): readonly string[] {
  const { value, diagnostics } = readTests(new SourceText('tests.yaml', text));
  expect(value === undefined).toBe(diagnostics.length > 0);
  return diagnostics.map(({ code, message, range }) => `${code} ${text.slice(range.start, range.end)}: ${message}`);
}

describe('a file of policy tests', () => {
  it('is read as written, without nulls', () => {
    const text = `${HEAD}  - name: a\n    request: { url: /a, method: , headers: { X-Key: , Cookie: [a=1, b=2] } }\n    expect: { outcome: denied, rules: { inbound 1: matched } }\n`;
    expect(readTests(new SourceText('tests.yaml', text))).toMatchObject({ diagnostics: [] });
    expect(readTests(new SourceText('tests.yaml', text)).value).toEqual({
      policy: 'p.yaml',
      tests: [
        {
          name: 'a',
          request: { url: '/a', headers: { 'X-Key': null, Cookie: ['a=1', 'b=2'] } },
          expect: { outcome: 'denied', rules: { 'inbound 1': 'matched' } },
        },
      ],
    });
  });

  it.each([
    ['', 'settings/invalid : missing key `policy`', 'settings/invalid : missing key `tests`'],
    ['policy: a\ntests: []', 'settings/invalid []: expected at least 1 items'],
    [
      `${HEAD}  - { name: a, expct: {}, expect: { outcome: deny } }`,
      'settings/invalid expct: unknown key `expct`; did you mean `expect`?',
      `settings/invalid deny: expected one of ${'`passed`, `forwarded`, `denied`, `refused`, `answered`, `redirected`, `replaced`, `closed`, `failed`'}, found \`deny\``,
    ],
    [
      `${HEAD}  - { name: a, expect: { status: 200 } }\n  - { name: a, expect: {} }`,
      'test/invalid a: duplicate test name `a`',
      'test/no-assertion {}: a test without expectations cannot fail; add one to `expect`',
    ],
    [
      `${HEAD}  - { name: a, now: 2026-03-02, request: { url: shop, headers: { X: 5, a b: x } }, expect: { headers: { Y: [] } } }`,
      'test/invalid 2026-03-02: expected a time with a zone, such as `2026-03-02T10:15:30Z`, found `2026-03-02`',
      'test/invalid shop: expected an absolute URL or a path that begins with `/`, found `shop`',
      'test/invalid 5: expected a string, a list of strings, or null for no `X`',
      'test/invalid a b: expected a header name, found `a b`',
      'test/invalid []: expected a string, a list of strings, or null for no `Y`',
    ],
    [
      `now: 2026-02-30T25:00:00Z\n${HEAD}  - { name: a, expect: { outcome: passed } }`,
      'test/invalid 2026-02-30T25:00:00Z: expected a time with a zone, such as `2026-03-02T10:15:30Z`, found `2026-02-30T25:00:00Z`',
    ],
  ])('reports every error with its range: %j', (text, ...faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });
});
