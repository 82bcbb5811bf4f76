import { EDGE_V2 } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { createPhaseEnvironments } from '../expressions/phase-environment.ts';
import { type Analysis, analyzePolicy } from './analyze-policy.ts';

const OPTIONS = {
  profile: EDGE_V2,
  endpoint: 'https-route',
  environments: createPhaseEnvironments(EDGE_V2, 'https-route'),
} as const;

const analyze = (text: string): Analysis => analyzePolicy(new SourceText('p', text), OPTIONS);

/** A policy with the expression as it stands, and a mistake behind it, which must be found all the same. */
const policy = (expression: string) =>
  `inbound:\n- expressions:\n  - ${expression}\n  - req.Pth == '/'\n  actions:\n  - type: log\n`;

describe('an unquoted expression that YAML reads as something else', () => {
  it.each([
    ["!hasReqHeader('X') || true", 'yaml/unknown-tag', "!hasReqHeader('X')"],
    ["!!hasReqHeader('X')", 'yaml/unknown-tag', "!!hasReqHeader('X')"],
    ["! hasReqHeader('X')", 'yaml/unknown-tag', '!'],
    ['"GET" == req.Method', 'yaml/unquoted-text', '"GET"'],
    ["'X' in req.Headers", 'yaml/unquoted-text', "'X'"],
    ['[1, 2].exists(x, x == req.ContentLength)', 'yaml/unquoted-text', '['],
    ["{'a': true}['a']", 'yaml/unquoted-text', '{'],
    ["req.Path == '/a #b'", 'yaml/comment-in-text', "#b'"],
    ["req.Path == '/' ? true : false", 'policy/unquoted-expression', "req.Path == '/' ? true : false"],
    ['true', 'policy/unquoted-expression', 'true'],
    ['"req.Path.matches(r\'\\.php$\')"', 'yaml/bad-dq-escape', '\\.'],
  ])('is reported with a fix, and hides no later error: %s', (expression, code, marked) => {
    const text = policy(expression);
    const { diagnostics } = analyze(text);
    const found = diagnostics.map(one => [one.code, text.slice(one.range.start, one.range.end)]);
    expect(found).toEqual([
      [code, marked],
      ['name/undeclared-field', 'Pth'],
    ]);
    const { range, newText } = diagnostics[0]!.fixes![0]!.edits[0]!;
    const fixed = text.slice(0, range.start) + newText + text.slice(range.end);
    expect(analyze(fixed).diagnostics.map(one => one.code)).toEqual(['name/undeclared-field']);
  });

  it.each([
    ['@x', 'yaml/bad-scalar-start', '@'],
    ['`x`', 'yaml/bad-scalar-start', '`'],
    ['%x', 'yaml/bad-scalar-start', '%'],
    ['> 5', 'yaml/unquoted-text', '>'],
    ['*any == 1', 'yaml/unquoted-text', '*'],
    ['*.example.com', 'yaml/unknown-alias', '*.example.com'],
  ])('is reported, and hides no later error: %s', (expression, code, marked) => {
    const text = policy(expression);
    const found = analyze(text).diagnostics.map(one => [one.code, text.slice(one.range.start, one.range.end)]);
    expect(found).toEqual([
      [code, marked],
      ['name/undeclared-field', 'Pth'],
    ]);
  });

  it.each(['yes', 'NO', 'On', 'off'])('is reported as a string since YAML 1.2: %s', word => {
    expect(analyze(`enabled: ${word}`).diagnostics.map(one => one.message)).toEqual([
      `\`enabled\` must be \`true\` or \`false\`, found \`${word}\`, which is a string since YAML 1.2`,
    ]);
  });

  it('ignores block scalars, whatever they look like', () => {
    const block = 'outbound:\n- name: |\n    - "a" b\n    - [c] d\n  actions: [type: log]\nenabled: *x\n';
    expect(analyze(block).diagnostics.map(one => one.code)).toEqual(['yaml/unknown-alias']);
  });
});
