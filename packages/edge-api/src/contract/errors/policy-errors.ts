import { bad, type ErrorFact } from './error-fact.ts';

/** Errors of traffic policies (part B 2.6). */
export const POLICY_ERRORS = {
  2200: bad('an expression that does not compile', "The expression at '{field}' is not valid: {value}"),
  2201: bad('an unknown action type', "The action type at '{field}' does not exist: {value}"),
  2202: bad(
    'an action that the phase does not support',
    "The action at '{field}' is not supported in this phase: {value}",
  ),
  2203: bad(
    'a configuration of an action that cannot be decoded',
    "The configuration at '{field}' is not valid: {value}",
  ),
  2204: bad('a value that a field of a configuration may not have', "The value at '{field}' is not valid: {value}"),
  2205: bad(
    'an action that the protocol does not support',
    "The action at '{field}' is not supported for this endpoint: {value}",
  ),
  2206: bad('a rule without an action', "The rule must have at least one action in '{field}'."),
  2207: bad('an action after a terminating one', "The action at '{field}' is unreachable: {value}"),
  2226: bad('a value that is no URL', "The value at '{field}' is not a URL: {value}"),
  2230: bad(
    'a phase that the protocol does not have',
    "The phase at '{field}' is not valid for this endpoint: {value}",
  ),
  2236: bad('a policy that cannot be parsed, or is too large', "The policy in '{field}' cannot be parsed: {value}"),
  2264: bad('too many rules', "The policy in '{field}' has too many rules: {value}"),
  2265: bad('too many actions or expressions in a rule', "The rule at '{field}' is too large: {value}"),
  9026: bad('a policy that is not valid', 'The policy is not valid: {value}'),
} as const satisfies Record<number, ErrorFact>;
