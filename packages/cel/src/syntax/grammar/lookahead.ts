import { TOKEN_TYPES, type Token } from '../lexing/tokens.ts';
import { LOOKAHEAD_TABLE } from './lookahead-table.ts';

/** The number of an alternative; of what may be left out, 0 or nothing. */
type Choice = number | undefined;

/** By the type of the next token; where that leaves it open, by the type of the one behind it. */
type ChoiceTable = (Choice | Choice[])[];

/** What chevrotain calls on a parser to choose among alternatives, or to decide whether what may be left out is there. */
type LookaheadFunction = (this: { LA_FAST(distance: number): Pick<Token, 'tokenTypeIdx'> }) => Choice | boolean;

/**
 * What chevrotain looks ahead by, for each rule and each place in it, as it keeps it. It would run every rule to learn the grammar, and
 * follow the grammar to all that may come next, for a tenth of what a check of one file takes; what it finds is written down instead.
 */
export function writtenLookahead(): LookaheadFunction[][] {
  const found: LookaheadFunction[][] = [];
  for (const line of LOOKAHEAD_TABLE.trim().split('\n')) {
    const [, rule, key, kind, ...alternatives] = line.split(' ');
    const table = tableOf(alternatives);
    found[Number(rule)] ??= [];
    found[Number(rule)]![Number(key)] = kind === 'option' ? isThere(table) : alternativeOf(table);
  }
  return found;
}

function alternativeOf(table: ChoiceTable): LookaheadFunction {
  return function () {
    const choice = table[this.LA_FAST(1).tokenTypeIdx];
    return typeof choice === 'object' ? choice[this.LA_FAST(2).tokenTypeIdx] : choice;
  };
}

function isThere(table: ChoiceTable): LookaheadFunction {
  return function () {
    const choice = table[this.LA_FAST(1).tokenTypeIdx];
    return (typeof choice === 'object' ? choice[this.LA_FAST(2).tokenTypeIdx] : choice) === 0;
  };
}

/** @param alternatives ways to begin each, separated by `|`: one token or two, joined by `,` */
function tableOf(alternatives: readonly string[]): ChoiceTable {
  const table: ChoiceTable = [];
  for (const [number, ways] of alternatives.entries()) {
    for (const way of ways.split('|')) {
      const [first = '', second] = way.split(',');
      for (const type of typesNamed(first)) {
        if (second === undefined) table[type] ??= number;
        else addSecond(table, type, { second, number });
      }
    }
  }
  return table;
}

function addSecond(table: ChoiceTable, first: number, { second, number }: { second: string; number: number }): void {
  const found = table[first];
  const choices = typeof found === 'object' ? found : [];
  table[first] = choices;
  for (const type of typesNamed(second)) choices[type] ??= number;
}

/** The type of that name, and those that it is the category of. */
function typesNamed(name: string): readonly number[] {
  const type = TYPES.get(name)!;
  return [type.tokenTypeIdx!, ...type.categoryMatches!];
}

const TYPES = new Map(TOKEN_TYPES.map(type => [type.name, type]));
