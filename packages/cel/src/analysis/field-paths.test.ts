import { expect, test } from 'vitest';
import { check } from '../checker/check.ts';
import { createEnvironment } from '../environment/environment.ts';
import { EXTENSION_LIBRARIES } from '../libraries/extension-libraries.ts';
import { parse } from '../syntax/parse.ts';
import { BOOL, DYN, listOf, mapOf, objectType, STRING } from '../types/type.ts';
import { fieldPathsOf } from './field-paths.ts';
import { fieldPathOf, readsOf } from './reads.ts';

const ENV = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'req', type: objectType('Request') },
    { name: 'body', type: DYN },
    { name: 'key', type: STRING },
    { name: 'edge.name', type: STRING },
  ],
  objects: [
    {
      name: 'Request',
      fields: new Map([
        ['Method', { type: STRING }],
        ['Headers', { type: mapOf(STRING, listOf(STRING)) }],
        ['Cookies', { type: listOf(objectType('Cookie')) }],
        ['Secure', { type: BOOL }],
      ]),
    },
    { name: 'Cookie', fields: new Map([['Name', { type: STRING }]]) },
  ],
});

test.each([
  ['1 + 2', []],
  ['req.Method == "GET" && req.Secure', ['req.Method', 'req.Secure']],
  ['req.Headers["X"][0].contains(key)', ['key', 'req.Headers']],
  ['"X" in req.Headers || has(req.Headers.Accept)', ['req.Headers']],
  ['req.Headers[?"X"].hasValue() || req.?Method.hasValue()', ['req.Headers', 'req.Method']],
  ['req.Cookies[0].Name == req.Headers[key][0]', ['key', 'req.Cookies', 'req.Headers']],
  ['req.Cookies.exists(c, c.Name == key)', ['key', 'req.Cookies']],
  ['cel.bind(r, req, r.Method + key)', ['key', 'req.Method']],
  ['body.user["name"].first == "x" && body.tags[0] == 1', ['body.tags', 'body.user']],
  ['math.least(1, edge.name.size())', ['edge.name']],
])('%s reads the fields %o, in agreement with its reads', (source, expected) => {
  const { ast, diagnostics } = parse(source, ENV);
  const { typed, diagnostics: found } = check(ast, ENV);
  expect([...diagnostics, ...found]).toEqual([]);
  expect([...fieldPathsOf(typed)].toSorted()).toEqual(expected);
  expect([...new Set(readsOf(typed).map(fieldPathOf))].toSorted()).toEqual(expected);
});

test('may list a part next to the whole that contains it', () => {
  const { typed } = check(parse('req == req && req.Secure', ENV).ast, ENV);
  expect([...fieldPathsOf(typed)]).toEqual(['req', 'req.Secure']);
});
