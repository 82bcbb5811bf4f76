import type { Field, Shape } from '../definition/field.ts';
import { SHAPES } from './shapes.ts';

/** A shape by its name, in its general form. The contract names no shape that it does not have: a test holds it to that. */
export function shapeOf(name: string): Shape {
  return (SHAPES as Readonly<Record<string, Shape>>)[name]!;
}

/** The fields of a shape that requests may hold, with their names. */
export function requestFields(shape: Shape, mode: RequestMode): readonly (readonly [string, Field])[] {
  return Object.entries(shape.fields).filter(
    ([, field]) => field.use !== 'answer' && !(mode === 'update' && field.immutable),
  );
}

/** The fields of a shape that answers hold, with their names. */
export function answerFields(shape: Shape): readonly (readonly [string, Field])[] {
  return Object.entries(shape.fields).filter(([, field]) => field.use !== 'request');
}

/** `whole`: a record to create or a module to put, with defaults; `update`: only what is given changes. */
export type RequestMode = 'whole' | 'update';
