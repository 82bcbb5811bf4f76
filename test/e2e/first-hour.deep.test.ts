/** What people do first, as they do it: relative paths, another repository, the packed command, files of all kinds. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM, launchChromium } from '../support/chromium.ts';
import { createWorkplace, type Workplace } from '../support/workplace.ts';

let work: Workplace;

beforeAll(async () => {
  work = await createWorkplace();
});

afterAll(() => work?.remove());

const POLICY = (path: string) => `on_http_request:
  - name: back office
    expressions:
      - req.url.path.startsWith('${path}')
    actions:
      - type: deny
        config:
          status_code: 404
`;
const LOG = ['/admin/', '/office/', '/'].map(
  path => `198.51.100.7 - - [24/Nov/2026:09:14:02 +0000] "GET ${path} HTTP/1.1" 200 512 "-" "Mozilla/5.0"\n`,
);

/** The code with which each command of a script ends, and what they print. */
async function run(place: Workplace, script: string, folder?: string): Promise<string> {
  const { text } = await place.shell(`${script}\necho "exit $?"`, folder);
  return text;
}

describe('a revision of Git', () => {
  let shop: Workplace;

  beforeAll(async () => {
    shop = work.fresh();
    shop.write('policies/p.yaml', POLICY('/admin/'));
    shop.write('traffic/access.log', LOG.join(''));
    await shop.shell('git add . && git commit --quiet -m one');
    shop.write('policies/p.yaml', POLICY('/office/'));
    shop.write('policies/new.yaml', POLICY('/new/'));
    await shop.shell('git add policies/new.yaml');
  });

  const FROM = [
    ['the root', '.', 'policies/p.yaml', 'traffic/access.log'],
    ['a subdirectory', 'policies', 'p.yaml', '../traffic/access.log'],
    ['a directory next to it', 'traffic', '../policies/p.yaml', 'access.log'],
  ] as const;

  it.each(FROM)('is read from %s', async (_, folder, policy, log) => {
    const differences = await run(shop, `npx tollgate diff git:HEAD ${policy}`, folder);
    expect(differences).toContain(`git:HEAD → ${policy}: 2 differences\n`);
    expect(differences).toMatch(/exit 1\n$/);
    const impact = await run(shop, `npx tollgate impact git:HEAD ${policy} ${log}`, folder);
    expect(impact).toContain('2 of 3 exchanges change');
    expect(impact).toMatch(/exit 0\n$/);
  });

  it.each(FROM)('is what changes are counted from, in %s', async (_, folder, policy) => {
    const files = policy.replace(/p\.yaml$/, '');
    const changed = await run(shop, `npx tollgate fmt --verbose --check --changed ${files || '.'}`, folder);
    expect(changed).toBe('2 files unchanged\nexit 0\n');
    const staged = await run(shop, `npx tollgate lint --staged ${files || '.'}`, folder);
    expect(staged).toBe('no problems in 1 file\nexit 0\n');
  });
});

describe('a named file without a policy', () => {
  let shop: Workplace;
  const OTHERS: Readonly<Record<string, string>> = {
    'README.md': '# A shop\n\n```yaml\nreplicas: 3\n```\n',
    'main.tf': 'resource "null_resource" "a" {\n  triggers = { a = 1 }\n}\n',
    'values.yaml': 'replicas: 3\nimage: { tag: latest }\n',
    'empty.yaml': '',
    'rules.yaml': 'inbound:\n  - { port: 443, from: 0.0.0.0/0 }\n',
    'settings.json': '{ "name": "shop", "on": true }\n',
    'chart/templates/service.yaml':
      'kind: Service\nmetadata:\n  name: {{ .Values.name }}\n{{- if .Values.x }}\n{{ end }}\n',
    '.github/workflows/ci.yml': 'on: [push]\njobs: { a: { runs-on: x, steps: [{ run: "true" }] } }\n',
    'notes.txt': 'Nothing here: [\n',
  };

  beforeAll(() => {
    shop = work.fresh();
    shop.write('policy.yaml', POLICY('/admin/'));
    for (const [name, text] of Object.entries(OTHERS)) shop.write(name, text);
  });

  it.each(['check', 'lint', 'fmt --check'])('is passed over by %s next to others', async command => {
    const names = Object.keys(OTHERS).join(' ');
    const expected = command.startsWith('fmt') ? '1 file unchanged\n' : 'no problems in 1 file\n';
    expect(await run(shop, `npx tollgate ${command} ${names} policy.yaml`)).toBe(`${expected}exit 0\n`);
    expect(await run(shop, `npx tollgate ${command} ${names}`)).toBe('tollgate: no policy in 9 files\nexit 2\n');
    const allowed = await run(shop, `npx tollgate ${command} --allow-empty README.md`);
    expect(allowed).toBe('tollgate: no policy in 1 file\nexit 0\n');
  });

  it('is an error where one is expected', async () => {
    expect(await run(shop, 'npx tollgate trace README.md --url https://shop.example/')).toBe(
      'tollgate: no policy in `README.md`\nexit 2\n',
    );
  });

  it.each([
    ['a misspelt phase', 'on_http_requst:\n  - actions: [{ type: deny }]\n', 'on_http_request'],
    ['rules that are no list', 'on_http_request: deny\n', 'on_http_request'],
    ['an open bracket', 'on_http_request:\n  - actions: [{ type: deny }\n', 'yaml/'],
    ['rules without a phase', '- expressions: [req.method == "GET"]\n  actions: [{ type: deny }]\n', 'must be a map'],
  ])('is not one that is meant as a policy: %s', async (_, text, expected) => {
    shop.write('broken.yaml', text);
    const printed = await run(shop, 'npx tollgate check broken.yaml');
    expect(printed).toContain(expected);
    expect(printed).toMatch(/exit 1\n$/);
  });
});

