import { expect, it } from 'vitest';
import { addedRows, contractRows, ERROR_NUMBERS, proofsOf, proofsOfError } from './proofs.ts';

it('has a proof for every row of the contract', () => {
  expect(contractRows().filter(row => proofsOf(row).length === 0)).toEqual([]);
});

it('has a proof for every error, or says where it is proved', () => {
  expect(ERROR_NUMBERS.filter(number => proofsOfError(number).length === 0)).toEqual([]);
});

it('adds rows only about the wire and about behaviour', () => {
  expect(addedRows().filter(({ key }) => !/^(wire|behaviour) /.test(key))).toEqual([]);
});
