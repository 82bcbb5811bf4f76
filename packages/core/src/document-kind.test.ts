import { type DocumentKind, documentKind } from '@tollgate/core/documents';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';

describe('the kind of a document', () => {
  it.each<[DocumentKind | undefined, string, string]>([
    [undefined, 'a.yaml', 'inbound: []'],
    [undefined, 'a.yaml', 'inbound:\n  - name: tests\n    policy: x\n    tests: y'],
    ['tests', 'a.yaml', 'policy: p.yaml\ntests:\n  - {name: a, expect: {rules: {inbound 1: matched}}}'],
    ['tests', 'a.json', '{"policy": "p.yaml", "tests": []}'],
    ['tests', 'a.test.yaml', 'tests: ['],
    ['edge', 'a.json', '{"hostports": ["a:1"], "policy": {"inbound": []}}'],
    ['edge', 'a.json', '{"routes": [{"match": "/", "match_type": "path_prefix", "policy": {"inbound": []}}]}'],
    [undefined, 'package.json', '{\n  "name": "a",\n  "version": "1.0.0"\n}'],
    [undefined, 'a.yaml', '- a\n- b'],
  ])('is detected from its content: %s, %s %j', (kind, name, text) => {
    expect(documentKind(new SourceText(name, text))).toBe(kind);
  });
});
