// The Tree-sitter grammar of CEL, from the parser's own productions, tokens and operators, and the queries for its colours.

import type { GrammarDescription, TokenDescription } from '@tollgate/cel/tooling';
import { toEbnf } from './ebnf.ts';

/** A rule in the notation of Tree-sitter's `grammar.json`. */
type Rule =
  | { readonly type: 'SYMBOL' | 'STRING' | 'PATTERN'; readonly name?: string; readonly value?: string }
  | { readonly type: 'BLANK' }
  | { readonly type: 'SEQ' | 'CHOICE'; readonly members: readonly Rule[] }
  | { readonly type: 'REPEAT' | 'REPEAT1'; readonly content: Rule }
  | { readonly type: 'FIELD'; readonly name: string; readonly content: Rule }
  | { readonly type: 'ALIAS'; readonly content: Rule; readonly named: true; readonly value: string }
  | { readonly type: 'PREC' | 'PREC_LEFT'; readonly value: number; readonly content: Rule };

/** The parts of a production, as serialized by Chevrotain, that are used here. */
interface Part {
  readonly type: string;
  readonly name?: string;
  readonly definition?: readonly Part[];
}

const symbol = (name: string): Rule => ({ type: 'SYMBOL', name });
const text = (value: string): Rule => ({ type: 'STRING', value });
const pattern = (value: string): Rule => ({ type: 'PATTERN', value });
const seq = (...members: readonly Rule[]): Rule => (members.length === 1 ? members[0]! : { type: 'SEQ', members });
const choice = (...members: readonly Rule[]): Rule =>
  members.length === 1 ? members[0]! : { type: 'CHOICE', members };
const optional = (...members: readonly Rule[]): Rule => choice(seq(...members), { type: 'BLANK' });
const field = (name: string, content: Rule): Rule => ({ type: 'FIELD', name, content });
const alias = (content: Rule, value: string): Rule => ({ type: 'ALIAS', content, named: true, value });

/** Productions that are flat in the parser, and written by hand here, as they must be for that. */
const FLAT = `expression = chain, { "?", chain, ":", chain } ;
chain = operand, { binary operator, operand } ;
operand =
  [ ( "!", { "!" } | "-", { "-" } ) ],
  (
      literal
    | identifier, [ argument list ]
    | ".", identifier, [ argument list ]
    | "(", expression, ")"
    | "-", ( int literal | double literal )
    | list
    | map
  ),
  { (
      ".", ( identifier, [ argument list ] | quoted name | "?", field name )
    | "[", [ "?" ], expression, "]"
    | fields
  ) } ;
`;

/**
 * Returns `grammar.json`, from which Tree-sitter generates a parser. Operators become rules with a precedence; names that may begin a message,
 * and operands that begin with a negative number, have rules of their own, so that messages follow names only and `--1` is not `-(-1)`.
 */
export function toTreeSitter(grammar: GrammarDescription): string {
  if (!toEbnf(grammar).includes(`\n${FLAT}`))
    throw new Error(
      'the productions of expressions have changed: change `scripts/grammars/tree-sitter.ts` accordingly',
    );
  const keywords = grammar.tokens.flatMap(({ text: word }) => (word !== undefined && isWord(word) ? [word] : []));
  const rules: Record<string, Rule> = {
    source_file: symbol('_expression'),
    ...expressions(grammar),
    ...operands(grammar),
    ...Object.fromEntries(derivedRules(grammar)),
    _field_name: choice(
      symbol('identifier'),
      symbol('quoted_name'),
      alias(choice(...keywords.map(text)), 'reserved_word'),
    ),
    reserved_word: choice(...[...grammar.reservedWords, 'in'].map(text)),
    ...Object.fromEntries(tokenRules(grammar)),
  };
  const skipped = grammar.tokens.filter(one => one.skipped);
  const extras = skipped.map(one => (one.name === 'WhiteSpace' ? patternOf(one) : symbol(snake(one.name))));
  return `${JSON.stringify(
    {
      $schema: 'https://tree-sitter.github.io/tree-sitter/assets/schemas/grammar.schema.json',
      name: 'cel',
      word: 'identifier',
      rules,
      extras,
      conflicts: [],
      precedences: [],
      externals: [],
      inline: ['_member', '_field_name'],
      supertypes: [],
      reserved: {},
    },
    undefined,
    1,
  )}\n`;
}

