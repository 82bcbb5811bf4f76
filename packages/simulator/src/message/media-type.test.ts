import { expect, it } from 'vitest';
import { readMediaType } from './media-type.ts';
import { sniffContentType } from './sniff-content-type.ts';

it.each([
  ['text/html', 'text/html', {}],
  ['Text/HTML; Charset=UTF-8', 'text/html', { charset: 'UTF-8' }],
  ['a/b ; x="1;\\"2"; y=3;; z', 'a/b', { x: '1;"2', y: '3' }],
  ['', '', {}],
  ['a/b; __proto__=c', 'a/b', { ['__proto__']: 'c' }],
])('reads the media type %j', (text, type, parameters) => {
  expect(readMediaType(text)).toEqual({ type, parameters });
});

it.each([
  ['  <!DOCTYPE html>', 'text/html; charset=utf-8'],
  ['<p>hello', 'text/html; charset=utf-8'],
  ['<path>', 'text/plain; charset=utf-8'],
  ['<!-- a', 'text/html; charset=utf-8'],
  ['<?xml version="1.0"?>', 'text/xml; charset=utf-8'],
  ['{"a": 1}', 'text/plain; charset=utf-8'],
  ['a\u0000b', 'application/octet-stream'],
])('detects %j as %s', (text, type) => {
  expect(sniffContentType(text)).toBe(type);
});
