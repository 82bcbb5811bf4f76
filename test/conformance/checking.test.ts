import { tests as checkingSuite } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as conformanceSuite } from '@bufbuild/cel-spec/testdata/conformance.js';
import {
  BOOL,
  BYTES,
  check,
  createEnvironment,
  DOUBLE,
  type EnvironmentOptions,
  EXTENSION_LIBRARIES,
  type FunctionDecl,
  formatType,
  INT,
  NULL,
  OPTIONALS_LIBRARY,
  parse,
  STRING,
  type TypedAst,
  UINT,
} from '@tollgate/cel';
import type { Diagnostic } from '@tollgate/diagnostics';
import { describe, expect, test } from 'vitest';
import { toCheckedDebugString } from './checked-debug-string.ts';
import { functionsOf, type SpecDeclaration, type SpecType, testAllTypes, toType, variablesOf } from './declarations.ts';

interface SpecTest {
  readonly original: {
    readonly expr: string;
    readonly container?: string;
    readonly typeEnv?: readonly SpecDeclaration[];
    readonly disableCheck?: boolean;
    readonly typedResult?: { readonly deducedType: SpecType };
  };
  readonly checkedAst?: string;
  readonly error?: string;
  /** Names of the enclosing suites, outermost first. */
  readonly path: string;
}

interface SpecSuite {
  readonly name: string;
  readonly suites?: readonly SpecSuite[];
  readonly tests?: readonly object[];
}

function testsOf(suite: SpecSuite, outer = ''): SpecTest[] {
  const path = `${outer}${suite.name}`;
  const own = (suite.tests ?? []).map(found => ({ ...found, path }) as SpecTest);
  return [...own, ...(suite.suites ?? []).flatMap(inner => testsOf(inner, `${path}/`))];
}

const PROTOBUF =
  /TestAllTypes|proto[23]|messageType|"ANY"|Value\{|\b(Any|Struct|ListValue|NullValue)\b|protobuf\.\w*Value/;
const isProtobuf = ({ original }: SpecTest): boolean => PROTOBUF.test(JSON.stringify(original));

function checked({ original }: SpecTest, options: EnvironmentOptions): { typed: TypedAst; diagnostics: Diagnostic[] } {
  const env = createEnvironment({
    libraries: EXTENSION_LIBRARIES,
    ...options,
    container: original.container ?? '',
    variables: [...(options.variables ?? []), ...variablesOf(original.typeEnv)],
    functions: [...(options.functions ?? []), ...functionsOf(original.typeEnv)],
  });
  const { ast, diagnostics } = parse(original.expr, env);
  const result = check(ast, env);
  const errors = [...diagnostics, ...result.diagnostics].filter(({ severity }) => severity === 'error');
  return { typed: result.typed, diagnostics: errors };
}

const messages = (diagnostics: readonly Diagnostic[]): string[] => diagnostics.map(({ message }) => message);

function declare(name: string, overload: Omit<FunctionDecl['overloads'][number], 'result'>): FunctionDecl {
  return { name, doc: 'Declared by the suite.', overloads: [{ ...overload, result: STRING }] };
}

/** What the Go code around the suite declares: the reference implementation's defaults, with optional indexing but not its syntax. */
const SUITE_ENVIRONMENT: EnvironmentOptions = {
  crossTypeComparisons: false,
  libraries: [
    {
      ...OPTIONALS_LIBRARY,
      functions: OPTIONALS_LIBRARY.functions.filter(({ name }) => name !== '_?._'),
      macros: [],
    },
  ],
  variables: Object.entries({ is: STRING, ii: INT, iu: UINT, iz: BOOL, ib: BYTES, id: DOUBLE, ix: NULL }).map(
    ([name, type]) => ({ name, type }),
  ),
  functions: [
    declare('fg_s', { id: 'fg_s_0', member: false, params: [] }),
    declare('fi_s_s', { id: 'fi_s_s_0', member: true, params: [STRING] }),
  ],
};

describe('the checking suite', () => {
  const cases = testsOf(checkingSuite).filter(found => !isProtobuf(found));
  const typed = cases.filter(({ checkedAst }) => checkedAst !== undefined);
  const refused = cases.filter(({ error }) => error !== undefined);

  test('has the expected number of tests', () => {
    expect([typed.length, refused.length]).toEqual([64, 27]);
  });

  test.each(typed)('types every node of $original.expr', found => {
    const { typed, diagnostics } = checked(found, SUITE_ENVIRONMENT);
    expect(messages(diagnostics)).toEqual([]);
    expect(toCheckedDebugString(typed)).toBe(found.checkedAst);
  });

  test.each(refused)('refuses $original.expr', found => {
    const { diagnostics } = checked(found, SUITE_ENVIRONMENT);
    expect(diagnostics).not.toEqual([]);
    // Errors located in `<input>` are the checker's; the parser's tests cover the others.
    const places = [...(found.error ?? '').matchAll(/<input>:1:(\d+)/g)].map(place => Number(place[1]) - 1);
    expect(diagnostics.length).toBeGreaterThanOrEqual(places.length);
    // The reference implementation points at the operator, the dot or the bracket; we mark the word next to it.
    for (const [i, place] of places.entries()) {
      expect(place).toBeGreaterThanOrEqual(diagnostics[i]!.range.start - 1);
      expect(place).toBeLessThanOrEqual(diagnostics[i]!.range.end);
    }
  });
});

describe('type deductions of the conformance suite', () => {
  const cases = testsOf(conformanceSuite).filter(({ path }) => path.includes('/type_deductions'));

  test('has the expected number of tests', () => {
    expect(cases.length).toBe(47);
  });

  test.each(cases)('deduces the type of $original.expr', found => {
    const { typed, diagnostics } = checked(found, { objects: testAllTypes('cel.expr.conformance.proto3') });
    expect(messages(diagnostics)).toEqual([]);
    expect(formatType(typed.resultType)).toBe(formatType(toType(found.original.typedResult!.deducedType)));
  });
});

/** Where our types are more precise than the reference implementation's, by the path of the suite and the start of the source. */
const MORE_EXACT: readonly (readonly [path: string, source: string, reason: string])[] = [
  ['block_ext', '', 'names of a block have the types of what they name, where the reference has dyn'],
  ['optionals', 'type(optional.none())', '`optional_type` is declared with its parameter'],
  ['type_deductions', '[', 'the trees disagree with the deduced type of the test, which is tested above'],
];

/** For these trees, the reference implementation was configured to check comparisons across types at run time. */
const isNotCrossType = (id: string): boolean => !/^(less|greater).*(int64|double)_(u?int64|double)$/.test(id);

describe('the checked trees of the conformance suite', () => {
  const cases = testsOf(conformanceSuite).filter(
    found => found.checkedAst !== undefined && found.original.disableCheck !== true && !isProtobuf(found),
  );
  const isMoreExact = ({ path, original }: SpecTest): boolean =>
    MORE_EXACT.some(([suite, source]) => path.includes(`/${suite}`) && original.expr.startsWith(source));

  test('all match, except where ours are more precise', () => {
    const wrong = cases.filter(found => !isMoreExact(found) && !agrees(found));
    expect(wrong.map(({ original }) => original.expr)).toEqual([]);
    expect(cases.filter(found => !agrees(found)).every(isMoreExact)).toBe(true);
    expect(cases.length).toBe(1449);
  });

  function agrees(found: SpecTest): boolean {
    const { typed, diagnostics } = checked(found, {});
    return diagnostics.length === 0 && toCheckedDebugString(typed, isNotCrossType) === found.checkedAst;
  }
});
