import { describe, expect, it } from 'vitest';
import { CEILING_EXEMPT, MAX_FILE_LINES, MAX_FUNCTION_LINES, MAX_PARAMETERS } from './layers.ts';
import { filesBelow, linesIn, readSource, type SyntaxNode, visit } from './source-file.ts';

const sources = ['packages', 'test', 'scripts', 'examples']
  .flatMap(folder => filesBelow(folder, '.ts'))
  .filter(path => !(path in CEILING_EXEMPT))
  .map(readSource);

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Calls that only group tests: their content is not one function. */
const GROUPS = /^(describe|suite)\b/;

function isGroup(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, text.lastIndexOf('\n', start)), start);
  return GROUPS.test(before.trim());
}

describe('ceilings', () => {
  it(`has no file over ${MAX_FILE_LINES} lines`, () => {
    const long = sources.map(({ path, text }) => ({ path, lines: linesIn(text) }));
    expect(long.filter(({ lines }) => lines > MAX_FILE_LINES)).toEqual([]);
  });

  it(`has no function over ${MAX_FUNCTION_LINES} lines`, () => {
    const long: string[] = [];
    for (const { path, text, program } of sources.filter(source => linesIn(source.text) > MAX_FUNCTION_LINES)) {
      visit(program, node => {
        if (!FUNCTIONS.has(node.type) || isGroup(text, node.start)) return;
        const lines = linesIn(text, node.start, node.end);
        if (lines > MAX_FUNCTION_LINES) long.push(`${path}:${linesIn(text, 0, node.start)} has ${lines} lines`);
      });
    }
    expect(long).toEqual([]);
  });

  it(`has no function with more than ${MAX_PARAMETERS} parameters`, () => {
    const wide: string[] = [];
    for (const { path, text, program } of sources.filter(
      source => source.path.startsWith('packages/') && !source.path.endsWith('.test.ts'),
    )) {
      visit(program, node => {
        if (!FUNCTIONS.has(node.type)) return;
        const { params } = node as SyntaxNode & { params: readonly unknown[] };
        if (params.length > MAX_PARAMETERS) wide.push(`${path}:${linesIn(text, 0, node.start)} has ${params.length}`);
      });
    }
    expect(wide).toEqual([]);
  });

  it('has no conversion through `unknown`, which no type can refute', () => {
    const converted: string[] = [];
    for (const { path, text, program } of sources.filter(source => source.text.includes('as unknown'))) {
      visit(program, node => {
        if (node.type !== 'TSAsExpression') return;
        const { expression } = node as SyntaxNode & { expression: SyntaxNode };
        const { typeAnnotation } = expression as SyntaxNode & { typeAnnotation?: SyntaxNode };
        const isUnknown = expression.type === 'TSAsExpression' && typeAnnotation?.type === 'TSUnknownKeyword';
        if (isUnknown) converted.push(`${path}:${linesIn(text, 0, node.start)}`);
      });
    }
    expect(converted).toEqual([]);
  });

  it('exempts only files that exist', () => {
    const all = ['packages', 'test'].flatMap(folder => filesBelow(folder, '.ts'));
    expect(Object.keys(CEILING_EXEMPT).filter(path => !all.includes(path))).toEqual([]);
  });
});
