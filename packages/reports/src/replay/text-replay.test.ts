import { ANSI, PLAIN } from '@tollgate/diagnostics';
import type { PolicySummary, RuleSummary, TrafficSummary } from '@tollgate/simulator';
import { describe, expect, it } from 'vitest';
import type { ReplayResult } from './replay-result.ts';
import { textReplay } from './text-replay.ts';

const LINE_3 = { file: 'a.log', number: 3, unit: 'line' } as const;

const IDLE: RuleSummary = {
  phase: 'inbound',
  index: 0,
  name: undefined,
  matched: 0,
  notMatched: 1200,
  failed: 0,
  notReached: 0,
  undetermined: 0,
  actions: [{ type: 'deny', fired: { least: 0, most: 0 } }],
  errors: [],
  needs: [],
};

const TRAFFIC: TrafficSummary = {
  exchanges: 1200,
  files: [
    { file: 'a.log', exchanges: 1200, skipped: 2 },
    { file: 'b.har', exchanges: 0, skipped: 0 },
  ],
  skipped: [
    {
      reason: 'traffic/malformed-line',
      count: 2,
      first: [
        { place: LINE_3, reason: 'traffic/malformed-line', excerpt: 'x' },
        { place: { ...LINE_3, number: 9 }, reason: 'traffic/malformed-line', excerpt: 'x' },
      ],
    },
  ],
};

const SUMMARY: PolicySummary = {
  rules: [
    IDLE,
    {
      ...IDLE,
      index: 1,
      name: 'naïve 表\u001b[31m',
      matched: 5,
      notMatched: 1188,
      failed: 3,
      undetermined: 4,
      actions: [
        { type: 'log', fired: { least: 5, most: 9 } },
        { type: 'deny', fired: { least: 5, most: 9 } },
      ],
      errors: [{ text: 'no such key', count: 3, example: LINE_3 }],
      needs: [{ text: 'req.Host', count: 4, example: LINE_3 }],
    },
    { ...IDLE, phase: 'outbound', name: 'x'.repeat(60), notMatched: 1191, notReached: 9 },
  ],
  outcomes: [
    { outcome: { kind: 'passed', status: undefined, action: undefined }, count: { least: 1191, most: 1195 } },
    { outcome: { kind: 'denied', status: 403, action: 'deny' }, count: { least: 5, most: 9 } },
  ],
  undetermined: { exchanges: 4, needs: [{ text: 'req.Host', count: 4, example: LINE_3 }] },
};

const ANSWER: ReplayResult = {
  kind: 'policy',
  name: 'p.yaml',
  profile: 'edge-v2',
  endpoint: 'https-route',
  origin: undefined,
  report: { sources: [], diagnostics: [] },
  traffic: TRAFFIC,
  parts: [{ exchanges: 1200, summary: SUMMARY }],
};

const PIPED = { paint: PLAIN, width: undefined };

describe('the report of a replay', () => {
  it('shows what was read, what rules did, the outcomes, and what is undetermined', () => {
    expect(textReplay(ANSWER, PIPED)).toBe(`p.yaml (https-route) on 1,200 exchanges

  traffic  exchanges  skipped
  a.log        1,200        2
  b.har            0        ·
  skipped 2: not a line of the log format (a.log:3, :9)

  failed     exchanges  error        first
  inbound 2          3  no such key  a.log:3

  undetermined  exchanges  needs     first
  inbound 2             4  req.Host  a.log:3

     inbound                                   matched  not matched  not reached  failed  undetermined  actions
  1                                                  ·        1,200            ·       ·             ·  deny 0
  2  naïve 表␛[31m                                   5        1,188            ·       3             4  log 5–9, deny 5–9

     outbound                                  matched  not matched  not reached  failed  undetermined  actions
  1  xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…        ·        1,191            9       ·             ·  deny 0

  outcome            exchanges
  passed           1,191–1,195  >99 %  ███████████████████████░
  denied with 403          5–9   <1 %  █░
  undetermined for 4 exchanges: needs req.Host (4)

  help: the recording lacks the scheme or the host of some requests; log both (nginx: \`$scheme\` and \`$http_host\`; \`$host\` lacks the port), or assume what is missing with \`--origin https://example.com\`
`);
  });

  it('uses colours without changing the layout', () => {
    const plain = textReplay(ANSWER, PIPED);
    const coloured = textReplay(ANSWER, { paint: ANSI, width: undefined });
    expect(coloured).toContain('\u001b[1;33m4\u001b[0m');
    expect(coloured.replace(/\u001b\[[0-9;]*m/g, '')).toBe(plain);
  });

  it('shows what was read for a policy without rules', () => {
    const summary: PolicySummary = { ...SUMMARY, rules: [], undetermined: { exchanges: 0, needs: [] } };
    const traffic: TrafficSummary = { ...TRAFFIC, skipped: [] };
    const report = textReplay({ ...ANSWER, traffic, parts: [{ exchanges: 1200, summary }] }, PIPED);
    expect(report.split('\n\n').map(section => section.split('\n')[0])).toEqual([
      'p.yaml (https-route) on 1,200 exchanges',
      '  traffic  exchanges  skipped',
      '  outcome            exchanges',
    ]);
  });

  it.each([
    ['req.url', 'pass `--origin https://example.com`'],
    ['req.headers["user-agent"] recorded as "-"', 'pass `--absent -` if no client sends that value'],
    ['req.Headers["X-Api-Key"]', 'record that header (nginx: `$http_x_api_key`)'],
    ['conn.client_ip', 'record it'],
  ])('says first that nothing is decided, in one line with the cure: %s', (text, cure) => {
    const needs = [{ text, count: 1200, example: LINE_3 }];
    const summary: PolicySummary = { ...SUMMARY, undetermined: { exchanges: 1200, needs } };
    const report = textReplay({ ...ANSWER, parts: [{ exchanges: 1200, summary }] }, PIPED);
    expect(report.split('\n')[1]).toBe(
      `  nothing is decided: the outcome of every exchange depends on what the recording lacks, such as ${text}; ${cure}`,
    );
    // Figures between nothing and everything are left out.
    expect(report).not.toContain('outcome            exchanges');
  });
});
