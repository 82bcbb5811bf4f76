import { tests as published } from '@bufbuild/cel-spec/testdata/conformance.js';
import newer from './cel-spec-0.25.3.json' with { type: 'json' };
import type { SpecDeclaration, SpecType } from './declarations.ts';
import type { SpecValue } from './spec-value.ts';

/** A test of the official evaluation suite. */
export interface EvaluationTest {
  /** `file/section/name`, with `#2`, `#3` where names repeat. */
  readonly id: string;
  readonly file: string;
  readonly original: SpecTest;
}

export interface SpecTest {
  readonly name: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly SpecDeclaration[];
  readonly bindings?: Readonly<Record<string, { readonly value: SpecValue }>>;
  readonly value?: SpecValue;
  readonly evalError?: object;
  readonly typedResult?: { readonly result?: SpecValue; readonly deducedType?: SpecType };
}

/** The files of the suite by subject. The others are only about protocol-buffer messages and enums. */
export const FILES: Readonly<Record<'core' | 'extensions' | 'types', readonly string[]>> = {
  core: [
    'basic',
    'comparisons',
    'conversions',
    'fields',
    'fp_math',
    'integer_math',
    'lists',
    'logic',
    'macros',
    'namespace',
    'parse',
    'plumbing',
    'string',
    'timestamps',
  ],
  extensions: [
    'bindings_ext',
    'block_ext',
    'encoders_ext',
    'lists_ext',
    'macros2',
    'math_ext',
    'network_ext',
    'optionals',
    'string_ext',
  ],
  types: ['type_deductions'],
};

/**
 * Patterns of tests about a protocol-buffer message or enum. Durations and timestamps are CEL types, but not as messages
 * (`google.protobuf.Duration{…}`).
 */
const PROTOBUF: readonly RegExp[] = [
  /TestAllTypes|NestedEnum|GlobalEnum|cel\.expr\.conformance|enumValue|"ANY"/,
  /google\.protobuf\.(?!Timestamp|Duration)/,
  /google\.protobuf\.(Timestamp|Duration)\{/,
  /\b(Bool|Bytes|Double|Float|Int32|Int64|String|UInt32|UInt64)?Value\{/,
];

function isProtobuf(test: SpecTest): boolean {
  const text = JSON.stringify({ ...test, name: '', description: '' });
  return PROTOBUF.some(pattern => pattern.test(text));
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: object }[];
}

/** All tests of {@link FILES} that need no protocol buffers. The package contains an older version, to which the new tests are added. */
export const EVALUATION_TESTS: readonly EvaluationTest[] = Object.values(FILES).flat().flatMap(testsOfFile);

/** Returns the sections of a file from both sources. */
function sectionsOf(file: string): readonly Suite[] {
  const files = [...((published as Suite).suites ?? []), ...(newer.suites as readonly Suite[])];
  return files.filter(({ name }) => name === file).flatMap(({ suites = [] }) => suites);
}

function testsOfFile(file: string): EvaluationTest[] {
  const seen = new Map<string, number>();
  const tests: EvaluationTest[] = [];
  for (const section of sectionsOf(file)) {
    for (const { original } of section.tests ?? []) {
      const test = original as SpecTest;
      const path = `${file}/${section.name}/${test.name}`;
      const count = (seen.get(path) ?? 0) + 1;
      seen.set(path, count);
      if (!isProtobuf(test)) tests.push({ id: count === 1 ? path : `${path}#${count}`, file, original: test });
    }
  }
  return tests;
}
