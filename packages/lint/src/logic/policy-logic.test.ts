import { PROFILES } from '@tollgate/catalog';
import { SourceText } from '@tollgate/diagnostics';
import { expect, it } from 'vitest';
import { createLinter, lintText } from '../engine/lint-text.ts';
import { activate } from '../engine/resolve-rules.ts';
import { CATCH_ALL_NOT_LAST } from '../rules/logic-order/catch-all-not-last.ts';

const REST = `actions: [{ type: deny }]
  - actions: [{ type: deny }]
`;

it.each([
  [
    'a tag where a condition was meant',
    "inbound:\n  - expressions:\n      - !hasReqHeader('A')\n    ",
    ['yaml/unknown-tag'],
  ],
  [
    'a condition that is not a string',
    'inbound:\n  - expressions:\n      - false\n    ',
    ['policy/unquoted-expression'],
  ],
  ['a key that does not exist', 'inbound:\n  - expression: ["req.Method == \'GET\'"]\n    ', ['policy/unknown-key']],
  ['a rule without conditions', 'inbound:\n  - ', ['logic/catch-all-not-last']],
])('does not treat a rule as catch-all if the analysis dropped a part of it: %s', (_, start, codes) => {
  const target = { profile: PROFILES[0]!, endpoint: PROFILES[0]!.endpoints[0]! };
  const linter = createLinter([activate(CATCH_ALL_NOT_LAST)]);
  const { diagnostics } = lintText(new SourceText('policy.yaml', start + REST), target, linter);
  expect(diagnostics.map(one => one.code)).toEqual(codes);
});
