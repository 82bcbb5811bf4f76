import { OPERATION_IDS, operationOf } from '../contract/operations.ts';
import type { RequestMode } from '../contract/shape-of.ts';

const RECORDS = new Set(
  OPERATION_IDS.flatMap(id => {
    const { kind, request } = operationOf(id);
    return kind === 'create' && request !== null ? [request] : [];
  }),
);

/**
 * Returns the component name of a shape: response schemas have the shape's name, request schemas a suffix. A shape that occurs only in
 * requests keeps its name.
 */
export function componentName(shape: string, use: 'answer' | RequestMode): string {
  if (use === 'answer' || shape.endsWith('AtEdge')) return shape;
  if (use === 'update') return `${shape}Update`;
  return RECORDS.has(shape) ? `${shape}Create` : `${shape}Mutate`;
}
