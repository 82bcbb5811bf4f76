import type { GrammarDescription, TokenDescription } from '@tollgate/cel/tooling';

/** The parts of a production, as serialized by Chevrotain, that are used here. */
interface Part {
  readonly type: string;
  readonly name?: string;
  readonly definition?: readonly Part[];
}

/** Returns the grammar in ISO 14977 EBNF, with tokens as regular expressions in special sequences. */
export function toEbnf(grammar: GrammarDescription): string {
  const rules = grammar.rules.map(rule => ruleText(rule as Part, grammar));
  const tokens = grammar.tokens.filter(({ pattern }) => pattern !== undefined);
  return [
    '(* The Common Expression Language as Tollgate parses it. Generated from the parser; do not edit. *)',
    '',
    ...rules,
    '',
    `binary operator = ${choice(grammar.tokens, 'operator')} ;`,
    `literal = ${choice(grammar.tokens, 'literal')} ;`,
    '',
    ...precedences(grammar),
    '',
    '(* Fields in braces make a message and follow a qualified name only: names joined by dots, without parentheses. *)',
    `(* Reserved, so no names of variables and functions: ${grammar.reservedWords.join(', ')}. *)`,
    '',
    '(* Tokens. White space and comments may stand between any two. *)',
    '',
    ...tokens.map(({ name, pattern }) => `${words(name)} = ? /${pattern}/ ? ;`),
    '',
  ].join('\n');
}

function ruleText(rule: Part, { tokens }: GrammarDescription): string {
  const texts = new Map(tokens.map(token => [token.name, token]));
  const parts = (rule.definition ?? []).map(part => write(part, texts, ''));
  const text = `${words(rule.name ?? '')} = ${parts.join(', ')} ;`;
  return text.includes('\n') ? `${words(rule.name ?? '')} =\n${parts.map(part => `  ${part}`).join(',\n')} ;` : text;
}

function sequence(parts: readonly Part[], tokens: ReadonlyMap<string, TokenDescription>, indent: string): string {
  return parts.map(part => write(part, tokens, indent)).join(', ');
}

function write(part: Part, tokens: ReadonlyMap<string, TokenDescription>, indent: string): string {
  const inner = part.definition ?? [];
  switch (part.type) {
    case 'Terminal': {
      const text = tokens.get(part.name ?? '')?.text;
      return text === undefined ? words(part.name ?? '') : quote(text);
    }
    case 'NonTerminal':
      return words(part.name ?? '');
    case 'Option':
      return `[ ${sequence(inner, tokens, indent)} ]`;
    case 'Repetition':
      return `{ ${sequence(inner, tokens, indent)} }`;
    case 'RepetitionMandatory':
      return `${sequence(inner, tokens, indent)}, { ${sequence(inner, tokens, indent)} }`;
    case 'Alternation':
      return alternation(inner, tokens, indent);
    default:
      throw new Error(`the grammar has a production of type ${part.type}, which has no notation here yet`);
  }
}

const LINE_WIDTH = 90;

/** Formats a rule on one line if it is short enough, otherwise with one line for each alternative. */
function alternation(parts: readonly Part[], tokens: ReadonlyMap<string, TokenDescription>, indent: string): string {
  const inside = `${indent}    `;
  const alternatives = parts.map(({ definition = [] }) => sequence(definition, tokens, inside));
  const line = `( ${alternatives.join(' | ')} )`;
  return line.length <= LINE_WIDTH ? line : `(\n${inside}  ${alternatives.join(`\n${inside}| `)}\n  ${indent})`;
}

function choice(tokens: readonly TokenDescription[], category: TokenDescription['category']): string {
  return tokens
    .filter(token => token.category === category)
    .map(({ name, text }) => (text === undefined ? words(name) : quote(text)))
    .join(' | ');
}

function precedences({ operators }: GrammarDescription): string[] {
  const levels = Map.groupBy(operators, ({ precedence }) => precedence);
  const lines = [...levels].sort(([a], [b]) => b - a).map(([, level]) => level.map(({ text }) => text).join('  '));
  return ['(* Operators that bind tightest first; all group to the left:', ...lines.map(line => `     ${line}`), '*)'];
}

function quote(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** Converts `argumentList` to `argument list`; EBNF names may contain spaces. */
function words(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
