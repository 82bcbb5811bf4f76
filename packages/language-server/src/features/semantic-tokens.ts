import type { TypedAst } from '@tollgate/cel';
import type { Range } from '@tollgate/diagnostics';
import { documentRange, type MappedText, rangeInFile } from '@tollgate/policy';
import type { SemanticTokens } from 'vscode-languageserver-types';
import { isOperator, typedOf, visitWritten } from '../cursor/expression-place.ts';
import { TOKEN_TYPES } from '../protocol.ts';
import { inStrings, movedSince, type Snapshot } from '../snapshot.ts';

interface Token {
  readonly range: Range;
  readonly type: (typeof TOKEN_TYPES)[number];
}

/** Returns the tokens of the expressions in a document and in the policies in its strings, or in a part of it. */
export function semanticTokens(snapshot: Snapshot, part?: Range): SemanticTokens {
  const { source, lastGood } = snapshot;
  const isInside = (range: Range) => !part || (range.end >= part.start && range.start <= part.end);
  const written = lastGood
    ? allTokens(lastGood.snapshot, () => true).flatMap(({ range, type }) => {
        const moved = movedSince(lastGood, range);
        return moved ? { range: moved, type } : [];
      })
    : allTokens(snapshot, isInside);
  const tokens = written.filter(({ range }) => isInside(range));
  const data: number[] = [];
  let line = 0;
  let character = 0;
  let last = -1;
  for (const { range, type } of tokens.toSorted((a, b) => a.range.start - b.range.start)) {
    const [at, end] = [source.positionAt(range.start), source.positionAt(range.end)];
    const length = end.character - at.character;
    // A token must not continue on the next line.
    if (range.start < last || length <= 0 || end.line > at.line) continue;
    data.push(
      at.line - line,
      at.line === line ? at.character - character : at.character,
      length,
      TOKEN_TYPES.indexOf(type),
      0,
    );
    ({ line, character } = at);
    last = range.end;
  }
  return { data };
}

/** Returns the tokens of a document and of the policies in its strings. */
function allTokens(snapshot: Snapshot, isWanted: (range: Range) => boolean): readonly Token[] {
  const embedded = inStrings(snapshot).flatMap(({ embedded: policy, snapshot: inner }) =>
    tokensIn(inner, () => true).map(({ range, type }) => ({ range: rangeInFile(policy, range), type })),
  );
  return [...tokensIn(snapshot, isWanted), ...embedded];
}

/** Returns the tokens of a document's own policies, in the rules whose range is wanted. */
function tokensIn({ policies, claims }: Snapshot, isWanted: (range: Range) => boolean): readonly Token[] {
  const tokens: Token[] = [];
  for (const text of claims?.texts ?? []) {
    const { phase, tested } = claims!;
    const typed = typedOf({ source: text.value, environment: tested.environments[phase], variables: [] });
    addTokens(tokens, typed, { text, offset: 0 });
  }
  for (const { policy } of policies)
    for (const rules of Object.values(policy.rules))
      for (const rule of rules) {
        if (!isWanted(rule.range)) continue;
        for (const { typed, text } of rule.expressions) if (typed) addTokens(tokens, typed, { text, offset: 0 });
        for (const { expressions } of rule.actions)
          for (const { typed, text, offset } of expressions) if (typed) addTokens(tokens, typed, { text, offset });
      }
  return tokens;
}

function addTokens(
  tokens: Token[],
  { ast, references }: TypedAst,
  place: { readonly text: MappedText; readonly offset: number },
): void {
  const add = ({ start, end }: Range, type: Token['type']) =>
    tokens.push({ type, range: documentRange(place.text, { start: start + place.offset, end: end + place.offset }) });
  const macros = new Set([...ast.macroCalls.values()]);
  visitWritten(ast, node => {
    if (node.kind === 'ident') {
      const reference = references[node.id];
      add(node.range, reference?.kind === 'local' ? 'parameter' : reference?.kind === 'type' ? 'type' : 'variable');
    }
    if (node.kind === 'select') add(node.fieldRange, 'property');
    if (node.kind === 'call' && !isOperator(node))
      add(node.functionRange, macros.has(node) ? 'macro' : node.target ? 'method' : 'function');
    if (node.kind !== 'literal') return;
    const { type } = node.literal;
    if (type === 'string' || type === 'bytes') add(node.range, 'string');
    else add(node.range, type === 'bool' || type === 'null' ? 'keyword' : 'number');
  });
}
