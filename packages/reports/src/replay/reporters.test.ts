import type { PolicySummary, RuleSummary } from '@tollgate/simulator';
import { describe, expect, it } from 'vitest';
import { csvReplay } from './decision-lines.ts';
import { htmlReplay } from './html-replay.ts';
import { jsonReplay, replayDocument } from './json-replay.ts';
import { markdownReplay } from './markdown-replay.ts';
import type { ReplayResult } from './replay-result.ts';

const PLACE = { file: 'a|b.log', number: 3, unit: 'line' } as const;
const HOSTILE = '=cmd|"x";</code><script>alert(1)</script>\u001b[31m\r\n`a`';

const RULE: RuleSummary = {
  phase: 'inbound',
  index: 0,
  name: HOSTILE,
  matched: 5,
  notMatched: 1188,
  failed: 3,
  notReached: 0,
  undetermined: 4,
  actions: [
    { type: 'log', fired: { least: 5, most: 9 } },
    { type: 'deny', fired: { least: 5, most: 5 } },
  ],
  errors: [{ text: 'no such key', count: 3, example: PLACE }],
  needs: [{ text: 'req.Host', count: 4, example: PLACE }],
};

const NO_KEYS = { top: [], distinct: 0, unknown: 5 };

const SUMMARY: PolicySummary = {
  rules: [RULE],
  outcomes: [
    { outcome: { kind: 'passed', status: undefined, action: undefined }, count: { least: 1191, most: 1195 } },
    { outcome: { kind: 'denied', status: 403, action: 'deny' }, count: { least: 5, most: 9 } },
  ],
  undetermined: { exchanges: 4, needs: [{ text: 'req.Host', count: 4, example: PLACE }] },
  breakdown: {
    time: {
      width: 1000,
      starts: [0, 2000],
      exchanges: [600, 600],
      outcomes: [{ outcome: { kind: 'passed', status: undefined, action: undefined }, counts: [600, 591] }],
      undetermined: [0, 4],
      untimed: 0,
    },
    statuses: [{ recorded: 200, after: 200, count: 1191 }],
    rules: [
      {
        matched: [0, 5],
        keys: {
          clients: { top: [{ text: '::1', count: { least: 3, most: 4 } }], distinct: undefined, unknown: 0 },
          paths: { top: [{ text: HOSTILE, count: { least: 5, most: 5 } }], distinct: 1, unknown: 0 },
          countries: NO_KEYS,
        },
      },
    ],
  },
};

const ANSWER: ReplayResult = {
  kind: 'policy',
  name: 'p.yaml',
  profile: 'edge-v2',
  endpoint: 'https-route',
  origin: undefined,
  report: { sources: [], diagnostics: [] },
  traffic: { exchanges: 1200, files: [{ file: 'a.log', exchanges: 1200, skipped: 0 }], skipped: [] },
  parts: [{ exchanges: 1200, summary: SUMMARY }],
};

const EDGE: ReplayResult = {
  ...ANSWER,
  kind: 'edge',
  name: 'e.json',
  endpoint: undefined,
  parts: [{ ...ANSWER.parts[0]!, route: { id: 'r1', match: '/api,v1', matchType: 'path_prefix' } }],
  unrouted: { unrouted: 2, open: { exchanges: 1, needs: [{ text: 'req.Host', count: 1, example: PLACE }] } },
};

describe('the report in CSV', () => {
  it('has a row for each rule, and no formulas for spreadsheets', () => {
    const shown = HOSTILE.replace('\u001b', '␛').replace('\r', '␍').replace('\n', '␊');
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    expect(csvReplay(ANSWER).split('\r\n')).toEqual([
      'route,phase,rule,name,matched,not_matched,not_reached,failed,undetermined,actions,needs,errors,clients,paths,countries',
      `,inbound,1,${quoted(`'${shown}`)},5,1188,0,3,4,"log 5-9; deny 5",req.Host 4,no such key 3,::1 3-4,${quoted(`'${shown} 5`)},`,
      '',
    ]);
  });

  it.each(['=1', '+1', '-1', '@x', '＝1'])('prefixes %j with an apostrophe', name => {
    const parts = [{ exchanges: 1, summary: { ...SUMMARY, rules: [{ ...RULE, name }] } }];
    expect(csvReplay({ ...ANSWER, parts }).split('\r\n')[1]).toMatch(`,1,'${name},5`);
  });

  it('names the route of an edge', () => {
    expect(csvReplay(EDGE).split('\r\n')[1]).toMatch(/^"\/api,v1 \(path_prefix\)",inbound,1,/);
  });
});

