import type { Field, Shape } from '../definition/field.ts';
import { SHAPES } from './shapes.ts';

/** Returns the shape with this name. A test ensures that every shape named in the contract exists. */
export function shapeOf(name: string): Shape {
  return (SHAPES as Readonly<Record<string, Shape>>)[name]!;
}

/** Returns the names and fields that requests may contain. */
export function requestFields(shape: Shape, mode: RequestMode): readonly (readonly [string, Field])[] {
  return Object.entries(shape.fields).filter(
    ([, field]) => field.use !== 'answer' && !(mode === 'update' && field.immutable),
  );
}

const ANSWER_FIELDS = new WeakMap<Shape, readonly (readonly [string, Field])[]>();

/** Returns the names and fields that responses contain, memoized. */
export function answerFields(shape: Shape): readonly (readonly [string, Field])[] {
  const known = ANSWER_FIELDS.get(shape);
  if (known) return known;
  const found = Object.entries(shape.fields).filter(([, field]) => field.use !== 'request');
  ANSWER_FIELDS.set(shape, found);
  return found;
}

/** `whole`: a record to create or a module to replace, with defaults. `update`: only the given fields change. */
export type RequestMode = 'whole' | 'update';
