/** A policy that the examples test. */
export const POLICY = `\
inbound:
  - name: no trace
    expressions: ["req.Method == 'TRACE'"]
    actions: [{ type: deny }]
`;

/** Tests of it that nothing is found in. */
export const TESTS = `\
policy: policy.yaml
tests:
  - name: nobody may trace
    request: { method: TRACE }
    expect: { outcome: denied }
  - name: everybody may read
    request: { method: GET }
    expect: { outcome: passed }
`;
