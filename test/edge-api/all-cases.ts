import { type OperationId, operationOf } from '@tollgate/edge-api';
import { BODY_LOCATIONS } from './body-locations.ts';
import { behaviourCases } from './cases/behaviour-cases.ts';
import { fieldCases } from './cases/field-cases.ts';
import { operationCases } from './cases/operation-cases.ts';
import { ruleCases } from './cases/rule-cases.ts';
import { serverRuleCases } from './cases/server-rule-cases.ts';
import { WIRE_CASES } from './cases/wire-cases.ts';
import { onServer, type ServerCase } from './server-case.ts';

/** The claims about bodies. */
export const BODY_CASES = BODY_LOCATIONS.flatMap(location => [...fieldCases(location), ...ruleCases(location)]);

/** The group of claims about rules between records. */
export const RULES = 'rules between records';

/** All claims about a server, by group. */
export const SERVER_CASES: Readonly<Record<string, readonly ServerCase[]>> = {
  operations: operationCases(),
  fields: BODY_CASES.map(onServer),
  [RULES]: serverRuleCases(),
  'the wire': WIRE_CASES,
  behaviour: behaviourCases(),
};

/**
 * The claims that `npm test` proves on a server. About bodies, one for each row of the contract's table and each error, since the tests of the
 * validator prove all of them without a server. Each operation succeeds and demands a key and a version; its other refusals are the same
 * code for all operations of a kind. Limits that take many requests to reach are not tried.
 */
export const QUICK_SERVER_CASES: typeof SERVER_CASES = {
  ...SERVER_CASES,
  operations: firstOfEach(SERVER_CASES.operations!, ({ name, row }) => [
    /answers 20\d|without a (?:key|version)/.test(name)
      ? name
      : name.replace(row, operationOf(row as OperationId).kind),
  ]),
  [RULES]: SERVER_CASES[RULES]!.filter(({ name }) => !fillsServer(name)),
  fields: firstOfEach(BODY_CASES, ({ row, expected }) => [row, expected.ok ? 'accepted' : expected.number]).map(
    onServer,
  ),
};

/** A limit is reached with up to 1,000 requests. */
function fillsServer(name: string): boolean {
  return /^\w+-bounded \(/.test(name);
}

/** Returns the elements with a key that none before them has. */
function firstOfEach<T>(all: readonly T[], keysOf: (one: T) => readonly unknown[]): readonly T[] {
  const seen = new Set<unknown>();
  return all.filter(one => {
    const before = seen.size;
    for (const key of keysOf(one)) seen.add(key);
    return seen.size > before;
  });
}
