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

/** All claims about a server, by group. */
export const SERVER_CASES: Readonly<Record<string, readonly ServerCase[]>> = {
  operations: operationCases(),
  fields: BODY_CASES.map(onServer),
  'rules between records': serverRuleCases(),
  'the wire': WIRE_CASES,
  behaviour: behaviourCases(),
};
