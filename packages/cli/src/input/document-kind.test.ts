import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { type DocumentKind, documentKind } from './document-kind.ts';

describe('the kind of a document', () => {
  it.each<[DocumentKind, string, string]>([
    ['policy', 'a.yaml', 'inbound: []'],
    ['policy', 'a.json', '{"outbound":[]}'],
    ['policy', 'a.yaml', 'on_http_request:\n  - actions: []'],
    ['policy', 'a.yaml', 'spec:\n  policy:\n    inbound: []'],
    ['policy', 'a.yaml', 'enabled: true'],
    ['policy', 'a.yaml', 'inbuond: []'],
    ['policy', 'a.json', '{\n  "on_http_requst": []\n}'],
    ['policy', 'a.yaml', ' \n'],
    ['policy', 'a.yaml', 'inbound:\n  - name: tests\n    policy: x\n    tests: y'],
    ['tests', 'a.yaml', 'policy: p.yaml\ntests:\n  - {name: a, expect: {rules: {inbound 1: matched}}}'],
    ['tests', 'a.json', '{"policy": "p.yaml", "tests": []}'],
    ['tests', 'a.test.yaml', 'tests: ['],
    ['edge', 'a.json', '{"hostports": ["a:1"], "policy": {"inbound": []}}'],
    ['edge', 'a.json', '{"routes": [{"match": "/", "match_type": "path_prefix", "policy": {"inbound": []}}]}'],
    ['other', 'package.json', '{\n  "name": "a",\n  "version": "1.0.0"\n}'],
    ['other', 'compose.yaml', 'services:\n  web:\n    image: nginx\n'],
    ['other', 'a.yaml', '- a\n- b'],
  ])('is detected from its content: %s, %s %j', (kind, name, text) => {
    expect(documentKind(new SourceText(name, text))).toBe(kind);
  });
});
