/**
 * Every command of the documentation, as printed: block by block in a real shell, in a fresh repository with a fresh home, with the packed
 * command. Output that a page shows is compared.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { ROOT } from '../architecture/source-file.ts';
import { createWorkplace, type Workplace } from '../support/workplace.ts';

let work: Workplace;

beforeAll(async () => {
  work = await createWorkplace();
});

afterAll(() => work?.remove());

/** A code block: its language, the file that it stands for, and its text. */
interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(ROOT, 'docs/guide', page), 'utf8');
  return [...text.matchAll(/^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$/gms)].map(
    ([, language = '', file, content = '']) => ({ language, file, text: content }),
  );
}

const POLICY = `on_http_request:
  - name: back office
    expressions:
      - req.url.path.startsWith('/admin/')
    actions:
      - type: deny
  - name: partners show a key
    expressions:
      - req.url.path.startsWith('/api/') && size(req.headers['x-api-key']) == 0
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

/** The pages that are followed, and the files that they take for granted. */
const PAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '../../README.md': {},
  'getting-started.md': {},
  'writing-policies.md': {},
  'testing.md': {},
  'reviewing-a-change.md': {},
  'linting.md': {},
  'replaying.md': {},
  'extending.md': {},
  'reading-a-replay.md': { 'policy.yaml': POLICY, 'access.log': LOG },
  'recording-tests.md': { 'policy.yaml': POLICY, 'access.log': LOG, 'traffic/access.log': LOG },
};

/** The pages that are tested otherwise, and how. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'has no commands',
  'assistants.md': 'runs in an assistant: test/e2e/assistant.test.ts',
  'carriers.md': 'names files of five kinds: test/e2e/carriers.test.ts',
  'continuous-integration.md': 'files of CI services: test/integrations',
  'editors.md': 'configurations of editors: test/language-server, test/vscode',
  'installing.md': 'downloads package managers: npm run check:installation',
  'operating.md': 'starts servers: test/e2e/publish/documents.deep.test.ts',
  'proofs.md': 'in the clone: test/golden/prove.test.ts',
  'publishing.md': 'starts servers: test/e2e/publish/documents.deep.test.ts',
  'queries.md': 'needs databases: test/e2e/replay-cluster-tables.test.ts',
  'recorded-traffic.md': 'in the clone, with logs of each format: test/e2e/traffic-inputs.test.ts',
  'trust.md': 'trusts a directory of the user: packages/cli/src/trust',
};

it('follows every guide, or says where it is tested', () => {
  const named = [...Object.keys(PAGES).filter(page => !page.includes('/')), ...Object.keys(ELSEWHERE)];
  expect(named.toSorted()).toEqual(readdirSync(join(ROOT, 'docs/guide')).toSorted());
});

const MARK = '@@block';
const FAILURE = '@@failed';

/** The script of a page: its files and commands in order. What each command ends with is checked where it runs. */
function scriptOf(blocks: readonly Block[]): string {
  const parts = blocks.map(({ language, file, text }, index) => {
    const mark = `echo; echo '${MARK} ${index}'`;
    if (file !== undefined)
      return `${mark}\nmkdir -p "$(dirname '${file}')" && cat > '${file}' <<'END_OF_FILE'\n${text}END_OF_FILE`;
    return language === 'sh' ? `${mark}\n${text.split('\n').map(checkedLine).join('\n')}` : mark;
  });
  return `set -E\ntrap 'echo "${FAILURE} $?: $BASH_COMMAND"' ERR\n${parts.join('\n')}`;
}

function checkedLine(line: string): string {
  // What the registry would install is installed from its tarball.
  if (/^npm install --save-dev @tollgate\/cli$/.test(line)) return 'npm ls --silent @tollgate/cli > /dev/null';
  const [, command, code] = /^(.*?) +# exits with (\d+)$/.exec(line) ?? [];
  return command === undefined
    ? line
    : `${command} && code=0 || code=$?; [ $code = ${code} ] || echo '${FAILURE}:' "$code: ${command.replaceAll(/["$`\\]/g, '.')}"`;
}

/** Every page takes several seconds. */
const FOLLOWED = inject('isDeep') ? Object.keys(PAGES) : Object.keys(PAGES).slice(0, 3);

it.each(FOLLOWED)('every command of %s does what the page says', async page => {
  const place = work.fresh();
  for (const [name, text] of Object.entries(PAGES[page]!)) place.write(name, text);
  const blocks = blocksOf(page);
  const { text } = await place.shell(scriptOf(blocks));
  const printed = new Map(
    text
      .split(`\n${MARK} `)
      .slice(1)
      .map(part => [Number.parseInt(part, 10), part.slice(part.indexOf('\n') + 1)]),
  );
  expect([...text.matchAll(new RegExp(`^${FAILURE}.*$`, 'gm'))].map(([line]) => [page, line, text])).toEqual([]);
  expect(blocks.filter(({ language }) => language === 'sh').length).toBeGreaterThan(1);
  for (const [index, { language, file, text: shown }] of blocks.entries()) {
    if (file !== undefined || language !== 'text') continue;
    const before = blocks.slice(0, index).findLastIndex(one => one.language === 'sh');
    if (before >= 0) expect(printed.get(before)).toContain(shown.trimEnd());
  }
  // Pages use one spelling of the command.
  const commands = blocks.filter(one => /^(?:sh|console)$/.test(one.language)).map(one => one.text);
  expect(commands.filter(one => /^tollgate /m.test(one))).toEqual([]);
});
