import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonMember } from '@tollgate/reports';
import { DECISION_MEMBERS, REPLAY_MEMBERS } from '@tollgate/reports/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCaptured } from '../run-captured.ts';

const EDGE = ['--edge', 'examples/edges/bookshop.json'];
const LOG = 'examples/traffic/access.log';

const POLICY = {
  inbound: [
    { expressions: ["int('x') == 1"], actions: [{ type: 'deny' }] },
    { expressions: ["req.Headers['X-None'][0] == 'x'"], actions: [{ type: 'log' }] },
    { expressions: ["req.URL.contains('admin')"], actions: [{ type: 'deny' }] },
    { actions: [{ type: 'url-rewrite', config: { from: 'a', to: 'b' } }] },
  ],
};

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tollgate-'));
  writeFileSync(join(directory, 'policy.json'), JSON.stringify(POLICY));
  writeFileSync(join(directory, 'own.jsonl'), '{"status":200,"m":"GET","uri":"/a"}\n');
  writeFileSync(join(directory, 'cut.log.gz'), Buffer.from([0x1f, 0x8b, 8]));
});

afterAll(() => rmSync(directory, { recursive: true }));

async function replayed(format: string, ...args: readonly string[]): Promise<string> {
  const given = args.map(arg => arg.replace('~', directory));
  return (await runCaptured(['replay', '--format', format, ...given])).output;
}

/** Shapes that are described in words. */
const TOLD =
  /(?:^|\.)(?:diagnostics\[\]|engine|failure|first\[\]|fired|rewritten|errors\[\]|rules\[\]\.needs\[\]|outcome|count|undetermined|statuses\[\]|top\[\]|route|open|place|time\.outcomes\[\]|breakdown\.outcomes\[\]|selection|unread\[\])$/;

/** The paths of all members. Routes have those of a policy, and the three lists of keys those of one. */
function pathsIn(value: unknown, path: string, found: Set<string>): Set<string> {
  if (path !== '') found.add(path);
  if (TOLD.test(path)) return found;
  if (Array.isArray(value)) for (const item of value) pathsIn(item, `${path}[]`, found);
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value))
      pathsIn(member, shared(path === '' ? name : `${path}.${name}`), found);
  return found;
}

function shared(path: string): string {
  return path.replace(/^routes\[\]\.(?!route$|exchanges$)/, '').replace(/\.keys\.[a-z]+\./, '.keys.*.');
}

/** Only standard input arrives out of order: files are sorted. The last two are members of replays of tables. */
const ELSEWHERE = new Set(['late', 'isPartial', 'scannedBytes', 'days']);

function compare(documents: readonly unknown[], members: readonly JsonMember[]): void {
  const found = new Set<string>();
  for (const document of documents) pathsIn(document, '', found);
  const described = new Set(members.map(({ path }) => path));
  // A list is described by its items, or as a whole.
  const isDescribed = (path: string) =>
    described.has(path) || described.has(`${path}[]`) || described.has(path.replace(/\[\]$/, ''));
  expect([...found].filter(path => !isDescribed(path))).toEqual([]);
  expect([...described].filter(path => !found.has(path) && !ELSEWHERE.has(path))).toEqual([]);
}

describe('a replay in JSON', () => {
  it('contains exactly the members that are described', async () => {
    const texts = [
      await replayed(
        'json',
        '--origin',
        'https://e.co',
        'examples/policies/limit-abuse.yaml',
        'examples/traffic/browse.har',
        LOG,
      ),
      await replayed('json', '~/policy.json', LOG, '~/cut.log.gz', 'examples/traffic/browse.har'),
      await replayed('json', ...EDGE, LOG),
      await replayed('json', '--sample', '5', '~/policy.json', LOG),
      await replayed('json', '~/policy.json', '~/own.jsonl'),
    ];
    const documents = texts.map(text => JSON.parse(text));
    compare(documents, REPLAY_MEMBERS);
  });

  it('has lines with exactly the members that are described', async () => {
    const texts = [
      await replayed('ndjson', '~/policy.json', LOG, 'examples/traffic/browse.har'),
      await replayed('ndjson', ...EDGE, '--origin', 'https://books.example', LOG),
    ];
    const decisions = texts.flatMap(text =>
      text
        .trimEnd()
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line)),
    );
    compare(decisions, DECISION_MEMBERS);
  });
});
