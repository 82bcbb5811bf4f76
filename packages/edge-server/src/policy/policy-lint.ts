/** What findings of lint rules mean for a policy in a request: ignored, warnings of dry runs, or reasons to reject it. */
export type PolicyLint = 'off' | 'warn' | 'error';
