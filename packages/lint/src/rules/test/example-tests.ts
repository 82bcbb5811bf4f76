/** The policy of the examples. */
export const POLICY = `\
inbound:
  - name: no TRACE
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`;

/** Tests of the policy without findings. */
export const TESTS = `\
policy: policy.yaml
tests:
  - name: denies TRACE
    request: { method: TRACE }
    expect: { outcome: denied }
  - name: passes GET
    request: { method: GET }
    expect: { outcome: passed }
`;
