import { describe, expect, it } from 'vitest';
import { element, failurePage, fragment, renderPage, reportIn } from './page.ts';
import { type TracedPart, type TraceReport, tracePage } from './trace-page.ts';
import { impactPage, replayPage, trafficImpactPage } from './traffic-pages.ts';

const HOSTILE = `"'></a><script>alert(1)</script><img src=x onerror=alert(1)>`;

const SUBJECT = { file: '/w/a.yaml', part: '', label: 'a.yaml' };
const HOSTILE_FILE = { file: HOSTILE, part: HOSTILE, label: HOSTILE };

describe('markup', () => {
  it('escapes strings between tags and in attributes', () => {
    const shown = element('p', { title: HOSTILE }, HOSTILE, fragment(HOSTILE)).markup;
    expect(shown.match(/<[^>]*>/g)).toEqual([expect.stringMatching(/^<p title="[^"]*">$/), '</p>']);
  });

  it('leaves out attributes without a value', () => {
    expect(element('details', { open: true, class: undefined, hidden: false }).markup).toBe('<details open></details>');
  });
});

describe('a page', () => {
  const page = renderPage('T', element('p', {}, 'x'), {
    styleSource: 'https://c.example',
    styleSheet: 'https://c.example/s.css',
  });

  it('allows nothing but its style sheet', () => {
    expect(page).toContain('default-src &#39;none&#39;; style-src https://c.example; form-action');
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=/);
  });
});

const part = (text: string, changes: Partial<TracedPart> = {}): TracedPart => ({
  text,
  operation: 'select',
  count: 1,
  results: [{ text: '"v"' }],
  parts: [],
  ...changes,
});
const range = { from: { line: 4, character: 2 } };
const TRACE: TraceReport = {
  exchange: { method: 'GET', url: HOSTILE },
  outcomes: [{ kind: 'denied', status: 403, action: 'deny' }],
  needs: [],
  client: { status: 403, headers: { [HOSTILE]: [HOSTILE], missing: null }, body: { needs: ['x'] } },
  upstream: { isAsked: false },
  rules: [
    {
      phase: 'inbound',
      number: 1,
      name: HOSTILE,
      status: 'matched',
      range,
      expressions: [
        { ...part('a == b', { parts: [part('a'), part("'lit'", { operation: 'literal' })] }), source: 'a == b' },
      ],
      actions: [{ type: 'deny', result: 'fired', ending: { kind: 'denied', status: 403 } }],
    },
    { phase: 'inbound', number: 2, status: 'not-reached', range, expressions: [], actions: [] },
  ],
};

/** What a person reads. */
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ');

describe('a trace', () => {
  it('shows outcome, rules and values, and no literal twice', () => {
    const text = textOf(tracePage(TRACE, SUBJECT).markup);
    expect(text).toContain('Outcome: denied with 403 by deny');
    expect(text).toContain('a == b = "v" a = "v"');
    expect(text).not.toContain("'lit' =");
    expect(text).toContain('nothing: the request is not forwarded');
    expect(text).toContain('unknown: needs x');
  });

  it('folds rules that were not reached', () => {
    expect(tracePage(TRACE, SUBJECT).markup.match(/<details[^>]*>/g)).toEqual([
      '<details class="rule matched" open>',
      '<details class="rule not-reached">',
    ]);
  });

  it('shows errors and unknown values of subexpressions', () => {
    const failing = part('x', { results: [{ error: { message: 'no such key' } }] });
    const unknown = part('y', { results: [{ needs: ['conn.ClientIP'] }], count: 3 });
    const expression = { ...part('z', { count: 0, results: [], parts: [failing, unknown] }), source: 'z' };
    const rules = [{ ...TRACE.rules[0]!, expressions: [expression] }];
    const text = textOf(tracePage({ ...TRACE, rules }, SUBJECT).markup);
    expect(text).toContain('z = not evaluated x = no such key y = unknown: needs conn.ClientIP (the first of 3)');
  });

  it('contains no markup of the policy or the request', () => {
    expect(tracePage(TRACE, HOSTILE_FILE).markup).not.toMatch(/<script|<img/);
  });
});

describe('a replay', () => {
  const rule = { phase: 'inbound', index: 0, name: HOSTILE, matched: 1200, notMatched: 0, failed: 0, notReached: 0 };
  const report = {
    exchanges: 2000,
    files: [{ file: HOSTILE, exchanges: 2000, skipped: 1 }],
    rules: [{ ...rule, undetermined: 800, errors: [], needs: [{ text: HOSTILE, count: 800 }] }],
    outcomes: [{ outcome: { kind: 'denied', status: 403, action: 'deny' }, count: { least: 1200, most: 2000 } }],
    undetermined: { exchanges: 800, needs: [{ text: 'conn.ClientIP', count: 800 }] },
  };

  it('shows counts, bounds, and what the recording lacks', () => {
    const text = textOf(replayPage(report, SUBJECT).markup);
    expect(text).toContain('2,000 exchanges, 1 record skipped');
    expect(text).toContain('1,200 – 2,000');
    expect(text).toContain('800 exchanges undetermined, because the recording lacks conn.ClientIP');
  });

  it('highlights the rule of interest', () => {
    const highlights = (number: number) =>
      /class="replayed interest"/.test(replayPage(report, SUBJECT, { phase: 'inbound', number }).markup);
    expect([highlights(1), highlights(2)]).toEqual([true, false]);
  });

  it('draws bars without inline styles', () => {
    expect(replayPage(report, SUBJECT).markup).toContain(
      '<rect class="most" x="600" y="0" width="400" height="1"></rect>',
    );
  });

  it('contains no markup of the policy or the recording', () => {
    expect(replayPage(report, HOSTILE_FILE).markup).not.toMatch(/<script|<img/);
  });
});

describe('an impact', () => {
  const decided = (kind: string) => ({
    outcomes: [{ kind }],
    needs: [],
    rules: [{ phase: 'inbound', number: 2, name: HOSTILE }],
  });
  const report = {
    verdict: 'different',
    isComplete: true,
    differences: [
      {
        exchange: { method: 'GET', url: '/a', client_ip: '192.0.2.1' },
        changes: [],
        before: decided('denied'),
        after: decided('passed'),
      },
    ],
    open: [],
  };

  it('shows a request with both decisions', () => {
    const text = textOf(impactPage(report, SUBJECT, 'HEAD').markup);
    expect(text).toContain('1 difference.');
    expect(text).toContain('GET /a from 192.0.2.1 was denied');
    expect(text).toContain('now passed');
    expect(impactPage(report, HOSTILE_FILE, 'HEAD').markup).not.toMatch(/<script|<img/);
  });

  it('says what is proved, and what is not', () => {
    const verdict = (changes: object) =>
      textOf(impactPage({ ...report, differences: [], ...changes }, SUBJECT, 'HEAD').markup);
    expect(verdict({})).toContain('Both policies decide every well-formed request alike (proved).');
    expect(verdict({ isComplete: false })).toContain('No difference found; there may be more.');
    expect(verdict({ open: [{ reason: 'an unknown function' }] })).toContain('Not decided an unknown function');
  });
});

describe('an impact on recorded traffic', () => {
  const frequent = (text: string) => ({ top: [{ text, count: { least: 12, most: 12 } }] });
  const report = {
    exchanges: 245,
    changed: { least: 12, most: 14 },
    transitions: [
      {
        was: { kind: 'passed' },
        becomes: { kind: 'denied', status: 403 },
        count: { least: 12, most: 14 },
        rules: [{ was: null, becomes: 'inbound 2', count: 12 }],
        keys: { clients: frequent('192.0.2.1'), paths: frequent(HOSTILE) },
      },
    ],
  };

  it('shows what changes, by which rules, and for whom', () => {
    const text = textOf(trafficImpactPage(report, SUBJECT, 'HEAD').markup);
    expect(text).toContain('12 – 14 of 245 exchanges change.');
    expect(text).toContain('passed → denied with 403: 12 – 14');
    expect(text).toContain('rules no rule → inbound 2 (12) clients 192.0.2.1 (12)');
    expect(trafficImpactPage(report, HOSTILE_FILE, 'HEAD').markup).not.toMatch(/<script|<img/);
  });

  it('says that nothing changes', () => {
    const unchanged = { exchanges: 1, changed: { least: 0, most: 0 }, transitions: [] };
    expect(textOf(trafficImpactPage(unchanged, SUBJECT, 'HEAD').markup)).toContain('No change for 1 exchange.');
  });
});

describe('a run without a result', () => {
  it('lists the errors of the policy with their lines', () => {
    const diagnostics = [{ code: 'a/b', severity: 'error', message: 'no field', uri: '/w/a.yaml', range }];
    const shown = failurePage({
      what: 'Trace',
      subject: SUBJECT,
      output: JSON.stringify({ diagnostics }),
      errors: '',
      isTrusted: true,
    });
    expect(textOf(shown.markup)).toContain('The policy has errors; fix them first. line 5 no field a/b');
  });

  it('is not taken for a result, whatever the exit code', () => {
    // `diff` ends with 1 for differences as well as for errors.
    const failed = { files: ['a.yaml'], diagnostics: [{ code: 'a/b', severity: 'error', message: 'no field' }] };
    expect(reportIn(JSON.stringify(failed))).toBeUndefined();
    const replayed = { exchanges: 3, diagnostics: [{ code: 'a/c', severity: 'warning', message: 'never runs' }] };
    expect(reportIn(JSON.stringify(replayed))).toEqual(replayed);
    expect(reportIn('tollgate: no such file')).toBeUndefined();
    expect(reportIn('{"differences":[]}')).toEqual({ differences: [] });
  });

  it('shows what the command says', () => {
    const shown = failurePage({
      what: 'Replay',
      subject: SUBJECT,
      output: '',
      errors: `tollgate: ${HOSTILE}`,
      isTrusted: true,
    });
    expect(textOf(shown.markup)).toContain('tollgate:');
    expect(shown.markup).not.toMatch(/<script|<img/);
  });

  it.each([true, false])('explains restricted mode; the workspace is trusted: %s', isTrusted => {
    const errors = 'tollgate: `own.mjs` does not run: `TOLLGATE_TRUST=0` trusts no code; remove the variable';
    const shown = failurePage({ what: 'Trace', subject: SUBJECT, output: '', errors, isTrusted });
    expect(shown.markup.includes('This workspace is not trusted')).toBe(!isTrusted);
  });
});
