import { type SourceText as Source, SourceText } from '@tollgate/diagnostics';
import { type EmbeddedPolicy, findPolicies, readPlain } from '@tollgate/policy';
import { codeFences } from '@tollgate/policy/markdown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  CodeAction,
  CompletionList,
  DocumentHighlight,
  DocumentLink,
  FoldingRange,
  Hover,
  LinkedEditingRanges,
  Location,
  Range,
  SelectionRange,
  SignatureHelp,
  SymbolInformation,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { EMBEDDINGS } from '../support/embedding-writers.ts';
import { Editor } from './support/editor.ts';
import { memoryHost } from './support/memory-host.ts';

const policyWith = ({ rule = 'office only', variable = 'team', local = 'v', field = 'metod', layout = '' } = {}) => ({
  on_http_request: [
    { name: 'first', actions: [{ type: 'set-vars', config: { vars: [{ [variable]: 'red' }] } }] },
    {
      name: rule,
      expressions: [
        `[1, 2].exists(${local}, ${local} == 1 && ${local} != 2)`,
        `vars.${variable}.startsWith('x')${layout}`,
        `req.${field} == 'GET'`,
      ],
      actions: [{ type: 'deny' }],
    },
  ],
});
const POLICY = policyWith();

/** Written with extra spaces, for the formatter. */
const UNTIDY = policyWith({ layout: '   && true' });

/** A template has a layout of its own, and single quotes cannot contain the line breaks of the layout. */
const LEFT_ALONE = ['a Helm template', 'single quotes'];

/** What is different in each format. */
interface Opened {
  readonly uri: string;
  readonly file: Source;
  readonly testsUri: string;
  readonly tests: Source;
}

const opened = new Map<string, Opened>();
let editor: Editor;

beforeAll(async () => {
  const files = new Map<string, string>();
  for (const [index, { name, file, address, write }] of EMBEDDINGS.entries()) {
    const directory = `/w/${index}`;
    const text = write(POLICY);
    const fragment = address === '' ? '' : `#${address}`;
    const tests = `policy: ${file}${fragment}\ntests:\n  - name: nobody\n    request: { url: / }\n    expect: { rules: { office only: matched } }\n`;
    files.set(`${directory}/${file}`, text);
    files.set(`${directory}/a.test.yaml`, tests);
    const uris = { uri: `file://${directory}/${file}`, testsUri: `file://${directory}/a.test.yaml` };
    opened.set(name, { ...uris, file: new SourceText(file, text), tests: new SourceText('', tests) });
  }
  editor = await Editor.start(memoryHost(files));
  for (const { uri, file, testsUri, tests } of opened.values()) {
    await editor.open(uri, file.text);
    await editor.open(testsUri, tests.text);
  }
});

afterAll(async () => {
  await editor.end();
});

/** The position in the middle of the last word of a string in a file. */
function inside({ uri, file }: Pick<Opened, 'uri' | 'file'>, found: string) {
  const at = file.text.indexOf(found);
  expect(at).toBeGreaterThan(0);
  return { textDocument: { uri }, position: file.positionAt(at + found.length - 1) };
}

function textsAt({ uri, file, testsUri, tests }: Opened, found: readonly Location[]): readonly string[] {
  return found.map(one => {
    const source = one.uri === uri ? file : one.uri === testsUri ? tests : undefined;
    return `${source === tests ? 'tests' : 'policy'}: ${source && textAt(source, one.range)}`;
  });
}

function textAt(source: Source, { start, end }: Range): string {
  return source.text.slice(source.offsetAt(start), source.offsetAt(end));
}

function applied(source: Source, edits: readonly TextEdit[] = []): Source {
  const ordered = edits
    .map(({ range, newText }) => ({ start: source.offsetAt(range.start), end: source.offsetAt(range.end), newText }))
    .toSorted((a, b) => b.start - a.start);
  let { text } = source;
  for (const { start, end, newText } of ordered) text = text.slice(0, start) + newText + text.slice(end);
  return new SourceText(source.uri, text);
}

function embeddedIn(source: Source): EmbeddedPolicy {
  const [embedded, ...others] = findPolicies(source, { fences: codeFences });
  expect(others).toEqual([]);
  return embedded!;
}

