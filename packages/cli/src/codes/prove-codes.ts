import type { CodeDescription } from '@tollgate/diagnostics';

const GOOD = { kind: 'command', text: 'tollgate prove examples/invariants/bookshop.invariants.yaml' } as const;
const WRONG = { kind: 'command', text: 'tollgate prove test/golden/prove/wrong.invariants.yaml' } as const;

/** The codes that `tollgate prove` reports. */
export const PROVE_CODES: readonly CodeDescription[] = [
  {
    code: 'prove/refuted',
    severity: 'error',
    summary: 'refuted invariant',
    rationale:
      'There is a well-formed request for which the policy does not do what the invariant claims. The message shows it; the simulator confirms it.',
    remedy:
      'Fix the policy, or the invariant if it claims too much. `--write-test` turns the request into a policy test.',
    bad: { kind: 'command', text: 'tollgate prove test/golden/prove/refuted.invariants.yaml' },
    good: GOOD,
  },
  {
    code: 'prove/unknown',
    severity: 'error',
    summary: 'invariant that is neither proved nor refuted',
    rationale:
      'The decision depends on something that the solver does not interpret, or the question is too large. The message says what it is.',
    remedy:
      'Rewrite the expression that the message names with tests that are decided (see the guide to proofs), or make the invariant narrower.',
    bad: { kind: 'command', text: 'tollgate prove test/golden/prove/unknown.invariants.yaml' },
    good: GOOD,
  },
  {
    code: 'prove/fail-open',
    severity: 'error',
    summary: 'refusal that an evaluation error can skip',
    rationale:
      'A rule whose expression fails does not match. A client that can make the expression fail, for example by leaving a header out, is not refused.',
    remedy: 'Check that the value exists before it is read, for example with `hasReqHeader`.',
    bad: { kind: 'command', text: 'tollgate prove --fail-open test/golden/prove/fail-open.yaml' },
    good: { kind: 'command', text: 'tollgate prove --fail-open examples/policies' },
  },
  {
    code: 'prove/invalid',
    severity: 'error',
    summary: 'invariant without a single claim',
    rationale: 'An invariant claims one thing, and is reported by its name.',
    remedy:
      'Give it exactly one of `never`, `always`, `when` with `implies`, `unreachable` and `never_fails`, and its own name.',
    bad: WRONG,
    good: GOOD,
  },
  {
    code: 'prove/unknown-rule',
    severity: 'error',
    summary: 'invariant about a rule that the policy does not have',
    rationale: 'The policy has no rule of this name, or several.',
    remedy: 'Write the name of a rule, or its phase and number, as in `inbound 2`.',
    bad: { kind: 'command', text: 'tollgate prove test/golden/prove/mistyped.invariants.yaml' },
    good: GOOD,
  },
];
