import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkLinks } from '../../scripts/site/check-links.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-links-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** Returns what is wrong with the links of a page `guide/a.html` next to other files, on a site below `/tollgate/`. */
function check(html: string, others: Readonly<Record<string, string>> = {}): readonly string[] {
  for (const [name, text] of Object.entries({ 'guide/a.html': html, ...others })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return checkLinks(folder, '/tollgate/');
}

it('accepts files, folders with a page, anchors, and links to other hosts', () => {
  const others = {
    'index.html': '<h1 id="top">',
    'guide/b.html': '<h2 id="x">',
    'icon.svg': '<svg/>',
    'play/index.html': '',
  };
  const links = [
    'b.html#x',
    './b.html',
    '/tollgate/',
    '/tollgate/#top',
    '../index.html',
    '#own',
    'https://a.example/',
    'mailto:a@b.example',
  ];
  const html = `<h1 id="own">${links.map(link => `<a href="${link}">x</a>`).join('')}<img src="/tollgate/icon.svg"><a href="../play/#1.abc">`;
  expect(check(html, others)).toEqual([]);
});

it.each([
  ['<a href="c.html">', 'guide/a.html: c.html does not exist'],
  ['<a href="/guide/a.html">', 'guide/a.html: /guide/a.html does not exist'],
  ['<a href="/tollgate/guide/">', 'guide/a.html: /tollgate/guide/ does not exist'],
  ['<a href="#no">', 'guide/a.html: #no has no such heading'],
  ['<a class="x" href="a.html#no">', 'guide/a.html: a.html#no has no such heading'],
  ['<img src="https://a.example/x.png">', 'guide/a.html: https://a.example/x.png is on another host'],
  ['<script src="//a.example/x.js"></script>', 'guide/a.html: //a.example/x.js is on another host'],
  [
    '<link rel="stylesheet" href="https://a.example/x.css">',
    'guide/a.html: https://a.example/x.css is on another host',
  ],
])('refuses %s', (html, problem) => {
  expect(check(html)).toEqual([problem]);
});
