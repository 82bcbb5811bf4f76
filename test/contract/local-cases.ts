import { type ContractCase, values } from './contract-case.ts';

/** A comparison with a string whose operand contains another one: how often is it compiled? */
function nestedChoices(depth: number): string {
  let operand = 's';
  for (let level = 0; level < depth; level += 1) operand = `(${operand} == "a" ? "b" : "a")`;
  return operand;
}

export const LOCALS: readonly ContractCase[] = values(
  ['(cel.bind(x, s, cel.bind(y, ["a"], x in y)) ? "b" : "c") == "b"', { s: 'a' }, true],
  ['(cel.bind(x, s, cel.bind(y, ["a"], x in y)) ? "b" : "c") != "b"', { s: 'a' }, false],
  ['("a" in [s].map(x, [x].map(y, x + y)[0]) ? "b" : "c") == "c"', { s: 'a' }, true],
  [nestedChoices(40), { s: 'a' }, 'a'],
);
