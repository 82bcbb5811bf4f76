import { PROFILES } from '@tollgate/catalog';
import type { Target } from '@tollgate/core/targeting';
import type { DocumentKind } from '../project/project.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ShapedDocument } from './document-shape.ts';

/** Returns what decides the shape of a document at an offset; undefined where there is no policy, tests or settings. */
export function shapedDocument(
  { kind, target, policies, claims }: Snapshot,
  offset: number,
): ShapedDocument | undefined {
  if (kind === 'other') return undefined;
  const around = policies.find(
    ({ part, policy: { range } }) => part && range.start <= offset && offset <= range.end + 1,
  );
  if (around) return ofTarget(kind, around.target, around.part?.steps.length ?? 0);
  if (kind === 'carrier' || kind === 'edge') return undefined;
  if (target) return { ...ofTarget(kind, target, 0), phase: claims?.phase };
  const profile = PROFILES.at(-1)!;
  return {
    kind,
    profile,
    endpoint: profile.endpoints[0]!,
    isGuessed: true,
    target: undefined,
    phase: undefined,
    depth: 0,
  };
}

function ofTarget(kind: DocumentKind, target: Target, depth: number): ShapedDocument {
  const { profile, endpoint, detected } = target;
  return {
    kind,
    profile,
    endpoint,
    isGuessed: detected !== undefined && detected.evidence === undefined,
    target,
    phase: undefined,
    depth,
  };
}