describe('an option with one value', () => {
  let shop: Workplace;

  beforeAll(() => {
    shop = work.fresh();
    shop.write('policy.yaml', POLICY('/admin/'));
    shop.write('edge.yaml', 'variables: [{ path: req.tenant, type: string }]\n');
    shop.write('access.log', LOG.join(''));
  });

  it.each([
    ['lint --preset recommended policy.yaml'],
    ['lint --preset recommended --preset style policy.yaml'],
    ['lint --unsafe-fixes --traffic access.log policy.yaml'],
    ['check --env edge.yaml policy.yaml'],
    ['check --env edge.yaml --env edge.yaml policy.yaml'],
  ])('leaves the file after it: %s', async command => {
    expect(await run(shop, `npx tollgate ${command}`)).toBe('no problems in 1 file\nexit 0\n');
  });
});

/** UTF-8 that was read in an encoding with one byte per character. */
const MOJIBAKE = /[\u00c2\u00c3\u00e2][\u0080-\u00bf\u2013-\u2122\u0152-\u0178\u02c6\u02dc]/;

describe('the reports', () => {
  let shop: Workplace;

  beforeAll(() => {
    shop = work.fresh();
    shop.write('old.yaml', POLICY('/admin/'));
    shop.write('policy.yaml', POLICY('/office/'));
    shop.write('access.log', LOG.join(''));
    shop.write(
      'policy.test.yaml',
      'policy: policy.yaml\ntests:\n  - { name: Büro – нет, request: { url: / }, expect: { outcome: passed } }\n',
    );
    shop.write(
      'a.invariants.yaml',
      "policy: policy.yaml\ninvariants:\n  - { name: 読む →, never: decision.outcome == 'denied' }\n",
    );
  });

  it.each([
    'replay -f html policy.yaml access.log',
    'replay -f markdown policy.yaml access.log',
    'replay policy.yaml access.log',
    'impact -f html old.yaml policy.yaml access.log',
    'impact -f markdown old.yaml policy.yaml access.log',
    'trace --format html policy.yaml --url https://shop.example/office/',
    'trace policy.yaml --url https://shop.example/office/',
    'diff old.yaml policy.yaml',
    'prove a.invariants.yaml',
    'test policy.test.yaml',
    'explain url/open-redirect',
    'lint -f markdown policy.yaml',
  ])('of the packed command are written in UTF-8: %s', async command => {
    const printed = await run(shop, `npx tollgate ${command}`);
    expect(printed).toMatch(/exit [01]\n$/);
    expect(printed).not.toMatch(MOJIBAKE);
    expect(printed).not.toContain('\ufffd');
  });

  it.skipIf(CHROMIUM === undefined).each([
    ['replay -f html=page.html policy.yaml access.log', '·'],
    ['impact -f html=page.html old.yaml policy.yaml access.log', '→'],
    ['trace --format html policy.yaml --url https://shop.example/office/ > page.html', '✓'],
  ])('of the packed command are read as UTF-8 in a browser: %s', async (command, expected) => {
    expect(await run(shop, `npx tollgate ${command}`)).toBe('exit 0\n');
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(shop.directory, 'page.html')).href);
      const shown = (await page.locator('body').textContent()) ?? '';
      expect(shown).toContain(expected);
      expect(shown).not.toMatch(MOJIBAKE);
    } finally {
      await browser.close();
    }
  });
});
