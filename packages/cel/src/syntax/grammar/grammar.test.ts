import { expect, it } from 'vitest';
import { describeLookahead } from './describe-lookahead.ts';
import { Grammar } from './grammar.ts';

it('has no ambiguity, left recursion or other fault that chevrotain finds', () => {
  expect(() => new Grammar({ recovery: false, validation: true })).not.toThrow();
});

// Written anew by `npx vitest run packages/cel/src/syntax/grammar/grammar.test.ts --update`.
it('looks ahead by what chevrotain finds in the grammar', async () => {
  const table = `/** By what the parser looks ahead: made of the grammar, which \`grammar.test.ts\` compares it with. */
export const LOOKAHEAD_TABLE = \`
${describeLookahead().join('\n')}
\`;
`;
  await expect(table).toMatchFileSnapshot('lookahead-table.ts');
});
