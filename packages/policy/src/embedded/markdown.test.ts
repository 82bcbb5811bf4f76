import { MODERN } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { describe, expect, it } from 'vitest';
import { analyzePolicies } from '../analysis/analyze-policy.ts';
import { applyEdits } from '../document/edits.ts';
import { findingsInFile, replacementInFile } from './embedded-policy.ts';
import { partAddress } from './find-in-document.ts';
import { findPolicies } from './find-policies.ts';
import { codeFences } from './markdown.ts';
import { TEMPLATE_KINDS, type TemplateKind } from './placeholders.ts';

const POLICY = 'on_http_request:\n  - expressions: ["req.pth == \'/\'"]\n\n    actions:\n      - type: deny\n';
const prefixed = (prefix: string, text = POLICY) =>
  text.replace(/^(?=.)/gm, prefix).replace(/^$(?=\n)/gm, prefix.trimEnd());
const readme = new SourceText(
  'README.md',
  [
    '# Title\n\nSome `on_http_request:` text.\n',
    `\`\`\`yaml title="p.yaml"\n${POLICY}\`\`\`\n`,
    '```sh\non_http_request: no policy\n```\n',
    `- item\n\n  ~~~\n${prefixed('  ')}  ~~~\n`,
    `> quote\n>\n> \`\`\`yml\n${prefixed('> ')}> \`\`\`\n`,
    '```hcl\nx = jsonencode({ on_http_request = [{ expressions = ["req.pth == 1"], actions = [{ type = "deny" }] }] })\n```\n',
    '```yaml\n- actions: [{type: deny}]\n```\n',
  ].join('\n'),
);

it('finds policies in code blocks, also in lists and quotes', () => {
  const found = findPolicies(readme, { fences: codeFences }).map(policy => {
    const options = { profile: MODERN, endpoint: 'http-endpoint', ...(policy.part && { part: policy.part }) } as const;
    const findings = findingsInFile(policy, analyzePolicies(policy.source, options).diagnostics);
    return [partAddress(policy.path), ...findings.map(({ range }) => readme.text.slice(range.start, range.end))];
  });
  expect(found).toEqual([
    ['1', 'pth'],
    ['3', 'pth'],
    ['4', 'pth'],
    ['5/x', 'pth'],
  ]);
  expect(findPolicies(readme)).toEqual([]);
});

it('changes a code block and nothing else', () => {
  for (const policy of findPolicies(readme, { fences: codeFences }).slice(0, 3)) {
    const text = applyEdits(readme.text, [
      replacementInFile(policy, POLICY.replace('pth', 'url.path').replace('deny', 'log\n      - type: deny'))!,
    ]);
    const again = findPolicies(new SourceText('README.md', text), { fences: codeFences });
    const changed = again.find(one => partAddress(one.path) === partAddress(policy.path))!;
    expect(changed.source.text).toBe(
      POLICY.replace('pth', 'url.path').replace('deny', 'log\n      - type: deny').trimEnd(),
    );
    expect(text.length).toBeGreaterThan(readme.text.length);
  }
});

