/** What a test states although it cannot: variables that follow from the exchange, and assumptions about what the simulator decides. */
import { type Profile, phasesAt, type VariableFact } from '@tollgate/catalog';
import { nearest } from '@tollgate/cel/tooling';
import type { Policy, PolicyTest } from '@tollgate/policy';
import { mayBeAssumed } from '../actions/registry.ts';
import { isStatable } from '../variables/variable-readers.ts';
import type { Mismatch } from './check-decision.ts';

/** What a test is about. */
interface TestedPolicy {
  readonly policy: Policy;
  readonly profile: Profile;
  /** Of the test in its file. */
  readonly path: Mismatch['path'];
}

/** Returns the statements of a test about variables and actions that have no effect, or not the one that is meant. */
export function statementFaults(test: PolicyTest, { policy, profile, path }: TestedPolicy): readonly Mismatch[] {
  const { variables, assume, after } = test;
  if (variables === undefined && assume === undefined && after === undefined) return NONE;
  const stated = [
    { at: [...path, 'variables'], variables },
    ...(after ?? []).map((one, index) => ({ at: [...path, 'after', index, 'variables'], variables: one.variables })),
  ];
  return [
    ...stated.flatMap(({ at, variables: values = {} }) =>
      Object.entries(values).flatMap(([name, value]) =>
        variableFault(name, value, profile).map(text => fault([...at, name], text)),
      ),
    ),
    ...Object.entries(assume ?? {}).flatMap(([action, assumption]) =>
      assumptionFault(action, assumption, { policy, profile }).map(text => fault([...path, 'assume', action], text)),
    ),
  ];
}

const NONE: readonly Mismatch[] = [];

function variableFault(name: string, value: unknown, profile: Profile): readonly string[] {
  const fact = profile.variables.find(one => one.path === name);
  if (fact === undefined) {
    const meant = nearest(
      name,
      profile.variables.filter(one => isStatable(one.path, profile)).map(one => one.path),
    );
    return [`unknown variable \`${name}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`];
  }
  if (fact.setBy !== undefined) return [`\`${name}\` is a result of \`${fact.setBy}\`; state it under \`assume\``];
  if (!isStatable(name, profile)) return [`\`${name}\` follows from other parts of the exchange; state those`];
  return isOfType(value, fact.type)
    ? []
    : [`\`${name}\` is of type \`${fact.type}\`, found \`${JSON.stringify(value)}\``];
}

/** Null stands for an absent value. */
function isOfType(value: unknown, type: VariableFact['type']): boolean {
  if (value === null) return true;
  if (type.startsWith('list(')) {
    const element = type.slice('list('.length, -1);
    return Array.isArray(value) && value.every(one => isOfType(one, element));
  }
  switch (type) {
    case 'bool':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'int':
      return Number.isSafeInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'timestamp':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value));
    default:
      return true;
  }
}

function assumptionFault(
  action: string,
  assumption: NonNullable<PolicyTest['assume']>[string],
  { policy, profile }: Omit<TestedPolicy, 'path'>,
): readonly string[] {
  const used = phasesAt(profile, policy.endpoint).flatMap(phase =>
    policy.rules[phase].flatMap(rule => rule.actions.map(one => one.type.value)),
  );
  if (!used.includes(action)) {
    const meant = nearest(action, used);
    return [`no rule has the action \`${action}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`];
  }
  if (!mayBeAssumed(action)) return [`what \`${action}\` does follows from the exchange; remove the assumption`];
  if (typeof assumption === 'string') return [];
  const results = profile.variables
    .filter(one => one.setBy === action)
    .map(one => one.path.split('.').slice(3).join('.'));
  return Object.keys(assumption).flatMap(name => {
    if (name === 'passes' || results.some(one => one === name || one.startsWith(`${name}.`))) return [];
    const meant = nearest(name, ['passes', ...results]);
    return [`\`${action}\` has no result \`${name}\`${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`];
  });
}

function fault(path: Mismatch['path'], message: string): Mismatch {
  return { kind: 'invalid', path, message, expected: undefined, found: undefined, needs: [] };
}
