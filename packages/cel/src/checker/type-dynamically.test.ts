import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { costOf } from '../analysis/cost.ts';
import { readsOf } from '../analysis/reads.ts';
import { DOUBLE, DYN, formatType, listOf, objectType, STRING } from '../ast/types.ts';
import { EXTENSION_LIBRARIES } from '../extension-libraries.ts';
import { inlineBodies } from '../lowering/inline-bodies.ts';
import { parse } from '../syntax/parse.ts';
import { check } from './check.ts';
import { createEnvironment } from './environment.ts';
import { typeDynamically } from './type-dynamically.ts';

const ENV = createEnvironment({
  libraries: EXTENSION_LIBRARIES,
  variables: [
    { name: 'req', type: objectType('Request') },
    { name: 'tags', type: listOf(STRING) },
    { name: 'any', type: DYN },
    { name: 'edge.name', type: STRING },
  ],
  functions: [
    {
      name: 'twice',
      doc: '',
      overloads: [
        { id: 'twice', member: true, params: [STRING], result: STRING, body: { paramNames: ['s'], source: 's + s' } },
      ],
    },
  ],
  objects: [{ name: 'Request', fields: new Map([['Size', { type: DOUBLE }]]) }],
});

describe('without checking', () => {
  test.each([
    ['1.5', 'double', ''],
    [
      '1 + "a"',
      'dyn',
      'add_int64|add_uint64|add_double|add_string|add_bytes|add_list|add_timestamp_duration|add_duration_timestamp|add_duration_duration',
    ],
    ['any == 1', 'bool', 'equals'],
    ['size(any)', 'int', 'size_string|size_bytes|size_list|size_map'],
    ['any.size()', 'int', 'string_size|bytes_size|list_size|map_size'],
    ['[1, "a"][0]', 'dyn', 'index_list|index_map|optional_list_index_int|optional_map_index_value'],
    ['req.Size', 'double', ''],
    ['req.Weight', 'dyn', ''],
    ['edge.name', 'string', ''],
    ['math.abs("a")', 'dyn', 'math_abs_int|math_abs_uint|math_abs_double'],
    ['unknown', 'dyn', ''],
    ['unknown(1)', 'dyn', ''],
    ['size(1, 2)', 'dyn', ''],
    ['1 && 2', 'bool', 'logical_and'],
    ['any.exists(x, x)', 'bool', ''],
    ['[1].map(x, x)', 'list(dyn)', ''],
    ['cel.bind(x, 1.5, x)', 'double', ''],
    ['{"a": 1}', 'map(dyn, dyn)', ''],
    ['has(any.a)', 'bool', ''],
  ])('%s is of type %s, by %s', (source, type, overloads) => {
    const { ast } = parse(source, ENV);
    const typed = typeDynamically(ast, ENV);
    const reference = typed.references[ast.root.id];
    expect(formatType(typed.resultType)).toBe(type);
    expect(reference?.kind === 'function' ? reference.overloads.map(({ id }) => id).join('|') : '').toBe(overloads);
  });
});

const WORDS =
  'req .Size .all( x , [ ] { } : ? ( ) 1 "a" in + == .? [? tags any has( .map( ! cel.bind( null && . - T{ edge.name r"\\" cel.block( .twice()'.split(
    ' ',
  );
const TEXT = fc.oneof(
  fc.string(),
  fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map(words => words.join(' ')),
);

test('checking, typing without checking, and analyses never throw, whatever the source', () => {
  fc.assert(
    fc.property(TEXT, source => {
      const { ast } = parse(source, ENV);
      const { typed, diagnostics } = check(ast, ENV);
      expect(typed.resultType).toBe(typed.types[ast.root.id]);
      for (const { range } of diagnostics) {
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeLessThanOrEqual(source.length);
      }
      const untyped = typeDynamically(ast, ENV);
      expect(untyped.types[ast.root.id]).toBeDefined();
      for (const tree of [typed, untyped]) {
        const { min, max } = costOf(inlineBodies(tree, ENV));
        expect(min).toBeLessThanOrEqual(max);
        for (const { variable } of readsOf(tree)) expect(ENV.variables.has(variable)).toBe(true);
      }
    }),
    { numRuns: inject('isDeep') ? 2000 : 600 },
  );
});
