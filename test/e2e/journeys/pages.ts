/**
 * The pages of the documentation: those whose commands are run as printed, with the files that they take for granted, and those that are
 * tested otherwise, and how.
 */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../architecture/source-file.ts';
import { geoDatabase } from '../../support/geo-database.ts';
import type { Workplace } from '../../support/workplace.ts';

/** A page that is followed. */
export interface Page {
  /** Relative to the root of the repository. */
  readonly path: string;
  /** The files that the page takes for granted. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** What of this repository the page takes for granted, because it is for a clone. */
  readonly copies?: readonly string[];
}

const POLICY = `on_http_request:
  - name: back office
    expressions:
      - req.url.path.startsWith('/admin/')
    actions:
      - type: deny
  - name: partners show a key
    expressions:
      - req.url.path.startsWith('/api/') && !('x-api-key' in req.headers)
    actions:
      - type: deny
        config:
          status_code: 401
`;

/** A day of traffic in the format that nginx and Apache write unless told otherwise. */
const LOG = Array.from({ length: 2880 }, (_, index) => {
  const time = `21/Nov/2026:${String(Math.floor(index / 120)).padStart(2, '0')}:${String(Math.floor(index / 2) % 60).padStart(2, '0')}:00 +0000`;
  const path = ['/', '/admin/', '/api/orders', '/books/dunes.html'][index % 4];
  return `203.0.113.${index % 200} - - [${time}] "${index % 9 === 0 ? 'POST' : 'GET'} ${path} HTTP/1.1" 200 512 "-" "Mozilla/5.0"\n`;
}).join('');

const DEPLOYMENT = `kind: Deployment
metadata: { name: shop }
---
kind: NgrokTrafficPolicy
spec:
  policy:
${POLICY.replaceAll(/^/gm, '    ').trimEnd()}
`;

const TERRAFORM = `resource "ngrok_cloud_endpoint" "shop" {
  url            = "https://shop.example"
  traffic_policy = <<-EOT
${POLICY.replaceAll(/^(?=.)/gm, '    ')}  EOT
}
`;

const TESTS = `policy: configmap.yaml#/data/policy.yaml
tests:
  - name: the back office is closed
    request: { url: https://shop.example/admin/ }
    expect: { outcome: denied }
`;

const README = `# Shop

\`\`\`sh
make
\`\`\`

\`\`\`json
{}
\`\`\`

\`\`\`yaml
${POLICY.replace("startsWith('/admin/')", "startsWith('/admin/') && conn.client_ip != '$YOUR_IP'")}\`\`\`
`;

/** Two requests in lines of JSON whose names are an application's own. */
const APP_LINES = ['/', '/api/orders']
  .map(uri => `${JSON.stringify({ http: { verb: 'GET', uri, headers: { Host: 'shop.example' } }, key: 'k' })}\n`)
  .join('');

/** The same two in the formats that a page passes to `--log-format`, one file each. */
const RECORDED: Page['files'] = {
  'policy.yaml': POLICY,
  'access.log': LOG,
  'traffic/access.log': LOG,
  'app.jsonl': APP_LINES,
  'nginx.log': `203.0.113.9 [2026-11-21T10:00:00+00:00] "GET /api/orders HTTP/1.1" 200 "Mozilla/5.0" https://shop.example\n`,
  'apache.log': `203.0.113.9 [21/Nov/2026:10:00:00 +0000] "GET /api/orders HTTP/1.1" 200 "Mozilla/5.0" TLSv1.3\n`,
  'main.log': `{"method":"GET","uri":"/api/orders"}\n`,
  'GeoLite2-City.mmdb': geoDatabase({
    type: 'GeoLite2-City',
    networks: { '203.0.113.0/24': { country: { iso_code: 'DE' } } },
  }),
  'GeoLite2-ASN.mmdb': geoDatabase({
    type: 'GeoLite2-ASN',
    networks: { '203.0.113.0/24': { autonomous_system_number: 64_500 } },
  }),
};

