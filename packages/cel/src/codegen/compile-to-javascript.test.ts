import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { DYN, INT, listOf, mapOf, objectType, STRING } from '../ast/types.ts';
import { check } from '../checker/check.ts';
import {
  type Activation,
  createEnvironment,
  type Environment,
  type EnvironmentOptions,
} from '../checker/environment.ts';
import { compileClosures } from '../closures/compile-closures.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { parse } from '../syntax/parse.ts';
import { EvaluationError } from '../values/value.ts';
import { compileToJavaScript, functionCode } from './compile.ts';
import { createModuleScope } from './scope.ts';

const ENVIRONMENT = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'req', type: objectType('Request') },
    { name: 'n', type: INT },
    { name: 'd', type: DYN },
  ],
  objects: [
    {
      name: 'Request',
      fields: new Map([
        ['Method', { type: STRING }],
        ['Path', { type: STRING }],
        ['Size', { type: INT }],
        ['Tags', { type: listOf(STRING) }],
        ['Headers', { type: mapOf(STRING, listOf(STRING)) }],
      ]),
    },
  ],
});

function typedOf(source: string, environment: Environment = ENVIRONMENT) {
  const parsed = parse(source, environment);
  const checked = check(parsed.ast, environment);
  expect([...parsed.diagnostics, ...checked.diagnostics]).toEqual([]);
  return checked.typed;
}

function evaluate(source: string, activation: object, environment = ENVIRONMENT): unknown {
  return compileToJavaScript(typedOf(source, environment), environment).evaluate(activation as Activation);
}

