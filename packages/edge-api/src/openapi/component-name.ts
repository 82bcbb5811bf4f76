import { OPERATION_IDS, operationOf } from '../contract/operations.ts';
import type { RequestMode } from '../contract/shape-of.ts';

const RECORDS = new Set(
  OPERATION_IDS.flatMap(id => {
    const { kind, request } = operationOf(id);
    return kind === 'create' && request !== null ? [request] : [];
  }),
);

/**
 * What the description calls an object: answers have the shape's name, requests the family's suffixes. A shape that only requests send
 * keeps its name.
 */
export function componentName(shape: string, use: 'answer' | RequestMode): string {
  if (use === 'answer' || shape.endsWith('AtEdge')) return shape;
  if (use === 'update') return `${shape}Update`;
  return RECORDS.has(shape) ? `${shape}Create` : `${shape}Mutate`;
}