function expressions({ operators }: GrammarDescription): Record<string, Rule> {
  const chain = symbol('_chain');
  return {
    _expression: choice(symbol('conditional_expression'), chain),
    conditional_expression: seq(
      field('condition', chain),
      text('?'),
      field('consequence', chain),
      text(':'),
      field('alternative', symbol('_expression')),
    ),
    _chain: choice(symbol('binary_expression'), symbol('unary_expression'), symbol('_member'), symbol('_negative')),
    binary_expression: choice(
      ...operators.map(({ text: operator, precedence }): Rule => {
        const content = seq(field('left', chain), field('operator', text(operator)), field('right', chain));
        return { type: 'PREC_LEFT', value: precedence, content };
      }),
    ),
    unary_expression: choice(
      seq(signs('!'), field('argument', choice(symbol('_member'), symbol('_negative')))),
      seq(signs('-'), field('argument', symbol('_member'))),
    ),
  };
}

function signs(sign: string): Rule {
  return { type: 'REPEAT1', content: field('operator', text(sign)) };
}

/** Operands: `_qualified` are names joined by dots, `_negative` begins with a negative number, and `_other` are all others. */
function operands({ tokens, reservedWords }: GrammarDescription): Record<string, Rule> {
  const name = symbol('identifier');
  const [member, qualified, other, negative] = ['_member', '_qualified', '_other', '_negative'].map(symbol) as [
    Rule,
    Rule,
    Rule,
    Rule,
  ];
  const args = field('arguments', symbol('argument_list'));
  const literals = tokens.filter(one => one.category === 'literal').map(literalRule);
  const named = (content: Rule) => alias(content, 'select_expression');
  const select = (object: Rule, selected: Rule) => seq(field('object', object), text('.'), field('field', selected));
  const suffixed = (object: Rule): readonly Rule[] => [
    seq(field('object', object), text('.'), text('?'), field('field', symbol('_field_name'))),
    seq(field('object', object), text('['), optional(text('?')), field('index', symbol('_expression')), text(']')),
    seq(field('object', object), text('.'), field('function', name), args),
  ];
  const [optionalSelect, index, call] = suffixed(member) as [Rule, Rule, Rule];
  const [negativeOptional, negativeIndex, negativeCall] = suffixed(negative) as [Rule, Rule, Rule];
  const keywords = tokens.flatMap(({ text: word = '' }) => (isWord(word) ? [word] : []));
  const notAName = (words: Iterable<string>) => alias(choice(...Array.from(words, text)), 'reserved_word');
  const keyword = notAName(keywords);
  return {
    _member: choice(qualified, other),
    _qualified: choice(name, symbol('rooted_name'), named(symbol('_qualified_select'))),
    rooted_name: seq(text('.'), choice(name, notAName(new Set([...reservedWords, ...keywords])))),
    _qualified_select: select(qualified, name),
    _other: choice(
      ...literals,
      symbol('reserved_word'),
      symbol('parenthesized_expression'),
      symbol('list'),
      symbol('map'),
      symbol('message'),
      named(symbol('_other_select')),
      symbol('optional_select_expression'),
      symbol('index_expression'),
      symbol('call_expression'),
    ),
    parenthesized_expression: seq(text('('), symbol('_expression'), text(')')),
    message: seq(field('type', qualified), symbol('fields')),
    _other_select: choice(select(other, name), select(member, symbol('quoted_name')), select(member, keyword)),
    optional_select_expression: optionalSelect,
    index_expression: index,
    call_expression: choice(seq(field('function', choice(name, symbol('rooted_name'))), args), call),
    _negative: choice(
      symbol('negative_number'),
      named(symbol('_negative_select')),
      alias(symbol('_negative_optional'), 'optional_select_expression'),
      alias(symbol('_negative_index'), 'index_expression'),
      alias(symbol('_negative_call'), 'call_expression'),
    ),
    negative_number: {
      type: 'PREC',
      value: 1,
      content: seq(text('-'), choice(symbol('int_literal'), symbol('double_literal'))),
    },
    _negative_select: select(negative, choice(name, symbol('quoted_name'), keyword)),
    _negative_optional: negativeOptional,
    _negative_index: negativeIndex,
    _negative_call: negativeCall,
  };
}

function literalRule({ name, text: word }: TokenDescription): Rule {
  return word === undefined ? symbol(snake(name)) : alias(text(word), `${word === 'null' ? 'null' : 'bool'}_literal`);
}

const BY_HAND: ReadonlySet<string> = new Set(['expression', 'chain', 'operand', 'fieldName']);

