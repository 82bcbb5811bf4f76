import { entryOf } from '@tollgate/policy';
import type { CodeLens } from 'vscode-languageserver-types';
import { toRange } from '../protocol/ranges.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Commands of lenses. Clients run them; each has the URI of the document as its first argument. */
const LENS_COMMANDS = {
  /** Second argument: the name of the test, or null for all. */
  runTest: 'tollgate.runTest',
  /** Second argument: the phase; third: the number of the rule, from 1. */
  traceRule: 'tollgate.traceRule',
  replayRule: 'tollgate.replayRule',
} as const;

/** Returns the commands for the tests or rules of a document. */
export function codeLenses(snapshot: Snapshot): readonly CodeLens[] {
  return snapshot.kind === 'tests' ? testLenses(snapshot) : ruleLenses(snapshot);
}

function testLenses({ root, source, uri }: Snapshot): readonly CodeLens[] {
  const entry = root?.kind === 'map' ? entryOf(root, 'tests') : undefined;
  if (entry?.value.kind !== 'list') return [];
  const all: CodeLens = {
    range: toRange(source, entry.keyRange),
    command: { title: 'run all tests', command: LENS_COMMANDS.runTest, arguments: [uri, null] },
  };
  const each = entry.value.items.flatMap((item): readonly CodeLens[] => {
    const name = item.kind === 'map' ? entryOf(item, 'name')?.value : undefined;
    if (name?.kind !== 'scalar' || typeof name.value !== 'string') return [];
    const command = { title: 'run test', command: LENS_COMMANDS.runTest, arguments: [uri, name.value] };
    return [{ range: toRange(source, name.range), command }];
  });
  return [all, ...each];
}

function ruleLenses({ policies, source, uri }: Snapshot): readonly CodeLens[] {
  return policies.flatMap(({ policy }) =>
    Object.values(policy.rules).flatMap(rules =>
      rules.flatMap(({ name, range, phase, index }) => {
        const at = toRange(source, name?.range ?? { start: range.start, end: range.start });
        const arguments_ = [uri, phase, index + 1];
        return [
          { range: at, command: { title: 'trace', command: LENS_COMMANDS.traceRule, arguments: arguments_ } },
          { range: at, command: { title: 'replay', command: LENS_COMMANDS.replayRule, arguments: arguments_ } },
        ];
      }),
    ),
  );
}