/** Returns the generated source of an expression without the shared constants. */
function sourceOf(source: string): string {
  return functionCode(createModuleScope(), typedOf(source), ENVIRONMENT);
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe('generated code', () => {
  test('loads a path once that an expression reads twice', () => {
    expect(occurrences(sourceOf('req.Path.startsWith("/a") || req.Path.endsWith("b")'), '.Path')).toBe(1);
  });

  test('loads a path before the loop that reads it', () => {
    const code = sourceOf('req.Tags.exists(t, t == req.Method)');
    expect(code.indexOf('.Method')).toBeLessThan(code.indexOf('for('));
  });

  test('loads an object once that several paths share', () => {
    expect(occurrences(sourceOf('req.Path == "a" && req.Method == "b"'), 'a.req')).toBe(1);
  });

  test.each([
    [
      'equalities of one path are one membership',
      'req.Path == "a" || req.Path == "b" || req.Path == "a"',
      'v1==="a"||v1==="b"',
    ],
    ['inequalities of one path are one membership', 'req.Path != "a" && "b" != req.Path', 'v1==="a"||v1==="b"'],
    ['few literals are compared one by one', 'n in [1, 2, 3]', 'v1===1||v1===2||v1===3'],
    ['many literals become a set', 'n in [1, 2, 3, 4, 5, 6, 7]', '.has(v1)'],
    ['a pattern that is a prefix becomes one', 'req.Path.matches("^/api/")', '.startsWith("/api/")'],
    ['a pattern that is safe becomes a regular expression of JavaScript', 'req.Path.matches("^/[0-9]+$")', '.test(v'],
    ['the size of a string is decided by its length if possible', 'size(req.Path) < 5', '.length<5||'],
  ])('%s', (_, source, part) => {
    expect(sourceOf(source)).toContain(part);
  });

  test('does not test numbers of statically known types again', () => {
    expect(occurrences(sourceOf('n + 1'), '!=="number"')).toBe(1);
  });
});

describe('nested loops', () => {
  const nested = (depth: number) => `${'[1, 2].all(x, '.repeat(depth)}d${')'.repeat(depth)}`;

  test('every fifth level is a function of its own', () => {
    expect([1, 4, 5, 8, 9].map(depth => occurrences(sourceOf(nested(depth)), '=>'))).toEqual([0, 0, 1, 1, 2]);
  });

  test('have the same results and errors in functions of their own', () => {
    for (const d of [true, false, 5]) {
      const flat = evaluate(nested(1), { d });
      const deep = evaluate(nested(7), { d });
      expect(deep).toEqual(flat instanceof EvaluationError ? expect.objectContaining({ code: flat.code }) : flat);
    }
    const mapped = `${'[d].map(x, '.repeat(6)}x${')'.repeat(6)}`;
    expect(evaluate(mapped, { d: 7 })).toEqual([[[[[[7]]]]]]);
    expect(evaluate(mapped, {})).toMatchObject({ code: 'eval/no-such-variable' });
  });

  test('loops that are nested too deeply to finish stop at the budget, in every run', () => {
    const { evaluate: run } = compileToJavaScript(typedOf(nested(60)), ENVIRONMENT);
    for (let i = 0; i < 3; i++) expect(run({ d: true })).toMatchObject({ code: 'limit/steps' });
  });
});

describe('arbitrary names and strings', () => {
  /** Strings that could break out of a literal, or mean something else as a property. */
  const HOSTILE = [
    '"',
    "'",
    '`${process}`',
    '\\',
    '\\"',
    '*/',
    '</script>',
    '\u2028\u2029',
    '\0\n\r',
    '\ud800',
    '__proto__',
    'constructor',
    'toString',
    'length',
    '0',
    '-1',
    '',
    'a.b',
    'a\n.b',
    ')];throw 1//',
  ];

  test.each(HOSTILE)('the string %j survives as a literal, a key and an element', text => {
    const literal = JSON.stringify(text).replaceAll(/\\u(....)|[\ud800-\udfff]/g, unit =>
      unit.length > 1 ? unit : `\\u${unit.charCodeAt(0).toString(16)}`,
    );
    // CEL has no escape for a lone surrogate.
    if (/\\ud8/.test(literal)) return;
    const d = Object.create(null) as Record<string, unknown>;
    Object.defineProperty(d, text, { value: 'found', enumerable: true });
    expect(evaluate(literal, {})).toBe(text);
    expect(evaluate(`d[${literal}] == "found" && ${literal} in d`, { d })).toBe(true);
    expect(evaluate(`d in [${literal}, "x"]`, { d: text })).toBe(true);
    expect(evaluate(`{${literal}: 1}[${literal}]`, {})).toBe(1);
    expect(evaluate(`req.Headers[${literal}][0]`, { req: { Headers: new Map([[text, ['v']]]) } })).toBe('v');
    expect(evaluate(`${literal} in req.Headers`, { req: { Headers: {} } })).toBe(false);
    expect(evaluate(`req.Headers[${literal}][0]`, { req: { Headers: {} } })).toBeInstanceOf(EvaluationError);
  });

  test.each(HOSTILE)('a field and a variable may be called %j', name => {
    const [field] = parse(`d.\`${name}\``, ENVIRONMENT).diagnostics;
    const options: EnvironmentOptions = {
      variables: [
        { name, type: STRING },
        { name: 'o', type: objectType('O') },
      ],
      objects: [{ name: 'O', fields: new Map([[name, { type: STRING }]]) }],
    };
    const environment = createEnvironment(options);
    const holder = JSON.parse(`{${JSON.stringify(name)}:"v"}`) as object;
    if (field === undefined) {
      expect(evaluate(`o.\`${name}\``, { o: holder }, environment)).toBe('v');
      expect(evaluate(`has(o.\`${name}\`)`, { o: holder }, environment)).toBe(true);
      expect(evaluate(`has(o.\`${name}\`)`, { o: {} }, environment)).toBe(false);
    }
    if (/^[a-zA-Z_]\w*$/.test(name)) {
      expect(evaluate(name, holder, environment)).toBe('v');
      expect(evaluate(name, {}, environment)).toMatchObject({ code: 'eval/no-such-variable' });
    }
  });

  test('any string survives code generation', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), text => {
        const literal = `"${[...text].map(c => `\\U${(c.codePointAt(0) as number).toString(16).padStart(8, '0')}`).join('')}"`;
        expect(evaluate(literal, {})).toBe(text);
        expect(evaluate(`{${literal}: 1}[${literal}] + d[${literal}]`, { d: new Map([[text, 2]]) })).toBe(3);
      }),
      { numRuns: inject('isDeep') ? 200 : 40 },
    );
  });

  test('different paths stay different, whatever their names', () => {
    const d = { 'a\n.b': 1, a: { b: 2, '#0': 3 } };
    const types = createEnvironment({
      libraries: EXTENSION_LIBRARIES,
      variables: [{ name: 'd', type: mapOf(STRING, DYN) }],
    });
    expect(evaluate('[d["a\\n.b"], d["a\\n.b"], d.a.b, d.a.b, d.a["#0"]]', { d }, types)).toEqual([1, 1, 2, 2, 3]);
  });
});

describe('host data that is not of its declared type', () => {
  test.each([
    [
      'a string instead of a list',
      'req.Headers["X"][0] == "a"',
      { req: { Headers: { X: 'abc' } } },
      'eval/host-type',
      4,
    ],
    ['a list instead of a map', 'req.Headers["X"][0] == "a"', { req: { Headers: ['X'] } }, 'eval/host-type', 2],
    ['a number instead of a string', 'req.Method == "5"', { req: { Method: 5 } }, 'eval/host-type', 2],
    ['a string instead of an object', 'req.Method == "5"', { req: 'x' }, 'eval/host-type', 1],
    ['a fraction instead of an int', 'req.Size > 1', { req: { Size: 1.5 } }, 'eval/host-type', 2],
    ['nothing instead of a variable', 'n == 1', {}, 'eval/no-such-variable', 1],
  ])('%s', (_, source, activation, code, exprId) => {
    const generated = evaluate(source, activation);
    const closures = compileClosures(typedOf(source), ENVIRONMENT).evaluate(activation);
    expect(generated).toMatchObject({ code, exprId });
    expect(generated).toEqual(closures);
  });
});
