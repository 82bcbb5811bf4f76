import type { Range as Offsets } from '@tollgate/diagnostics';
import { entryOf } from '@tollgate/policy';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** A policy test in a document. */
interface NamedTest {
  readonly name: string;
  readonly nameRange: Offsets;
  /** Of the whole test. */
  readonly range: Offsets;
}

/** The tests of a document. */
export interface TestList {
  /** The key above them. */
  readonly keyRange: Offsets;
  readonly tests: readonly NamedTest[];
}

/** Returns the named tests of a document; undefined if it has no list of tests. */
export function testsOf({ kind, root }: Snapshot): TestList | undefined {
  const entry = kind === 'tests' && root?.kind === 'map' ? entryOf(root, 'tests') : undefined;
  if (entry?.value.kind !== 'list') return undefined;
  const tests = entry.value.items.flatMap((item): readonly NamedTest[] => {
    const name = item.kind === 'map' ? entryOf(item, 'name')?.value : undefined;
    if (name?.kind !== 'scalar' || typeof name.value !== 'string') return [];
    return [{ name: name.value, nameRange: name.range, range: item.range }];
  });
  return { keyRange: entry.keyRange, tests };
}
