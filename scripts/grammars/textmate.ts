import type { GrammarDescription } from '@tollgate/cel/tooling';

interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Readonly<Record<string, { readonly name: string }>>;
  readonly beginCaptures?: Readonly<Record<string, { readonly name: string }>>;
  readonly patterns?: readonly Rule[];
}

/** Returns the TextMate grammar for syntax highlighting of expressions, with the given names of macros and types. */
export function toTextMate(
  grammar: GrammarDescription,
  names: { macros: readonly string[]; types: readonly string[] },
): string {
  const patterns: Rule[] = [
    { name: 'comment.line.double-slash.cel', match: pattern(grammar, 'Comment') },
    ...strings(),
    ...numbers(grammar),
    ...keywords(grammar),
    ...identifiers(grammar, names),
    ...symbols(grammar),
  ];
  const header = {
    information_for_contributors: ['Generated from the parser; do not edit.'],
    name: 'Common Expression Language',
    scopeName: 'source.cel',
    fileTypes: ['cel'],
  };
  return `${JSON.stringify({ ...header, patterns }, undefined, 2)}\n`;
}

function pattern({ tokens }: GrammarDescription, name: string): string {
  const found = tokens.find(token => token.name === name)?.pattern;
  if (found === undefined) throw new Error(`the grammar has no token ${name} with a pattern`);
  return found;
}

const ESCAPES: Rule = {
  name: 'constant.character.escape.cel',
  match: '\\\\(?:[abfnrtv\\\\?"\'`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})',
};
const BAD_ESCAPE: Rule = { name: 'invalid.illegal.escape.cel', match: String.raw`\\.` };

/** Triple quotes come first because `"""` also starts with `"`. An unclosed literal in single or double quotes ends with its line. */
function strings(): Rule[] {
  return ['"""', "'''", '"', "'"].flatMap(quotes => {
    const end = quotes.length === 3 ? quotes : `${quotes}|$`;
    const kind = quotes.startsWith('"') ? 'double' : 'single';
    const captures = { 1: { name: 'storage.type.string.cel' } };
    const raw = { name: 'string.quoted.other.raw.cel', begin: `(\\b[bB]?[rR])${quotes}`, end, beginCaptures: captures };
    const name = `string.quoted.${quotes.length === 3 ? 'triple' : kind}.cel`;
    return [raw, { name, begin: `(\\b[bB])?${quotes}`, end, beginCaptures: captures, patterns: [ESCAPES, BAD_ESCAPE] }];
  });
}

function numbers(grammar: GrammarDescription): Rule[] {
  return [
    { name: 'constant.numeric.float.cel', match: `(?:${pattern(grammar, 'DoubleLiteral')})` },
    { name: 'constant.numeric.integer.unsigned.cel', match: `${pattern(grammar, 'UintLiteral')}\\b` },
    { name: 'constant.numeric.integer.cel', match: `(?:${pattern(grammar, 'IntLiteral')})` },
  ];
}

function keywords({ tokens, reservedWords }: GrammarDescription): Rule[] {
  const isWord = (text: string | undefined): text is string => text !== undefined && /^\w+$/.test(text);
  const ofCategory = (category: string): string[] =>
    tokens
      .filter(token => token.category === category)
      .map(({ text }) => text)
      .filter(isWord);
  return [
    { name: 'constant.language.cel', match: wordsPattern(ofCategory('literal')) },
    { name: 'keyword.operator.word.cel', match: wordsPattern(ofCategory('operator')) },
    // As field names, keywords are ordinary names.
    { name: 'invalid.illegal.reserved.cel', match: `(?<!\\.)${wordsPattern(reservedWords)}(?!\\s*:)` },
  ];
}

function identifiers(
  grammar: GrammarDescription,
  names: { macros: readonly string[]; types: readonly string[] },
): Rule[] {
  const identifier = pattern(grammar, 'Identifier');
  return [
    { name: 'support.function.macro.cel', match: `${wordsPattern(names.macros)}(?=\\s*\\()` },
    { name: 'entity.name.function.cel', match: `${identifier}(?=\\s*\\()` },
    { name: 'support.type.cel', match: `(?<!\\.)${wordsPattern(names.types)}` },
    { name: 'variable.other.member.cel', match: pattern(grammar, 'QuotedName') },
    { name: 'variable.other.member.cel', match: `(?<=\\.)${identifier}` },
    { name: 'variable.other.cel', match: identifier },
  ];
}

function symbols({ tokens }: GrammarDescription): Rule[] {
  const isSymbol = (text: string | undefined): text is string => text !== undefined && !/^\w+$/.test(text);
  const texts = tokens.map(({ text }) => text).filter(isSymbol);
  const isPunctuation = (text: string): boolean => /^[()[\]{},.]$/.test(text);
  // Longer symbols first, so that `<=` is not read as `<`.
  const operators = texts.filter(text => !isPunctuation(text)).sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return [
    { name: 'keyword.operator.cel', match: operators.map(text => escapePattern(text)).join('|') },
    {
      name: 'punctuation.cel',
      match: texts
        .filter(isPunctuation)
        .map(text => escapePattern(text))
        .join('|'),
    },
  ];
}

function wordsPattern(texts: readonly string[]): string {
  return `\\b(?:${[...texts].sort().join('|')})\\b`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
