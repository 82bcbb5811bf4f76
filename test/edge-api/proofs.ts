import {
  ERRORS,
  type ErrorNumber,
  KEPT_WHILE_REFERRED_TO,
  OPERATION_IDS,
  operationOf,
  SERVER_RULES,
  SHAPES,
  shapeOf,
} from '@tollgate/edge-api';
import { BODY_CASES, SERVER_CASES } from './all-cases.ts';
import { ruleRow } from './cases/rule-cases.ts';
import { ELSEWHERE } from './elsewhere.ts';

const CASES = Object.values(SERVER_CASES).flat();
const BY_ROW = Map.groupBy(CASES, ({ row }) => row);

/** What cases cannot prove one by one, each with the case that does, or why there is none. */
const BY_HAND: Readonly<Record<string, string>> = {
  Ref: 'IP policies of a restriction are answered in the order sent',
  ReservedDomainCertStatus: 'always null here: this service obtains no certificates',
  ReservedDomainCertJob: 'always null here: this service obtains no certificates',
};

/** Returns the names of the tests that prove a row of the contract's table. */
export function proofsOf(row: string): readonly string[] {
  const own = (BY_ROW.get(row) ?? []).map(({ name }) => name);
  return own.length > 0 ? own : derived(row);
}

/** A field that only responses contain is proved with the whole response, by the OpenAPI description. */
function derived(row: string): readonly string[] {
  const [shape = ''] = row.split('.');
  const byHand = BY_HAND[shape];
  if (byHand !== undefined) return [byHand];
  const id = OPERATION_IDS.find(one => operationOf(one).answer === shape && operationOf(one).listKey === undefined);
  return id === undefined ? [] : [`${id} answers ${operationOf(id).success}, as described`];
}

/** Returns the names of the tests in which an error occurs, or where else it is proved. */
export function proofsOfError(number: ErrorNumber): readonly string[] {
  const bodies = BODY_CASES.filter(({ expected }) => !expected.ok && expected.number === number).map(
    ({ name }) => name,
  );
  const others = CASES.map(({ name }) => name).filter(
    name => new RegExp(`\\b${number}\\b`).test(name) && !bodies.includes(name),
  );
  const elsewhere = ELSEWHERE[number];
  return [...bodies, ...others, ...(elsewhere === undefined ? [] : [elsewhere])];
}

/** Returns the keys of every row of the contract itself. */
export function contractRows(): readonly string[] {
  return [
    ...OPERATION_IDS,
    ...Object.keys(SHAPES).flatMap(name => Object.keys(shapeOf(name).fields).map(field => `${name}.${field}`)),
    ...Object.keys(SHAPES).flatMap(name => (shapeOf(name).rules ?? []).map(rule => ruleRow(name, rule))),
    ...SERVER_RULES.map(({ id }) => id),
    ...Object.keys(KEPT_WHILE_REFERRED_TO).map(kind => `kept-while-referred-to ${kind}`),
  ];
}

/** Returns the rows that cases add: about the wire, and about behaviour over more than one request. */
export function addedRows(): readonly { readonly key: string; readonly source: string }[] {
  const known = new Set([...contractRows(), ...Object.keys(SHAPES)]);
  return [...BY_ROW].filter(([key]) => !known.has(key)).map(([key, [one]]) => ({ key, source: one!.source }));
}

/** Every error of the contract. */
export const ERROR_NUMBERS = Object.keys(ERRORS).map(Number) as readonly ErrorNumber[];
