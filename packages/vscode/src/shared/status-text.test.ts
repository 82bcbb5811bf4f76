import { describe, expect, it } from 'vitest';
import type { DocumentSummary } from './policy-server.ts';
import { type Status, statusText } from './status-text.ts';

const SUMMARY: DocumentSummary = {
  kind: 'policy',
  targets: [{ profile: 'modern', endpoint: 'http-endpoint' }],
  project: '/w/tollgate.yaml',
  failures: [],
};
const STATUS: Status = {
  summary: SUMMARY,
  errors: 0,
  warnings: 0,
  isTrusted: true,
  version: '1.2.3',
  origin: 'bundled',
};

describe('the status bar', () => {
  it('shows the profile of a policy without findings', () => {
    expect(statusText(STATUS)).toEqual({
      text: '$(milestone) modern $(check)',
      label: 'Tollgate: modern, no findings',
      level: 'none',
      tooltip: [
        '**Traffic policy** · no findings',
        'profile `modern`, endpoint `http-endpoint`',
        'settings: `/w/tollgate.yaml`',
        'bundled server 1.2.3',
      ].join('\n\n'),
    });
  });

  it('counts errors and warnings', () => {
    const shown = statusText({ ...STATUS, errors: 1, warnings: 2 });
    expect(shown?.text).toBe('$(milestone) modern $(error) 1 $(warning) 2');
    expect(shown?.label).toBe('Tollgate: modern, 1 error, 2 warnings');
  });

  it('names the kind of a document without a profile', () => {
    const summary = { ...SUMMARY, kind: 'tests', targets: [], project: null } as const;
    expect(statusText({ ...STATUS, summary })?.text).toBe('$(milestone) policy tests $(check)');
  });

  it('shows each profile of a file with several policies once', () => {
    const targets = ['modern', 'edge-v2', 'modern'].map(profile => ({ profile, endpoint: 'https-route' }));
    const shown = statusText({ ...STATUS, summary: { ...SUMMARY, kind: 'embedding', targets } });
    expect(shown?.text).toBe('$(milestone) modern, edge-v2 $(check)');
  });

  it('marks restricted mode', () => {
    const shown = statusText({ ...STATUS, isTrusted: false });
    expect(shown?.text).toBe('$(milestone) $(workspace-untrusted) modern $(check)');
    expect(shown?.tooltip).toContain('**Restricted mode**');
    expect(shown?.label).toBe('Tollgate: modern, no findings, restricted mode');
  });

  it('warns about settings that could not be loaded, without links of their making', () => {
    const summary = { ...SUMMARY, failures: ['cannot read `[x](command:evil)`'] };
    const shown = statusText({ ...STATUS, summary });
    expect(shown?.level).toBe('warning');
    expect(shown?.tooltip).toContain('cannot read `\\[x\\]\\(command:evil\\)`');
  });

  it('is empty for other documents', () => {
    expect(statusText({ ...STATUS, summary: { ...SUMMARY, kind: 'other' } })).toBeUndefined();
  });
});