/** Those that `npm test` follows: a page takes several seconds. */
export const FIRST_PAGES: readonly Page[] = [
  { path: 'README.md' },
  { path: 'docs/guide/getting-started.md' },
  { path: 'docs/guide/writing-policies.md' },
  { path: 'site/index.md' },
];

const TASKS = [
  'block-bots',
  'canary-by-header',
  'cors',
  'jwt',
  'maintenance-page',
  'rate-limit-by-key',
  'require-api-key',
  'secure-admin',
  'undetermined',
  'verify-webhooks',
];

/** All others. */
export const OTHER_PAGES: readonly Page[] = [
  { path: 'docs/guide/testing.md' },
  { path: 'docs/guide/reviewing-a-change.md' },
  { path: 'docs/guide/linting.md' },
  { path: 'docs/guide/replaying.md' },
  { path: 'docs/guide/extending.md' },
  { path: 'docs/guide/proofs.md' },
  { path: 'docs/guide/publishing.md' },
  { path: 'docs/guide/operating.md' },
  { path: 'docs/guide/queries.md' },
  { path: 'docs/guide/reading-a-replay.md', files: { 'policy.yaml': POLICY, 'access.log': LOG } },
  {
    path: 'docs/guide/recording-tests.md',
    files: { 'policy.yaml': POLICY, 'access.log': LOG, 'traffic/access.log': LOG },
  },
  { path: 'docs/guide/recorded-traffic.md', files: RECORDED },
  {
    path: 'docs/guide/embedded-policies.md',
    files: {
      'deploy.yaml': DEPLOYMENT,
      'main.tf': TERRAFORM,
      'README.md': README,
      'configmap.yaml': `kind: ConfigMap\ndata:\n  policy.yaml: |\n${POLICY.replaceAll(/^(?=.)/gm, '    ')}`,
      'shop.test.yaml': TESTS,
      'access.log': LOG,
      'deploy/edge.yaml': POLICY.replace("'/admin/'", "'/${PREFIX}/'"),
    },
  },
  {
    path: 'docs/guide/trust.md',
    files: {
      'policy.yaml': POLICY,
      'tollgate.yaml': `environments:\n  production:\n    url: https://edge.example\n    apiKey: { env: TOLLGATE_API_KEY }\n`,
    },
  },
  ...TASKS.map(name => ({ path: `docs/tasks/${name}.md` })),
  { path: 'examples/README.md', copies: ['examples', 'tollgate.yaml'] },
  { path: 'packages/cli/README.md', copies: ['examples', 'tollgate.yaml'] },
];

/** The guides that are tested otherwise, and how. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'has no commands',
  'assistants.md': 'runs in an assistant: test/e2e/assistant.deep.test.ts',
  'continuous-integration.md': 'files of CI services: test/integrations',
  'editors.md': 'configurations of editors, and a build in the clone: test/language-server, test/vscode, test/editors',
  'playground.md': 'is used in a browser: test/playground/playground.deep.test.ts',
  'enforcing.md': 'starts servers on ports of its own: test/e2e/simulate.test.ts, test/e2e/enforce.test.ts',
  'installing.md': 'downloads package managers and builds in the clone: npm run check:installation',
};

/** Writes what a page takes for granted; servers listen on the port. */
export function prepare(place: Workplace, { files = {}, copies = [] }: Page, port: string): void {
  for (const name of copies) cpSync(join(ROOT, name), join(place.directory, name), { recursive: true });
  if (copies.includes('tollgate.yaml'))
    place.write('tollgate.yaml', place.read('tollgate.yaml').replaceAll('7373', port));
  for (const [name, content] of Object.entries(files)) place.write(name, content);
}

/** A code block: its language, the file that it stands for, and its text. */
export interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

/** The code blocks of a page, in order. */
export function blocksOf({ path }: Page): readonly Block[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$/gms)].map(
    ([, language = '', file, content = '']) => ({ language, file, text: content }),
  );
}
