import type { Range } from '@tollgate/diagnostics';
import type { CodeLens } from 'vscode-languageserver-types';
import { LENS_COMMANDS } from '../protocol/announced-names.ts';
import { uriOfPolicy } from '../protocol/policy-uris.ts';
import { toRange } from '../protocol/ranges.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { testsOf } from './policy-tests.ts';

/** Returns the commands for the tests or rules of a document. */
export function codeLenses(snapshot: Snapshot): readonly CodeLens[] {
  return snapshot.kind === 'tests' ? testLenses(snapshot) : ruleLenses(snapshot);
}

function testLenses(snapshot: Snapshot): readonly CodeLens[] {
  const { source, uri } = snapshot;
  const found = testsOf(snapshot);
  if (!found) return [];
  const lens = (title: string, at: Range, name: string | null): CodeLens => ({
    range: toRange(source, at),
    command: { title, command: LENS_COMMANDS.runTest, arguments: [uri, name] },
  });
  return [
    lens('run all tests', found.keyRange, null),
    ...found.tests.map(({ name, nameRange }) => lens('run test', nameRange, name)),
  ];
}

function ruleLenses({ policies, source, uri }: Snapshot): readonly CodeLens[] {
  return policies.flatMap(({ policy, address }) =>
    Object.values(policy.rules).flatMap(rules =>
      rules.flatMap(({ name, range, phase, index }) => {
        const at = toRange(source, name?.range ?? { start: range.start, end: range.start });
        const arguments_ = [uriOfPolicy(uri, address), phase, index + 1];
        return [
          { range: at, command: { title: 'trace', command: LENS_COMMANDS.traceRule, arguments: arguments_ } },
          { range: at, command: { title: 'replay', command: LENS_COMMANDS.replayRule, arguments: arguments_ } },
        ];
      }),
    ),
  );
}
