import type { ActionFact } from './action-fact.ts';
import { TERMINATIONS } from './termination.ts';

/** An action of a rule, as far as its termination depends on it. */
export interface ConfiguredAction {
  /** Undefined for an action that the profile does not have. */
  readonly fact: ActionFact | undefined;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Whether an action, as configured, ends the policy when it runs: `never`, `always`, or `sometimes`, where that depends on the traffic. Undefined
 * for unknown actions. Every analysis asks this function; none reads `terminates` itself.
 */
export function terminationOf({ fact, config }: ConfiguredAction): 'never' | 'sometimes' | 'always' | undefined {
  switch (fact?.terminates) {
    case undefined:
      return undefined;
    case 'never':
    case 'always':
      return fact.terminates;
    case 'on-refusal':
      return settingOf('enforce', fact, config) === false ? 'never' : 'sometimes';
    case 'when-the-url-changes':
      return 'sometimes';
    case 'unless-told-to-continue':
      return settingOf('on_error', fact, config) === 'continue' ? 'sometimes' : 'always';
    case 'on-error-if-told-to-halt':
      return settingOf('on_error', fact, config) === 'halt' ? 'sometimes' : 'never';
  }
}

/** Whether the action refuses some of the traffic and lets the rest pass, unless it is told not to enforce that. */
export function mayRefuse({ fact }: Pick<ConfiguredAction, 'fact'>): boolean {
  return fact?.terminates === 'on-refusal';
}

/** Whether the action ends the policy unless it fails, whatever it is told to do then. */
export function endsUnlessItFails({ fact }: Pick<ConfiguredAction, 'fact'>): boolean {
  return fact?.terminates === 'unless-told-to-continue';
}

/** A sentence about when the action ends the policy. */
export function terminationDoc({ terminates }: ActionFact): string {
  return TERMINATIONS[terminates];
}

/** As written, or by default. Null stands for the default. */
function settingOf(name: string, { config: fields }: ActionFact, config: ConfiguredAction['config']): unknown {
  return config[name] ?? fields.find(field => field.name === name)?.default;
}
