import type { ActionFact } from './action-fact.ts';
import { TERMINATIONS } from './termination.ts';

/** An action with its configuration. */
export interface ConfiguredAction {
  /** Undefined for an action unknown to the profile. */
  readonly fact: ActionFact | undefined;
  readonly config: Readonly<Record<string, unknown>>;
}

/**
 * Returns whether an action, as configured, ends the policy when it runs; `sometimes` if that depends on the traffic. Returns undefined
 * for unknown actions. Every analysis uses this function instead of reading `terminates`.
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

/** Returns true if the action refuses some traffic and passes the rest, unless configured not to enforce. */
export function mayRefuse({ fact }: Pick<ConfiguredAction, 'fact'>): boolean {
  return fact?.terminates === 'on-refusal';
}

/** Returns true if the action ends the policy unless it fails, whatever `on_error` says. */
export function endsUnlessItFails({ fact }: Pick<ConfiguredAction, 'fact'>): boolean {
  return fact?.terminates === 'unless-told-to-continue';
}

/** Returns a sentence about when the action ends the policy. */
export function terminationDoc({ terminates }: ActionFact): string {
  return TERMINATIONS[terminates];
}

/** Returns the configured value or the default, which null also means. */
function settingOf(name: string, { config: fields }: ActionFact, config: ConfiguredAction['config']): unknown {
  return config[name] ?? fields.find(field => field.name === name)?.default;
}
