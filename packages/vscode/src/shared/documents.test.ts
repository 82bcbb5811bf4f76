import { describe, expect, it } from 'vitest';
import { languagesFor, mayContainPolicy } from './documents.ts';

const POLICY = 'on_http_request:\n  - actions:\n      - type: deny\n';
const start = (languageId: string, text: string, path = '/w/a.txt') => mayContainPolicy({ languageId, path, text });

describe('documents that start the server', () => {
  it.each([
    ['a policy in YAML', 'yaml', POLICY],
    ['a policy in JSON', 'json', '{"inbound":[{"actions":[{"type":"deny"}]}]}'],
    ['an empty policy with the language mode', 'tollgate', ''],
    ['a policy in a string of JSON', 'json', '{"data": "{\\"actions\\": []}"}'],
    ['a policy in Terraform', 'terraform', 'actions = [{ type = "deny" }]'],
    ['a policy in Markdown', 'markdown', `\`\`\`yaml\n${POLICY}\`\`\`\n`],
  ])('%s', (_, languageId, text) => {
    expect(start(languageId, text)).toBe(true);
  });

  it.each(['/w/tollgate.yaml', 'C:\\w\\tollgate.yaml', '/w/shop.test.yaml', '/w/shop.invariants.yaml'])('%s', path => {
    expect(start('yaml', '', path)).toBe(true);
  });
});

describe('documents that do not start the server', () => {
  it.each([
    ['other YAML', 'yaml', 'jobs:\n  build:\n    steps:\n      - uses: actions/checkout@v4\n'],
    ['other JSON', 'json', '{"name": "actions"}'],
    ['a policy in a language that is not read', 'python', POLICY],
    ['YAML that is named similarly', 'yaml', 'reactions: 3\n'],
  ])('%s', (_, languageId, text) => {
    expect(start(languageId, text)).toBe(false);
  });

  it('are not sent to it if policies are not recognized', () => {
    expect(languagesFor('off')).toEqual(['tollgate']);
    expect(languagesFor('attach')).toContain('yaml');
  });
});
