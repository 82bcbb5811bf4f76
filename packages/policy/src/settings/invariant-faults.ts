import type { WrittenInvariant } from './invariants.ts';
import type { Fault } from './shape-faults.ts';

/** The keys of claims. */
export const CLAIMS = ['never', 'always', 'implies', 'unreachable', 'never_fails'] as const;

/** Returns what is wrong with invariants beside their shape: names that are used twice, and claims that are missing or too many. */
export function invariantFaults(invariants: readonly WrittenInvariant[], at: Fault['path']): readonly Fault[] {
  const seen = new Set<string>();
  return invariants.flatMap((invariant, index) => {
    const path = [...at, index];
    const isRepeated = seen.size === seen.add(invariant.name).size;
    const repeated = isRepeated
      ? [fault([...path, 'name'], `duplicate name \`${invariant.name}\`; invariants are reported by name`)]
      : [];
    return [...repeated, ...claimFaults(invariant, path)];
  });
}

function claimFaults(invariant: WrittenInvariant, path: Fault['path']): readonly Fault[] {
  const claims = CLAIMS.filter(key => invariant[key] !== undefined);
  if ((invariant.when === undefined) !== (invariant.implies === undefined)) {
    const [there, missing] = invariant.when === undefined ? ['implies', 'when'] : ['when', 'implies'];
    return [{ ...fault([...path, there!], `\`${there}\` without \`${missing}\`; add \`${missing}\``), ofKey: true }];
  }
  if (claims.length === 1) return [];
  const keys = CLAIMS.map(key => `\`${key}\``).join(', ');
  if (claims.length === 0) return [fault(path, `an invariant without a claim; add one of ${keys}`)];
  const found = claims.map(key => `\`${key}\``).join(' and ');
  return [{ ...fault([...path, claims[1]!], `several claims, ${found}; make each an invariant`), ofKey: true }];
}

function fault(path: Fault['path'], message: string): Fault {
  return { code: 'prove/invalid', path, message };
}
