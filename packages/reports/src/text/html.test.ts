import { expect, it } from 'vitest';
import { html, htmlPage } from './html.ts';

it('escapes strings in content and attributes', () => {
  const hostile = `"><script>alert('&')</script>\u0000\u202e\ud800`;
  expect(html`<a title="${hostile}">${[hostile, 1, undefined, html`<b>${'<'}</b>`]}</a>`.html).toBe(
    '<a title="&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;␀\ufffd\ufffd">' +
      '&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;␀\ufffd\ufffd1<b>&#60;</b></a>',
  );
});

it('creates pages that load and run nothing', () => {
  const page = htmlPage({ title: '</title>', style: 'a > b {}', body: html`<p>x</p>` });
  expect(page).toContain('<title>&#60;/title&#62;</title>');
  expect(page).toContain(`content="default-src &#39;none&#39;; style-src`);
  expect(page).toContain('<style>a > b {}</style>');
  expect(page.endsWith('<body><p>x</p></body></html>\n')).toBe(true);
});
