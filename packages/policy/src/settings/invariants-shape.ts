import { type ConfigField, type ConfigType, PROFILES } from '@tollgate/catalog';
import { NAMES, unionOf } from './extension-shape.ts';

const NAME = { kind: 'string', nonEmpty: true } as const satisfies ConfigType;

/** The keys of one invariant. */
const INVARIANT_FIELDS: readonly ConfigField[] = [
  { name: 'name', type: NAME, required: true, doc: 'A sentence that is true if the invariant holds.' },
  { name: 'never', type: NAME, doc: 'Expression over request and decision that is true for no request.' },
  {
    name: 'always',
    type: NAME,
    doc: 'Expression over request and decision that is true for each request.',
  },
  { name: 'when', type: NAME, doc: 'With `implies`: expression that selects requests.' },
  { name: 'implies', type: NAME, doc: 'With `when`: expression that is true for each selected request.' },
  { name: 'unreachable', type: NAME, doc: 'Rule that matches no request: its name, or its phase and number.' },
  {
    name: 'never_fails',
    type: NAME,
    doc: 'Rule that no evaluation error skips: its name, or its phase and number.',
  },
];

/** The keys of a file of invariants. */
export const INVARIANTS_FIELDS: readonly ConfigField[] = [
  {
    name: 'policy',
    type: NAME,
    required: true,
    doc: 'The policy that they are about, relative to this file; `FILE#/spec/policy` for a part of a file; or an edge, in the form that the API returns.',
  },
  {
    name: 'profile',
    type: unionOf(PROFILES.map(one => one.name)),
    doc: 'Profile of the policy. By default it is detected from its keys and names.',
  },
  { name: 'endpoint', type: unionOf(PROFILES.flatMap(one => one.endpoints)), doc: 'Endpoint kind of the policy.' },
  {
    name: 'enabled',
    type: { kind: 'bool' },
    doc: 'Whether the policy is treated as enabled. By default what it says itself; a disabled policy does nothing.',
  },
  {
    name: 'invariants',
    type: { kind: 'list', of: { kind: 'object', fields: INVARIANT_FIELDS }, min: 1 },
    required: true,
    doc: 'What must hold for all traffic.',
  },
];

/** The keys of an invariant in a project file. */
export const PROJECT_INVARIANT_FIELDS: readonly ConfigField[] = [
  {
    name: 'files',
    type: NAMES,
    required: true,
    doc: 'Patterns of the policies that it is about, relative to the project file.',
  },
  ...INVARIANT_FIELDS,
];
