import { OPERATION_IDS, openApiDocument } from '@tollgate/edge-api';
import { describe, expect, it } from 'vitest';
import { referencePage } from './reference-page.ts';

const page = referencePage(openApiDocument({ versionHeader: 'Other-Version' }));

describe('the reference', () => {
  it('has a section for every operation, and a link to it', () => {
    const missing = OPERATION_IDS.filter(
      id => !page.includes(`<section id="operation-${id}">`) || !page.includes(`href="#operation-${id}"`),
    );
    expect(missing).toEqual([]);
  });

  it('has no link that leads nowhere', () => {
    const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const links = [...page.matchAll(/ href="(#[^"]+)"/g)].map(([, link]) => link!);
    expect(links.filter(link => !anchors.has(link))).toEqual([]);
  });

  it('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/<script|<link|<img|src=|@import|url\(/);
  });

  it('names the version header of the server', () => {
    expect(page).toContain('Other-Version: 2');
  });

  it('shows text as text', () => {
    const document = { info: { title: '<b>&"x"' }, tags: [], paths: {}, components: {} };
    expect(referencePage(document)).toContain('<title>&lt;b&gt;&amp;&quot;x&quot;</title>');
  });
});
