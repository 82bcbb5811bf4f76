import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEnvironment, type Expr, parse } from '@tollgate/cel';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { findGenerator, generateParser } from '../../scripts/grammars/generate-parser.ts';
import { expressionText } from '../fuzz/expression-text.ts';
import { runs, seed } from '../support/runs.ts';
import { SYNTAX_TESTS } from './suites.ts';

// The Tree-sitter grammar is compiled, and reads the official suites and random expressions as the parser does. Needs a C compiler and the
// Python package `tree-sitter`, which `scripts/install-test-tools.sh` installs.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const GRAMMAR = join(ROOT, 'grammars/tree-sitter-cel');
const PYTHON_PACKAGES = join(ROOT, 'node_modules/.cache/tollgate-tree-sitter');
const canRun = existsSync(PYTHON_PACKAGES) && has('cc') && has('python3');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-tree-sitter-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function has(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A node: its field in the node around it, its type, and its children or text. */
type Tree = readonly [field: string | null, type: string, inner: readonly Tree[] | string];

/** Returns what a grammar, or a query of it, makes of each source. */
function answersTo(sources: readonly string[], grammar: readonly string[]): readonly unknown[] {
  const output = execFileSync('python3', [join(ROOT, 'test/support/tree-sitter.py'), ...grammar], {
    input: sources.map(source => `${JSON.stringify(source)}\n`).join(''),
    env: { ...process.env, PYTHONPATH: PYTHON_PACKAGES },
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  return output
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as unknown);
}

function compiledGrammar(): readonly [library: string, name: string] {
  const library = join(folder, 'cel.so');
  if (!existsSync(library)) {
    const source = join(GRAMMAR, 'src');
    execFileSync('cc', ['-O1', '-shared', '-fPIC', '-I', source, '-o', library, join(source, 'parser.c')]);
  }
  return [library, 'cel'];
}

/** Returns the tree of each source; null for one with an error. */
function treesOf(sources: readonly string[]): readonly (Tree | null)[] {
  return answersTo(sources, compiledGrammar()) as readonly (Tree | null)[];
}

// Without macros, a tree has the calls that the source has.
const { limits } = createEnvironment({ libraries: [] });
const PLAIN = { macros: new Map(), limits: { ...limits, maxDepth: 1000, maxNodes: 1_000_000 } };

/** What is wrong with a value rather than with the syntax. */
const OF_VALUES = /^(?:syntax\/(?:invalid-escape|lone-surrogate|number-out-of-range)|limit\/.*)$/;

/** Returns the shape of an expression as the parser reads it, `error` if it does not accept it, and undefined if only a value is wrong. */
function ownShape(source: string): string | undefined {
  const { ast, diagnostics } = parse(source, PLAIN);
  if (diagnostics.some(({ code }) => !OF_VALUES.test(code))) return 'error';
  return diagnostics.length > 0 ? undefined : shapeOf(ast.root, source);
}

function operation(name: string, operands: readonly string[]): string {
  return `(${[name, ...operands].join(' ')})`;
}

/** Chains of `&&` and `||` have no nesting: the parser balances them. */
function flattened(name: string, operands: readonly string[]): string {
  const start = `(${name} `;
  const isChain = name === '&&' || name === '||';
  return operation(
    name,
    isChain ? operands.map(one => (one.startsWith(start) ? one.slice(start.length, -1) : one)) : operands,
  );
}

const isMarked = (optional: boolean) => (optional ? '?' : '');

function shapeOf(expr: Expr, source: string): string {
  const of = (inner: Expr) => shapeOf(inner, source);
  switch (expr.kind) {
    case 'literal':
      return withoutSpace(source.slice(expr.range.start, expr.range.end));
    case 'ident':
      return expr.name;
    case 'select':
      return operation('.', [of(expr.operand), expr.field]);
    case 'list':
      return operation(
        'list',
        expr.elements.map((one, at) => isMarked(expr.optionalIndices.includes(at)) + of(one)),
      );
    case 'map':
      return operation(
        'map',
        expr.entries.map(one => `${isMarked(one.optional)}${of(one.key)}: ${of(one.value)}`),
      );
    case 'struct':
      return operation(
        expr.typeName,
        expr.fields.map(one => `${isMarked(one.optional)}${one.field}: ${of(one.value)}`),
      );
    case 'call':
      return callShape(expr, source);
    default:
      throw new Error(`no shape for ${expr.kind}`);
  }
}

function callShape(expr: Extract<Expr, { kind: 'call' }>, source: string): string {
  const args = expr.args.map(one => shapeOf(one, source));
  if (expr.target) return operation(`.${expr.function}()`, [shapeOf(expr.target, source), ...args]);
  if (expr.function === '_?._') return operation('.?', [args[0]!, fieldText(expr.args[1]!, source)]);
  const operator = /^(?:@(in)|(_\[\??_\]|_\?_:_)|_?(\W+)_)$/.exec(expr.function);
  return operator ? flattened(operator[1] ?? operator[2] ?? operator[3]!, args) : operation(`${expr.function}()`, args);
}

/** The range of an optional field includes its backticks. */
function fieldText({ range }: Expr, source: string): string {
  return source.slice(range.start, range.end).replaceAll('`', '');
}

function withoutSpace(literal: string): string {
  return /^-/.test(literal) ? literal.replace(/^-(?:\s|\/\/[^\n]*\n)*/, '-') : literal;
}

/** Returns the shape of an expression as Tree-sitter reads it. */
function treeShape(tree: Tree | null): string {
  return tree === null || JSON.stringify(tree).includes('"reserved_word"') ? 'error' : shapeOfTree(tree);
}

function shapeOfTree([, type, inner]: Tree): string {
  const children = typeof inner === 'string' ? [] : inner;
  const [only] = children;
  const part = (field: string) => children.find(([own]) => own === field);
  const of = (field: string) => shapeOfTree(part(field)!);
  const isOptional = children.some(([field, name]) => field === null && name === '?');
  switch (type) {
    case 'source_file':
      return shapeOfTree(only!);
    case 'parenthesized_expression':
      return shapeOfTree(children[1]!);
    case 'conditional_expression':
      return operation('_?_:_', [of('condition'), of('consequence'), of('alternative')]);
    case 'binary_expression':
      return flattened(part('operator')![1], [of('left'), of('right')]);
    case 'unary_expression': {
      const signs = children.filter(([field]) => field === 'operator');
      return signs.length % 2 === 0 ? of('argument') : operation(signs[0]![1], [of('argument')]);
    }
    case 'select_expression':
      return operation('.', [of('object'), of('field')]);
    case 'optional_select_expression':
      return operation('.?', [of('object'), of('field')]);
    case 'index_expression':
      return operation(isOptional ? '_[?_]' : '_[_]', [of('object'), of('index')]);
    case 'call_expression': {
      const args = elementsOf(part('arguments')!);
      return part('object')
        ? operation(`.${of('function')}()`, [of('object'), ...args])
        : operation(`${of('function')}()`, args);
    }
    case 'list':
      return operation('list', elementsOf([null, type, inner]));
    case 'map':
      return operation('map', elementsOf([null, type, inner]));
    case 'message':
      return operation(qualifiedName(part('type')!), elementsOf(children.find(one => one[1] === 'fields')!));
    case 'entry':
    case 'field': {
      const [key, value] = children.filter(([, name]) => name !== '?' && name !== ':');
      return `${isMarked(isOptional)}${shapeOfTree(key!)}: ${shapeOfTree(value!)}`;
    }
    default:
      return leafShape(type, inner);
  }
}

function leafShape(type: string, inner: readonly Tree[] | string): string {
  const text = typeof inner === 'string' ? inner : inner.map(one => shapeOfTree(one)).join('');
  return type === 'quoted_name' ? text.replaceAll('`', '') : text;
}

function qualifiedName(tree: Tree): string {
  const [, type, inner] = tree;
  if (type !== 'select_expression') return shapeOfTree(tree);
  const part = (field: string) => (inner as readonly Tree[]).find(([own]) => own === field)!;
  return `${qualifiedName(part('object'))}.${shapeOfTree(part('field'))}`;
}

/** Elements of a list, a map, fields or arguments, with their marks. */
function elementsOf([, , inner]: Tree): readonly string[] {
  const parts = (inner as readonly Tree[]).slice(1, -1).filter(([, type]) => type !== ',');
  return parts.flatMap((one, at) => (one[1] === '?' ? [] : [isMarked(parts[at - 1]?.[1] === '?') + shapeOfTree(one)]));
}

/** Returns the sources that are read differently, with both shapes. */
function differences(sources: readonly string[]): readonly unknown[] {
  // For Tree-sitter, a null character ends the text.
  const readable = sources.filter(source => !source.includes('\0'));
  const trees = treesOf(readable);
  expect(trees.length).toBe(readable.length);
  return readable.flatMap((source, at) => {
    const [own, other] = [ownShape(source), treeShape(trees[at]!)];
    const isSame = own === undefined ? other !== 'error' : own === other;
    return isSame ? [] : [{ source, own, other }];
  });
}

describe.skipIf(!canRun)('the Tree-sitter grammar', () => {
  it('reads the official suites as the parser does', () => {
    const sources = [...new Set(SYNTAX_TESTS.map(({ source }) => source))];
    expect(sources.length).toBeGreaterThan(2000);
    expect(differences(sources)).toEqual([]);
  });

  const count = runs(1000, 3000, 'TREE_SITTER_RUNS');
  const drawn = seed(20_261_129, 'TREE_SITTER_SEED');

  it('reads random expressions as the parser does', () => {
    expect(differences(fc.sample(expressionText, { numRuns: count, seed: drawn })).slice(0, 10)).toEqual([]);
  });

  it('accepts random texts that the parser accepts, and no others', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '[',
      '{',
      '}',
      ',',
      ':',
      '?',
      '.',
      '.?',
      '-',
      '!',
      ' in ',
      ' as',
      ' true',
      '`a`',
      '1',
      "'",
      '"',
      '//',
      ' a',
      ' ',
    );
    const broken = fc
      .tuple(expressionText, fc.nat(), fc.nat(4), pieces)
      .map(
        ([text, at, cut, piece]) =>
          text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + cut),
      );
    const sources = fc.sample(broken, { numRuns: count, seed: drawn });
    const accepted = sources.filter(source => ownShape(source) !== 'error').length;
    expect(Math.min(accepted, sources.length - accepted)).toBeGreaterThan(count / 20);
    expect(differences(sources).slice(0, 10)).toEqual([]);
  });

  it('colours expressions', () => {
    const [captured] = answersTo(
      ["req.a == 'x' && size(int(-1)) in [1.5, true] || as"],
      [...compiledGrammar(), join(GRAMMAR, 'queries/highlights.scm')],
    ) as readonly (readonly [string, string][])[];
    // Of the names of one node, an editor uses the last that it knows.
    expect(Object.fromEntries(captured!.map(([name, text]) => [text, name]))).toMatchObject({
      ...{ req: 'variable', a: 'variable.other.member', size: 'function', int: 'function' },
      ...{
        "'x'": 'string',
        '-1': 'constant.numeric.integer',
        '1.5': 'constant.numeric.float',
        true: 'constant.builtin.boolean',
      },
      ...{
        in: 'keyword.operator',
        '&&': 'operator',
        '[': 'punctuation.bracket',
        ',': 'punctuation.delimiter',
        as: 'keyword',
      },
    });
  });

  it('finds the conditions of policies in YAML', () => {
    const conditions = ['  - a == 1', `  - "b == 'c'"`, `  - 'd'`, '  - >-\n      e\n      && f', '  - g.h(\n      i)'];
    const flow = `[j, "k == 'l'", 'm']`;
    const policy = `on_http_request:\n- name: n\n  expressions:\n${conditions.join('\n')}\n  actions: [{type: deny}]\n- expressions: ${flow}\n`;
    const [captured] = answersTo(
      [policy],
      ['tree_sitter_yaml', 'yaml', join(GRAMMAR, 'queries/yaml/injections.scm')],
    ) as readonly (readonly [string, string][])[];
    expect(captured!.filter(([name]) => name === 'injection.content').map(([, text]) => text)).toEqual([
      ...['a == 1', `"b == 'c'"`, "'d'", '>-\n      e\n      && f', 'g.h(\n      i)'],
      ...['j', `"k == 'l'"`, "'m'"],
    ]);
  });

  it('has the trees of the corpus', () => {
    const corpus = readdirSync(join(GRAMMAR, 'test/corpus')).flatMap(name =>
      casesOf(readFileSync(join(GRAMMAR, 'test/corpus', name), 'utf8')),
    );
    const trees = treesOf(corpus.map(({ source }) => source));
    expect(corpus.length).toBeGreaterThan(10);
    expect(corpus.map(({ title }, at) => [title, corpusTree(trees[at]!)])).toEqual(
      corpus.map(({ title, tree }) => [title, tree]),
    );
  });
});