function policyIn(source: Source): unknown {
  const { source: inner, part } = embeddedIn(source);
  return readPlain(inner, part);
}

describe.each(EMBEDDINGS)('in $name', ({ name, write, isCommented }) => {
  const one = () => opened.get(name)!;
  const about = () => ({ textDocument: { uri: one().uri } });

  it.each([
    ['rule', 'office o', ['policy: office only', 'tests: office only']],
    ['variable', 'vars.tea', ['policy: team', 'policy: team']],
    ['local', '&& v', ['policy: v', 'policy: v', 'policy: v']],
  ])('finds the references of a %s', async (_, place, expected) => {
    const params = { ...inside(one(), place), context: { includeDeclaration: true } };
    const found = await editor.request<readonly Location[]>('textDocument/references', params);
    expect(textsAt(one(), found ?? []).toSorted()).toEqual(expected);
  });

  it('finds definitions, from the policy and from its tests', async () => {
    const { file, tests, testsUri } = one();
    const variable = await editor.request<readonly Location[]>('textDocument/definition', inside(one(), 'vars.tea'));
    expect(variable?.map(({ range }) => file.offsetAt(range.start))).toEqual([file.text.indexOf('team')]);
    const at = inside({ uri: testsUri, file: tests }, 'office o');
    const rule = await editor.request<readonly Location[]>('textDocument/definition', at);
    expect(textsAt(one(), rule ?? [])).toEqual(['policy: office only']);
    const named = await editor.request<readonly Location[]>('textDocument/definition', {
      ...at,
      position: { line: 0, character: 'policy: x'.length },
    });
    const start = file.offsetAt(named![0]!.range.start);
    expect(start).toBeLessThanOrEqual(file.text.indexOf('on_http_request'));
    const [link] = await editor.request<readonly DocumentLink[]>('textDocument/documentLink', {
      textDocument: { uri: testsUri },
    });
    expect(link?.target).toBe(one().uri);
  });

  it('highlights variables, and links those of macros', async () => {
    const { file } = one();
    const marked = await editor.request<readonly DocumentHighlight[]>(
      'textDocument/documentHighlight',
      inside(one(), 'vars.tea'),
    );
    expect(marked?.map(({ range }) => textAt(file, range))).toEqual(['team', 'team']);
    const linked = await editor.request<LinkedEditingRanges>('textDocument/linkedEditingRange', inside(one(), '&& v'));
    expect(linked?.ranges.map(range => textAt(file, range))).toEqual(['v', 'v', 'v']);
  });

  it.each([
    ['office o', 'é "quoted" \\ \'x\'', { rule: 'é "quoted" \\ \'x\'' }],
    ['office o', 'a: b # c', { rule: 'a: b # c' }],
    ['vars.tea', 'crew', { variable: 'crew' }],
    ['&& v', 'item', { local: 'item' }],
  ])('renames what is at %s to %s, in the notation of the file', async (place, newName, change) => {
    const { uri, file, testsUri, tests } = one();
    const prepared = await editor.request<{ range: Range }>('textDocument/prepareRename', inside(one(), place));
    const { start } = prepared!.range;
    expect(file.offsetAt(start)).toBeLessThanOrEqual(file.text.indexOf(place) + place.length);
    const asked = { ...inside(one(), place), newName };
    const { changes } = await editor.request<WorkspaceEdit>('textDocument/rename', asked);
    expect(policyIn(applied(file, changes![uri]))).toEqual(policyWith(change));
    const { rule } = { rule: 'office only', ...change };
    const expected = { url: '/', rules: { [rule]: 'matched' } };
    const [test] = (readPlain(applied(tests, changes![testsUri])) as { tests: readonly Record<string, object>[] })
      .tests;
    expect({ ...test!.request, ...test!.expect }).toEqual(expected);
  });

  it('explains and completes', async () => {
    const hover = await editor.request<Hover>('textDocument/hover', inside(one(), 'set-va'));
    expect(JSON.stringify(hover?.contents)).toContain('**set-vars**');
    const of = await editor.request<Hover>('textDocument/hover', inside(one(), 'startsW'));
    expect(textAt(one().file, of.range!)).toBe('startsWith');
    const fields = await editor.request<CompletionList>('textDocument/completion', inside(one(), 'req.m'));
    const method = fields.items.find(({ label }) => label === 'method');
    expect(textAt(one().file, (method!.textEdit as TextEdit).range)).toBe('metod');
    const types = await editor.request<CompletionList>('textDocument/completion', inside(one(), 'set-va'));
    expect(types.items.map(({ label }) => label)).toContain('redirect');
    const call = inside(one(), 'startsWith(');
    const help = await editor.request<SignatureHelp>('textDocument/signatureHelp', {
      ...about(),
      position: { ...call.position, character: call.position.character + 1 },
    });
    expect(help?.signatures[0]?.label).toContain('startsWith');
  });

  it('offers fixes, and comments only where they can be written', async () => {
    const { uri, file } = one();
    await editor.pullSettled(uri);
    const { position } = inside(one(), 'req.met');
    const params = { ...about(), range: { start: position, end: position }, context: { diagnostics: [] } };
    const actions = await editor.request<readonly CodeAction[]>('textDocument/codeAction', params);
    const fix = actions.find(({ title }) => title.includes('method'));
    expect(policyIn(applied(file, fix?.edit?.changes?.[uri]))).toEqual(policyWith({ field: 'method' }));
    const unused = inside(one(), '[1, 2].exi').position;
    const ignored = await editor.request<readonly CodeAction[]>('textDocument/codeAction', {
      ...params,
      range: { start: file.positionAt(0), end: unused },
    });
    for (const { title, edit } of ignored.filter(action => action.title.startsWith('ignore'))) {
      const after = applied(file, edit?.changes?.[uri]);
      expect([title, policyIn(after)]).toEqual([title, POLICY]);
      expect(embeddedIn(after).source.text).toMatch(/^ *# tollgate-ignore /m);
    }
  });

  it('formats without changing what the policy says', async () => {
    const { file } = one();
    const untidy = new SourceText(file.uri, write(UNTIDY));
    const uri = `${one().uri.slice(0, -file.uri.length)}untidy/${file.uri}`;
    await editor.open(uri, untidy.text);
    const params = { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } };
    const edits = await editor.request<readonly TextEdit[] | null>('textDocument/formatting', params);
    const after = applied(untidy, edits ?? []);
    const written = JSON.stringify(policyIn(after)).replaceAll(/\s+/g, ' ');
    expect(written).toBe(JSON.stringify(UNTIDY).replaceAll(/\s+/g, ' '));
    const isLeftAlone = isCommented || LEFT_ALONE.includes(name);
    expect(after.text === untidy.text).toBe(isLeftAlone);
  });

  it('folds, selects and outlines', async () => {
    const { file } = one();
    const lineOf = (found: string) => file.positionAt(file.text.indexOf(found)).line;
    const [first, last] = [lineOf('on_http_request'), lineOf('deny')];
    const folds = await editor.request<readonly FoldingRange[]>('textDocument/foldingRange', about());
    const around = folds.filter(({ startLine, endLine }) => startLine === first && endLine >= last);
    expect(around.length).toBe(first === last ? 0 : 1);
    const { textDocument, position } = inside(one(), 'vars.tea');
    const asked = { textDocument, positions: [position] };
    const [selection] = await editor.request<readonly SelectionRange[]>('textDocument/selectionRange', asked);
    const ranges: Range[] = [];
    for (let at = selection; at; at = at.parent) ranges.push(at.range);
    const offsets = ranges.map(({ start, end }) => [file.offsetAt(start), file.offsetAt(end)] as const);
    expect(textAt(file, ranges[0]!)).toBe('vars.team');
    expect(offsets.at(-1)).toEqual([0, file.text.length]);
    for (const [index, [start, end]] of offsets.entries()) {
      const [from, to] = offsets[index + 1] ?? [start, end];
      expect([from <= start, end <= to]).toEqual([true, true]);
    }
    const outline = await editor.request<readonly SymbolInformation[]>('textDocument/documentSymbol', about());
    expect(outline.map(symbol => symbol.name)).toContain('office only');
  });
});

it('finds the symbols of all embedded policies', async () => {
  const found = await editor.request<readonly SymbolInformation[]>('workspace/symbol', { query: 'office' });
  const uris = new Set(found.map(({ location }) => location.uri));
  expect([...opened.values()].filter(({ uri }) => !uris.has(uri))).toEqual([]);
});