describe('MDX', () => {
  const tabs = (indent: number) => {
    const before = ' '.repeat(indent);
    return `<Tabs>\n${before}<Tab title="Rule">\n${prefixed(before, `\`\`\`yaml\n${POLICY}\`\`\`\n`)}${before}</Tab>\n</Tabs>\n`;
  };
  const SHAPES: readonly [string, string][] = [
    ['in a component', tabs(0)],
    ['indented like code', tabs(4)],
    ['indented by tabs', tabs(4).replaceAll('    ', '\t')],
    ['indented further than code', tabs(10)],
    [
      'next to a line of text',
      `<Step>\nCreate a file:\n${prefixed('    ', `\`\`\`yaml title="p.yaml" {2,4-5} theme={null}\n${POLICY}\`\`\`\n`)}</Step>\n`,
    ],
    [
      'in a list in a component',
      `<Steps>\n  1. Write\n\n${prefixed('     ', `\`\`\`yaml\n${POLICY}\`\`\`\n`)}</Steps>\n`,
    ],
    ['after an import and an expression', `import A from './a'\n\n{1 < 2 ? <A/> : null}\n\n${tabs(4)}`],
    ['after a component that nothing closes', `<Frame>\n\n${tabs(6)}`],
  ];

  it.each(SHAPES)('contains policies %s, which can be changed', (_, text) => {
    const page = new SourceText('docs/page.mdx', text);
    const [policy, ...others] = findPolicies(page, { fences: codeFences });
    expect(others).toEqual([]);
    const changed = applyEdits(text, [replacementInFile(policy!, policy!.source.text.replace('pth', 'url.path'))!]);
    expect(changed).toBe(text.replace('pth', 'url.path'));
  });

  it('has no indented code, and Markdown has', () => {
    const text = tabs(4);
    expect(findPolicies(new SourceText('page.md', text), { fences: codeFences })).toEqual([]);
  });
});

describe('what readers are to fill in', () => {
  const page = (text: string) => new SourceText('page.md', `# Page\n\n\`\`\`yaml\n${text}\`\`\`\n`);
  const policy = (address: string, country: string, url: string) =>
    `on_http_request:
  - expressions: ["conn.client_ip.is_on_blocklist || '${country}' in req.headers['x-country']", "req.nonsense"]
    actions:
      - type: restrict-ips
        config:
          allow: [${address}]
      - type: redirect
        config:
          to: ${url}
`;
  const codesIn = (file: SourceText, templates?: TemplateKind) =>
    findPolicies(file, { fences: codeFences, templates }).flatMap(one => {
      const options = { profile: MODERN, endpoint: 'http-endpoint', ...(one.part && { part: one.part }) } as const;
      return findingsInFile(one, analyzePolicies(one.source, options).diagnostics).map(({ range }) =>
        file.text.slice(range.start, range.end),
      );
    });

  it.each([
    ['$YOUR_IP/32', '<COUNTRY-01>', '"{your redirect url}"'],
    ['"<YOUR-ADDRESS>"', 'YOUR_COUNTRY', 'https://<your-domain>/'],
    ['"<Internal address Here>"', '<your country>', 'https://$HOST/'],
    ['"{YOUR IP}"', '$COUNTRY', 'https://{your domain}/new'],
    ['ALLOWED_ADDRESS_RANGE', '$COUNTRY', 'NEW_ADDRESS'],
    ['"allowed addresses here (IPv4)"', '$COUNTRY', '"new address here"'],
    ['"ALLOWED_ADDRESS_RANGE"', '$COUNTRY', '"NEW_ADDRESS"'],
  ])('is unknown: %s, %s, %s', (address, country, url) => {
    const errors = codesIn(page(policy(address, country, url)));
    expect(errors.filter(one => one !== 'nonsense' && one !== 'is_on_blocklist')).toEqual([]);
    expect(errors).toContain('nonsense');
    for (const kind of TEMPLATE_KINDS)
      expect(codesIn(page(policy(address, country, url)), kind).sort(), kind).toEqual(errors.toSorted());
  });

  it('is not unknown in policies themselves, nor in other words', () => {
    const file = new SourceText('policy.yaml', policy('$YOUR_IP/32', 'DE', 'https://a.example/'));
    const options = { profile: MODERN, endpoint: 'http-endpoint' } as const;
    expect(analyzePolicies(file, options).diagnostics.map(({ code }) => code)).toContain('config/bad-cidr');
    expect(codesIn(page(policy('your.address', 'DE', 'https://a.example/')))).toContain('your.address');
  });

  it('is also what `--templates` says, if it says so', () => {
    expect(codesIn(page(policy('$address', 'DE', 'https://a.example/')))).toContain('$address');
    expect(codesIn(page(policy('$address', 'DE', 'https://a.example/')), 'envsubst')).not.toContain('$address');
    expect(codesIn(page(policy('"{{ address }}"', 'DE', 'https://a.example/')), 'jinja')).not.toContain(
      '"{{ address }}"',
    );
  });
});
