import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePermalink, encodePermalink, MAX_STATE_BYTES, type PlaygroundState } from './permalink.ts';

/** Links of each format, as they were first written. They open permanently: add links, and never change one. */
const FROZEN: readonly { readonly link: string; readonly state: PlaygroundState }[] = [
  {
    link: '1.ZcxRCoAgEAXAq8T7jg6wVykRsY0EXU23KKK7R98dYObGEiI30HhDXGIQSo7BX8PlUkQP5VNByGJX1WIrbzs3pW40k-AxPZzXcPxdqfmbQUh55ip4Xg',
    state: {
      files: [{ name: 'policy.yaml', text: 'on_http_request: []\n' }],
      active: 'policy.yaml',
      profile: 'modern',
    },
  },
  {
    link: '1.bZBNasMwEIWvMrxVC4qjhP7QIfQUXTUOQbEnrUGWVElOY4wP1HP0YkUkdFG6nu97vHkTjp2VBN5OcKYXMIK3XTNWo-ktFLKcMxje7d9zDvsoH4OkzLUjWlAxmJynxhy_v2iTmtiF_FyORHIOUVLqvEtM2xrRuLZq_XCwcnNLG9LVfY3dhTVNvnJTHoMwteLGeVc7zOq3WPbWvpksf6qF6MsPTL1vJbri7BRK4uk_64qDceGh4PwnGGu9flisVov13Yt-Yq1Z61coJJEW_KiQzaHERdMIFDoXhpzAE66TgNEM0VKZKfFyKWfTBytV4_slZoWTxLIFGLpaVRrzDw',
    state: {
      files: [
        {
          name: 'policy.yaml',
          text: 'on_http_request:\n  - name: no caf\u00e9 <script>\n    expressions: ["rand.double() < 0.5"]\n    actions: [{type: deny}]\n',
        },
        { name: 'tollgate.yaml', text: 'profile: modern\n' },
      ],
      active: 'tollgate.yaml',
      profile: 'modern',
      now: '2026-11-24T09:00:00Z',
      seed: 7,
      tab: 'trace',
      inputs: { request: 'curl https://example.com/' },
      version: '0.1.0',
    },
  },
];

const state: PlaygroundState = {
  files: [
    { name: 'policy.yaml', text: 'on_http_request: []\n' },
    { name: 'tollgate.yaml', text: 'profile: modern\n' },
  ],
  active: 'tollgate.yaml',
  profile: 'modern',
  now: '2026-11-24T09:00:00Z',
  seed: 7,
  tab: 'trace',
  inputs: { request: 'curl https://example.com/' },
  version: '0.1.0',
};

/** Returns a link to any JSON text. */
function linkTo(text: string | Buffer): string {
  return `#1.${deflateRawSync(text, { level: 9 }).toString('base64url')}`;
}

describe('permalinks', () => {
  it.each(FROZEN)('opens the old link $link', async ({ link, state }) => {
    expect(await decodePermalink(link)).toEqual(state);
    expect(await decodePermalink(`#${link}`)).toEqual(state);
  });

  it('reads what it wrote, with every option', async () => {
    expect(await decodePermalink(await encodePermalink(state))).toEqual(state);
  });

  it('reads what it wrote, whatever files contain', async () => {
    const texts = fc.string({ unit: 'binary' });
    await fc.assert(
      fc.asyncProperty(texts, fc.dictionary(fc.string(), texts), fc.integer(), async (text, inputs, seed) => {
        const one = { files: [{ name: 'policy.yaml', text }], active: 'policy.yaml', profile: 'modern', inputs, seed };
        const read = await decodePermalink(await encodePermalink(one));
        expect(read).toEqual(one);
      }),
    );
  });

  it('is a fragment of a URL as it is', async () => {
    const link = await encodePermalink(state);
    expect(link).toMatch(/^1\.[\w-]+$/);
    expect(new URL(`https://example.com/play/#${link}`).hash).toBe(`#${link}`);
  });

  it('stops at 1 MB, long before a small link has filled the memory', async () => {
    const bomb = linkTo(Buffer.alloc(20_000_000, 0x20));
    expect(bomb.length).toBeLessThan(30_000);
    await expect(decodePermalink(bomb)).rejects.toThrow('a link contains at most 1 MB; shorten the files');
    const large = { ...state, files: [{ name: 'policy.yaml', text: 'x'.repeat(MAX_STATE_BYTES) }] };
    await expect(encodePermalink({ ...large, active: 'policy.yaml' })).rejects.toThrow('at most 1 MB');
  });

  it('refuses nesting without a deep stack', async () => {
    await expect(decodePermalink(linkTo('['.repeat(900_000)))).rejects.toThrow('this link is damaged');
    const nested = `{"files": ${'['.repeat(400_000)}${']'.repeat(400_000)}}`;
    await expect(decodePermalink(linkTo(nested))).rejects.toThrow('expected file 1 to be an object');
  });

  it.each([
    ['', 'this is not a link to the playground, or a part of it is missing'],
    ['#section', 'this is not a link to the playground, or a part of it is missing'],
    ['#1.a b', 'this is not a link to the playground, or a part of it is missing'],
    [
      '#2.q1YqSS0uUbJSSkksSVSqBQA',
      'this link has format 2, and this playground reads format 1; open it in a newer one',
    ],
    ['#1.', 'this link is damaged; copy the whole link'],
    ['#1.AAAAA', 'this link is damaged; copy the whole link'],
    [linkTo('{}').slice(0, -2), 'this link is damaged; copy the whole link'],
    [linkTo(Buffer.from([0x22, 0xff, 0x22])), 'this link is damaged; copy the whole link'],
    [linkTo('null'), 'this link cannot be opened: expected the state to be an object'],
    [linkTo('{"files": []}'), 'this link cannot be opened: expected `files` to have 1 to 50 files'],
  ])('refuses %s', async (link, message) => {
    await expect(decodePermalink(link)).rejects.toThrow(expect.objectContaining({ name: 'PermalinkError', message }));
  });

  it.each([
    [
      { files: [{ name: '../x', text: '' }] },
      'the name of file 1 to be without slashes and invisible characters, found "../x"',
    ],
    [
      { files: [{ name: 'a\u202eb', text: '' }] },
      'the name of file 1 to be without slashes and invisible characters, found "a\ufffdb"',
    ],
    [{ files: [{ name: '..', text: '' }] }, 'the name of file 1 to be more than dots, found ".."'],
    [{ files: [{ name: '', text: '' }] }, 'the name of file 1 to be 1 to 100 characters long, found ""'],
    [{ files: [{ name: 'a', text: 1 }], active: 'a' }, 'the text of "a" to be a string'],
    [
      {
        files: [
          { name: 'a', text: '' },
          { name: 'a', text: '' },
        ],
      },
      'different names, found two files named "a"',
    ],
    [{ active: 'missing' }, '`active` to be the name of a file, found "missing"'],
    [{ profile: 1 }, '`profile` to be a string'],
    [{ now: 'yesterday' }, '`now` to be a time such as 2026-11-24T09:00:00Z, found "yesterday"'],
    [{ now: '2026-13-24T09:00:00Z' }, '`now` to be a time such as 2026-11-24T09:00:00Z, found "2026-13-24T09:00:00Z"'],
    [{ seed: 0.5 }, '`seed` to be an integer'],
    [{ inputs: { request: 1 } }, 'the input "request" to be a string'],
  ])('refuses a state with %j', async (change, message) => {
    const text = JSON.stringify({ ...state, ...change });
    await expect(decodePermalink(linkTo(text))).rejects.toThrow(`this link cannot be opened: expected ${message}`);
  });
});