describe('the report in Markdown', () => {
  it('has tables of outcomes and rules, and collapses the details', () => {
    const name = '=cmd&#124;"x";&#60;/code&#62;&#60;script&#62;alert&#40;1&#41;&#60;/script&#62;␛&#91;31m␍␊&#96;a&#96;';
    expect(markdownReplay(ANSWER)).toBe(`### Tollgate: <code>p.yaml</code> on 1,200 exchanges

| outcome | exchanges |  |
| --- | --- | --- |
| passed | 1,191–1,195 | &#62;99 % |
| denied with 403 | 5–9 | &#60;1 % |

⚠️ undetermined for 4 exchanges: needs req.Host &#40;4&#41;

| rule | name | matched | not matched | not reached | failed | undetermined | actions |
| --- | --- | --- | --- | --- | --- | --- | --- |
| inbound 1 | ${name} | 5 | 1,188 | 0 | 3 | 4 | log 5–9, deny 5 |

<details><summary>Over time</summary>

| from 1970-01-01 00:00:00 UTC | each column is 1 second | most |
| --- | --- | --- |
| passed | <code>█&nbsp;█</code> | 600 |
| undetermined | <code>&nbsp;&nbsp;█</code> | 4 |
| inbound 1 | <code>&nbsp;&nbsp;█</code> | 5 |

</details>

<details><summary>Most frequent matches</summary>

| rule | clients | paths | countries |
| --- | --- | --- | --- |
| inbound 1 | <code>&#58;&#58;1</code> 3–4 | <code>${name}</code> 5 |  |

</details>

<details><summary>Undetermined or failed</summary>

| rule |  | what | exchanges | first |
| --- | --- | --- | --- | --- |
| inbound 1 | needs | <code>req.Host</code> | 4 | <code>a&#124;b.log&#58;3</code> |
| inbound 1 | failed | <code>no such key</code> | 3 | <code>a&#124;b.log&#58;3</code> |

</details>
`);
  });

  it('shows what no route of an edge took', () => {
    const text = markdownReplay(EDGE);
    expect(text).toContain('\n#### <code>/api,v1 &#40;path&#95;prefix&#41;</code> on 1,200 exchanges\n');
    expect(text).toContain('\n⚠️ no route matches 2 exchanges\n');
    expect(text).toContain('\n⚠️ route unknown for 1 exchange: needs req.Host &#40;1&#41;\n');
  });
});

describe('the report in HTML', () => {
  it('is self-contained, and escapes user-supplied strings', () => {
    const page = htmlReplay(ANSWER);
    expect(page).not.toMatch(/<script|<link|<img|src=|url\((?!#)|https?:/);
    expect(page).toContain('=cmd|&#34;x&#34;;&#60;/code&#62;&#60;script&#62;alert(1)&#60;/script&#62;␛[31m␍␊`a`');
    expect(page).toContain('<rect class="passed" x="0.06" y="0" width=".88" height="600"/>');
    expect(page).toContain('<td class="same" style="--s:70%">1,191</td>');
  });

  it('has a section for each route of an edge, and shows what no route took', () => {
    const page = htmlReplay(EDGE);
    expect(page).toContain('<a href="#route-1">/api,v1</a>');
    expect(page).toContain('<h2 id="route-1">/api,v1 (path_prefix)');
    expect(page).toContain('<p class="warn">no route matches 2 exchanges</p>');
  });

  it('is a page even if there was nothing to replay', () => {
    const traffic = { exchanges: 0, files: [], skipped: [] };
    const empty: PolicySummary = { rules: [], outcomes: [], undetermined: { exchanges: 0, needs: [] } };
    const page = htmlReplay({ ...ANSWER, traffic, parts: [{ exchanges: 0, summary: empty }] });
    expect(page).toContain('<h1>p.yaml</h1>');
    expect(page).not.toMatch(/NaN|Infinity|undefined</);
  });
});

describe('the report in JSON', () => {
  it('has all figures, with lists of numbers on one line', () => {
    const text = jsonReplay(ANSWER);
    const { exchanges, files, skipped } = ANSWER.traffic;
    const expected = {
      ...{ version: 1, policy: 'p.yaml', profile: 'edge-v2', endpoint: 'https-route', diagnostics: [] },
      ...{ exchanges, files, skipped, ...SUMMARY },
    };
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(expected)));
    expect(text).toContain('\n      "starts": [0, 2000],\n');
  });

  it('has the routes of an edge', () => {
    expect(replayDocument(EDGE)).toMatchObject({
      edge: 'e.json',
      routes: [{ route: { id: 'r1' }, exchanges: 1200, ...SUMMARY }],
      unrouted: 2,
      open: { exchanges: 1 },
    });
  });
});
