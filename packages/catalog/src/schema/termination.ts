/** When an action ends evaluation of the policy. */
export type Termination = keyof typeof TERMINATIONS;

/** A sentence for every {@link Termination}. */
export const TERMINATIONS = {
  never: 'The next action always runs.',
  always: 'Ends the policy.',
  'on-refusal': 'Ends the policy when it refuses.',
  'when-the-url-changes': 'Ends the policy when the URL changes.',
  'unless-told-to-continue': 'Ends the policy, except when it fails and `on_error` is `continue`.',
  'on-error-if-told-to-halt': 'Ends the policy when it fails and `on_error` is `halt`.',
} as const;
