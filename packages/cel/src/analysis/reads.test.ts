import { expect, test } from 'vitest';
import { BOOL, DYN, listOf, mapOf, objectType, STRING } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import { createEnvironment } from '../checker/environment.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { inlineBodies } from '../lowering/inline-bodies.ts';
import { parse } from '../syntax/parse.ts';
import { fieldPathOf, fieldPathsOf, readsOf } from './reads.ts';

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
  functions: [
    {
      name: 'header',
      doc: '',
      overloads: [
        {
          id: 'header',
          member: false,
          params: [STRING],
          result: listOf(STRING),
          body: { paramNames: ['name'], source: 'name in req.Headers ? req.Headers[name] : []' },
        },
      ],
    },
  ],
});

test.each([
  ['1 + 2', []],
  ['req.Method == "GET" && req.Secure', ['req.Method', 'req.Secure']],
  ['req.Headers["X"][0].contains(key)', ['key', 'req.Headers["X"]']],
  ['"X" in req.Headers', ['req.Headers["X"]']],
  ['has(req.Headers.Accept)', ['req.Headers["Accept"]']],
  ['req.Headers[?"X"].hasValue() || req.?Method.hasValue()', ['req.Headers["X"]', 'req.Method']],
  ['req.Headers[key]', ['key', 'req.Headers']],
  ['req.Headers["X"] == [] && size(req.Headers) > 1', ['req.Headers']],
  ['req == req && req.Secure', ['req']],
  ['req.Cookies.exists(c, c.Name == key)', ['key', 'req.Cookies']],
  ['req.Cookies[0].Name', ['req.Cookies']],
  ['cel.bind(h, req.Headers, h["X"][0] + h["Y"][0])', ['req.Headers["X"]', 'req.Headers["Y"]']],
  ['cel.bind(c, req.Cookies[0], c.Name)', ['req.Cookies']],
  ['cel.bind(n, req.Method + key, n)', ['key', 'req.Method']],
  ['body.user["name"] == "x" && body.tags[0] == 1', ['body.tags', 'body.user["name"]']],
  ['[req.Method].map(req, req)', ['req.Method']],
  ['edge.name', ['edge.name']],
  ['math.least(1, key.size())', ['key']],
  ['header("X")', ['req.Headers["X"]']],
  ['header(key + "x")', ['key', 'req.Headers']],
])('%s reads %o', (source, expected) => {
  const { ast, diagnostics } = parse(source, ENV);
  const { typed, diagnostics: found } = check(ast, ENV);
  expect([...diagnostics, ...found]).toEqual([]);
  expect(readsOf(inlineBodies(typed, ENV)).map(({ text }) => text)).toEqual(expected);
});

test('returns the steps as data', () => {
  const { typed } = check(parse('req.Headers["X"][0]', ENV).ast, ENV);
  const key = { type: 'string', value: 'X' };
  expect(readsOf(typed)).toEqual([
    {
      variable: 'req',
      steps: [
        { kind: 'field', name: 'Headers' },
        { kind: 'key', key },
      ],
      text: 'req.Headers["X"]',
    },
  ]);
});

const NESTED = createEnvironment({
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
  const { ast, diagnostics } = parse(source, NESTED);
  const { typed, diagnostics: found } = check(ast, NESTED);
  expect([...diagnostics, ...found]).toEqual([]);
  expect([...fieldPathsOf(typed)].toSorted()).toEqual(expected);
  expect([...new Set(readsOf(typed).map(fieldPathOf))].toSorted()).toEqual(expected);
});

test('may list a part next to the whole that contains it', () => {
  const { typed } = check(parse('req == req && req.Secure', NESTED).ast, NESTED);
  expect([...fieldPathsOf(typed)]).toEqual(['req', 'req.Secure']);
});