/** Cases in the format of `tree-sitter test`. */
function casesOf(
  corpus: string,
): readonly { readonly title: string; readonly source: string; readonly tree: string }[] {
  return corpus
    .split(/^=+\n(?=.+\n=+\n)/m)
    .slice(1)
    .map(one => {
      const [title = '', body = ''] = one.split(/\n=+\n/);
      const [source = '', tree = ''] = body.split('\n---\n');
      return { title, source: source.trim(), tree: tree.replaceAll(/\s+/g, ' ').trim() };
    });
}

function corpusTree(tree: Tree | null): string {
  if (tree === null) return 'ERROR';
  const [field, type, inner] = tree;
  const named =
    typeof inner === 'string' ? [] : inner.filter(([own, name]) => /^\w/.test(name) && !(own === 'operator'));
  const content = `(${[type, ...named.map(one => corpusTree(one))].join(' ')})`;
  return field === null ? content : `${field}: ${content}`;
}

describe.skipIf(findGenerator() === undefined)('the generated parser', () => {
  it('is that of the grammar', () => {
    const generated = generateParser(findGenerator()!);
    for (const [name, content] of Object.entries(generated))
      expect(readFileSync(join(GRAMMAR, 'src', name), 'utf8') === content, name).toBe(true);
  });
});
