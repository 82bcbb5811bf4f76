import { PROFILES } from '@tollgate/catalog';
import type { Diagnostic } from '@tollgate/diagnostics';
import {
  checkInvariant,
  type DocumentNode,
  entryOf,
  invariantContext,
  type MappedText,
  type Policy,
  parseDocuments,
  readInvariants,
  type WrittenInvariant,
} from '@tollgate/policy';
import type { AnalysedPolicy, Snapshot } from './snapshot.ts';

/** The keys of invariants whose values are expressions. */
export const CONDITION_KEYS: readonly (keyof WrittenInvariant)[] = ['never', 'always', 'when', 'implies'];

/** The keys of invariants whose values name rules. */
export const RULE_KEYS: readonly (keyof WrittenInvariant)[] = ['unreachable', 'never_fails'];

/** Returns the snapshot of a file of invariants without the policy that they are about. */
export function invariantsSnapshot(bare: Snapshot): Snapshot {
  const { root, comments, diagnostics } = readInvariants(bare.source);
  return { ...bare, root: root ?? parseDocuments(bare.source)[0], comments, diagnostics };
}

/** Returns the snapshot of invariants with what their expressions and the names of rules mean in a policy. */
export function withTestedPolicy(snapshot: Snapshot, tested: AnalysedPolicy | undefined): Snapshot {
  const { source, root } = snapshot;
  if (!tested) return snapshot;
  const { value, diagnostics } = readInvariants(source);
  const given = textAt(root, 'profile')?.value;
  const profile = PROFILES.find(({ name }) => name === given) ?? tested.target.profile;
  const endpoint = profile.endpoints.find(one => one === textAt(root, 'endpoint')?.value) ?? tested.target.endpoint;
  const { place, environment, profile: extended } = invariantContext(profile, endpoint);
  const environments = { ...tested.environments, [place.phase]: environment };
  const target = { ...tested.target, profile: extended, endpoint, environments };
  const found = (value?.invariants ?? []).flatMap((written, index): readonly Diagnostic[] => {
    const at = { source, root: root!, path: ['invariants', index] };
    return checkInvariant(written, at, { policy: tested.policy, profile, endpoint }).diagnostics;
  });
  return {
    ...snapshot,
    target,
    claims: { phase: place.phase, texts: conditionsIn(root), tested: { ...tested, target, environments } },
    diagnostics: [...diagnostics, ...found].toSorted((a, b) => a.range.start - b.range.start),
  };
}

/** Returns the maps of invariants in a document. */
export function invariantsIn(root: DocumentNode | undefined): readonly DocumentNode[] {
  const list = root?.kind === 'map' ? entryOf(root, 'invariants')?.value : undefined;
  return list?.kind === 'list' ? list.items : [];
}

/** Returns the string below a key. */
export function textAt(node: DocumentNode | undefined, key: string): MappedText | undefined {
  const value = node?.kind === 'map' ? entryOf(node, key)?.value : undefined;
  return value?.kind === 'scalar' ? value.text : undefined;
}

/** Returns the names of the rules of a policy; of those that have none, phase and number. */
export function ruleNames({ rules }: Policy): readonly string[] {
  return Object.values(rules)
    .flat()
    .map(({ name, phase, index }) => name?.value ?? `${phase} ${index + 1}`);
}

function conditionsIn(root: DocumentNode | undefined): readonly MappedText[] {
  return invariantsIn(root).flatMap(node => CONDITION_KEYS.flatMap(key => textAt(node, key) ?? []));
}
