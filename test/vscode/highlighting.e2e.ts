import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { CODE_SERVER, findTool } from '../../scripts/vscode/install-tool.ts';

/** The parts of VS Code's highlighting engine, `vscode-textmate` and `vscode-oniguruma`, that are used. */
interface Engine {
  readonly INITIAL: object;
  readonly parseRawGrammar: (text: string, path: string) => object;
  readonly Registry: new (
    options: object,
  ) => {
    readonly loadGrammar: (scope: string) => Promise<Grammar>;
  };
}
interface Oniguruma {
  readonly loadWASM: (code: ArrayBuffer) => Promise<void>;
  readonly OnigScanner: new (patterns: readonly string[]) => object;
  readonly OnigString: new (text: string) => object;
}
interface Grammar {
  readonly tokenizeLine: (
    line: string,
    state: object,
  ) => {
    readonly tokens: readonly {
      readonly startIndex: number;
      readonly endIndex: number;
      readonly scopes: readonly string[];
    }[];
    readonly ruleStack: object;
  };
}

const VSCODE = join(findTool(CODE_SERVER) ?? '', 'lib/vscode');
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['', '.1.0', '.1.1', '.1.2', '.1.3', '.embedded'].map(suffix => [
      `source.yaml${suffix}`,
      join(VSCODE, `extensions/yaml/syntaxes/yaml${suffix.replace('.', '-')}.tmLanguage.json`),
    ]),
  ),
  'source.json': join(VSCODE, 'extensions/json/syntaxes/JSON.tmLanguage.json'),
  'source.cel': 'grammars/cel.tmLanguage.json',
  'source.tollgate': 'packages/vscode/syntaxes/tollgate.tmLanguage.json',
  'tollgate.injection.expressions': 'packages/vscode/syntaxes/expressions.tmLanguage.json',
  'tollgate.injection.interpolations': 'packages/vscode/syntaxes/interpolations.tmLanguage.json',
};

interface Injection {
  readonly scopeName: string;
  readonly injectTo?: readonly string[];
}

/** Where the manifest of the extension injects a grammar. */
const { contributes } = JSON.parse(readFileSync('packages/vscode/package.json', 'utf8')) as {
  contributes: { grammars: readonly Injection[] };
};
const injectionsOf = (scope: string) =>
  contributes.grammars.flatMap(({ scopeName, injectTo }) => (injectTo?.includes(scope) ? [scopeName] : []));

let tokensOf: (scope: string, text: string) => Promise<readonly string[]>;

beforeAll(async () => {
  const require = createRequire(join(VSCODE, 'package.json'));
  const { INITIAL, parseRawGrammar, Registry } = require('vscode-textmate') as Engine;
  const { loadWASM, OnigScanner, OnigString } = require('vscode-oniguruma') as Oniguruma;
  const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns: readonly string[]) => new OnigScanner(patterns),
      createOnigString: (text: string) => new OnigString(text),
    }),
    loadGrammar: async (scope: string) => {
      const path = FILES[scope];
      return path === undefined ? null : parseRawGrammar(readFileSync(path, 'utf8'), path);
    },
    getInjections: injectionsOf,
  });
  tokensOf = async (scope, text) => {
    const grammar = await registry.loadGrammar(scope);
    let state = INITIAL;
    return text.split('\n').flatMap(line => {
      const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
      state = ruleStack;
      return tokens.flatMap(({ startIndex, endIndex, scopes }) => {
        const [piece, scopeOf] = [line.slice(startIndex, endIndex).trim(), scopes.at(-1) ?? ''];
        return piece === '' || !scopes.includes('meta.embedded.cel') ? [] : [`${piece} ${scopeOf}`];
      });
    });
  };
});

const PATH = ['req variable.other.cel', '. punctuation.cel', 'Path variable.other.member.cel'];
const EQUALS = '== keyword.operator.cel';
const quoted = (mark: string, text: string, kind: string) =>
  [mark, text, mark].map(piece => `${piece} string.quoted.${kind}.cel`);

const rule = (...lines: readonly string[]) => `inbound:\n  - name: a\n    ${lines.join('\n    ')}\n    actions: []\n`;

describe.each(['source.tollgate', 'source.yaml'])('expressions in %s', scope => {
  it.each([
    ['plain', rule('expressions:', "  - req.Path == '/x' # why"), quoted("'", '/x', 'single')],
    ['without indentation', rule('expressions:', "- req.Path == '/x'"), quoted("'", '/x', 'single')],
    [
      'as the first key',
      "inbound:\n  - expressions:\n      - req.Path == '/x'\n    name: a\n",
      quoted("'", '/x', 'single'),
    ],
    ['in double quotes', rule('expressions:', `  - "req.Path == '/x'"`), quoted("'", '/x', 'single')],
    [
      'in double quotes with escapes',
      rule('expressions:', '  - "req.Path == \\"/x\\""'),
      ['\\"/x\\" string.quoted.double.cel'],
    ],
    ['in single quotes', rule('expressions:', "  - 'req.Path == ''/x'''"), ["''/x'' string.quoted.single.cel"]],
    ['in a block', rule('expressions:', '  - >-', '    req.Path ==', '', "    '/x'"), quoted("'", '/x', 'single')],
    ['in a list on one line', rule(`expressions: ["req.Path == '/x'"]`), quoted("'", '/x', 'single')],
    ['in a list over lines', rule('expressions: [', `  "req.Path == '/x'",`, ']'), quoted("'", '/x', 'single')],
    ['below a quoted key', rule('"expressions":', "  - req.Path == '/x'"), quoted("'", '/x', 'single')],
  ])('are highlighted: %s', async (_, text, value) => {
    expect(await tokensOf(scope, text)).toEqual([...PATH, EQUALS, ...value]);
  });

  it('end with an open quote, at the latest with their line', async () => {
    const text = rule('expressions:', `  - "req.Path == 'x"`, '  - req.Path');
    expect((await tokensOf(scope, text)).slice(-3)).toEqual(PATH);
  });

  it.each([
    ['a string', 'spec:\n  expressions: none\n'],
    ['a longer key', 'matchExpressions:\n  - key: app\n'],
    ['a comment', '# expressions: ["a == b"]\nname: x\n'],
    ['what follows', 'expressions:\nactions:\n  - type: deny\n'],
  ])('are not looked for in %s', async (_, text) => {
    expect(await tokensOf(scope, text)).toEqual([]);
  });
});

describe('expressions in JSON', () => {
  it('are highlighted, and what follows is still JSON', async () => {
    const text = '{"inbound": [{"expressions": ["req.Path == \\"/x\\""], "name": "a"}]}';
    expect(await tokensOf('source.json', text)).toEqual([...PATH, EQUALS, '\\"/x\\" string.quoted.double.cel']);
  });
});

describe('interpolations', () => {
  it.each(['to: /a/${req.Path}', 'to: "/a/${req.Path}"', "to: '/a/${req.Path}/b'"])(
    'are highlighted: %s',
    async text => {
      expect(await tokensOf('source.tollgate', text)).toEqual(PATH);
      expect(await tokensOf('source.yaml', text)).toEqual([]);
    },
  );
});