/** The other productions, as the parser has them. */
function derivedRules({ rules, tokens }: GrammarDescription): readonly (readonly [string, Rule])[] {
  const byName = new Map(tokens.map(token => [token.name, token]));
  return rules
    .map(rule => rule as Part)
    .filter(({ name = '' }) => !BY_HAND.has(name))
    .map(({ name = '', definition = [] }) => [snake(name), seq(...definition.map(part => derived(part, byName)))]);
}

function derived(part: Part, tokens: ReadonlyMap<string, TokenDescription>): Rule {
  const inner = (part.definition ?? []).map(one => derived(one, tokens));
  switch (part.type) {
    case 'Terminal': {
      const { name = '', text: fixed } = tokens.get(part.name ?? '') ?? {};
      return fixed === undefined ? symbol(snake(name)) : text(fixed);
    }
    case 'NonTerminal':
      return symbol({ expression: '_expression', fieldName: '_field_name' }[part.name ?? ''] ?? snake(part.name ?? ''));
    case 'Option':
      return optional(...inner);
    case 'Repetition':
      return { type: 'REPEAT', content: seq(...inner) };
    case 'Alternation':
    case 'Alternative':
      return part.type === 'Alternation' ? choice(...inner) : seq(...inner);
    default:
      throw new Error(`the grammar has a production of type ${part.type}, which has no notation here yet`);
  }
}

function tokenRules({ tokens }: GrammarDescription): readonly (readonly [string, Rule])[] {
  return tokens
    .filter(one => one.pattern !== undefined && one.name !== 'WhiteSpace')
    .map(one => [snake(one.name), patternOf(one)]);
}

/** Tree-sitter's patterns match as much as they can, and have no lazy repetitions: a string ends before the first three quotes instead. */
function patternOf({ name, pattern: source = '' }: TokenDescription): Rule {
  const eager = ['"', "'"].reduce(
    (found, quote) =>
      found
        .replaceAll(
          `${quote.repeat(3)}[^]*?${quote.repeat(3)}`,
          `${quote.repeat(3)}(?:${quote}{0,2}[^${quote}])*${quote.repeat(3)}`,
        )
        .replaceAll(
          `${quote.repeat(3)}(?:[^\\\\]|\\\\[^])*?${quote.repeat(3)}`,
          `${quote.repeat(3)}(?:${quote}{0,2}(?:[^${quote}\\\\]|\\\\[\\s\\S]))*${quote.repeat(3)}`,
        ),
    source,
  );
  if (eager.includes('*?') || eager.includes('[^]'))
    throw new Error(`Tree-sitter cannot read the pattern of ${name}: ${eager}`);
  return pattern(eager.replaceAll('\\/', '/'));
}

/** Converts `argumentList` to `argument_list`, and `IntLiteral` to `int_literal`. */
function snake(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

function isWord(word: string): boolean {
  return /^\w+$/.test(word);
}

/** Returns the query for colours. Where editors name one thing differently, a node has both names: those of Neovim and Zed, and those of Helix. */
export function toHighlights(
  grammar: GrammarDescription,
  names: { macros: readonly string[]; types: readonly string[] },
): string {
  const list = (words: readonly string[]) =>
    [...words]
      .sort()
      .map(word => `"${word}"`)
      .join(' ');
  const operators = grammar.operators.map(({ text: operator }) => operator).filter(operator => !isWord(operator));
  return `; Generated from the parser; do not edit.

(comment) @comment

(identifier) @variable
(select_expression field: (identifier) @property @variable.other.member)
(optional_select_expression field: (identifier) @property @variable.other.member)
(field (identifier) @property @variable.other.member)
(quoted_name) @property @variable.other.member

((identifier) @type @type.builtin
  (#any-of? @type ${list(names.types)}))
(message type: (_) @type)

(call_expression function: (identifier) @function)
(call_expression function: (rooted_name (identifier) @function))
(call_expression
  function: (identifier) @function.macro
  (#any-of? @function.macro ${list(names.macros)}))

[(string_literal) (bytes_literal)] @string
[(int_literal) (uint_literal) (negative_number)] @number @constant.numeric.integer
(double_literal) @number @constant.numeric.float
(bool_literal) @boolean @constant.builtin.boolean
(null_literal) @constant.builtin
(reserved_word) @error @keyword

"in" @keyword.operator
[${list([...operators, '!', '?', ':'])}] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["." ","] @punctuation.delimiter
`;
}
