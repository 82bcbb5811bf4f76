// Every shape by name, its fields in requests and responses, and the TypeScript types of both.

import type { Field, Shape } from '../definition/field.ts';
import { ACCESS, BACKENDS, HOSTS } from './access-shapes.ts';
import { EDGE_MODULES, EDGES } from './edge-shapes.ts';
import { EVENTS } from './event-shapes.ts';
import type { OPERATIONS, OperationId } from './operations.ts';
import { ROUTE_MODULES, SIGN_ON_MODULES } from './route-module-shapes.ts';

/** Every object on the wire, by name: records, modules and their parts. */
export const SHAPES = {
  ...EDGES,
  ...EDGE_MODULES,
  ...ROUTE_MODULES,
  ...SIGN_ON_MODULES,
  ...BACKENDS,
  ...ACCESS,
  ...EVENTS,
  ...HOSTS,
} as const;

/** The name of a shape. */
export type ShapeName = keyof typeof SHAPES;

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

type Fields<N> = N extends ShapeName ? (typeof SHAPES)[N]['fields'] : never;

/** The type of a value in responses (`answer`) or requests (`request`). */
type ValueOf<T, Use extends 'answer' | 'request'> = T extends {
  kind: 'text';
  oneOf: { values: readonly (infer V)[]; ignoreCase?: never };
}
  ? V
  : T extends { kind: 'text' }
    ? string
    : T extends { kind: 'boolean' }
      ? boolean
      : T extends { kind: 'integer' | 'number' }
        ? number
        : T extends { kind: 'list'; of: infer O }
          ? readonly ValueOf<O, Use>[]
          : T extends { kind: 'map'; of: infer O }
            ? Readonly<Record<string, ValueOf<O, Use>>>
            : T extends { kind: 'shape'; name: infer N; request: infer R }
              ? Use extends 'answer'
                ? AnswerOf<N>
                : RequestOf<R>
              : T extends { kind: 'json' }
                ? Readonly<Record<string, unknown>>
                : never;

type Answered<F> = { [K in keyof F]: F[K] extends { use: 'request' } ? never : K }[keyof F];
type Sent<F> = { [K in keyof F]: F[K] extends { use: 'answer' } ? never : K }[keyof F];
type Required<F> = { [K in Sent<F>]: F[K] extends { required: number } ? K : never }[Sent<F>];
type Changeable<F> = { [K in Sent<F>]: F[K] extends { immutable: true } ? never : K }[Sent<F>];
type TypeOf<F> = F extends { type: infer T } ? T : never;
type Null<F> = F extends { nullable: true } ? null : never;

/** A field in responses; the values of a secret map are null. */
type AnswerField<F> = F extends { secret: 'write-only'; type: { kind: 'map' } }
  ? Readonly<Record<string, null>>
  : ValueOf<TypeOf<F>, 'answer'> | Null<F>;

/** A shape in responses, where every field is present. */
export type AnswerOf<N> = { readonly [K in Answered<Fields<N>>]: AnswerField<Fields<N>[K]> };

/** A shape in requests that create or replace it. */
export type RequestOf<N> = { readonly [K in Required<Fields<N>>]: ValueOf<TypeOf<Fields<N>[K]>, 'request'> } & {
  readonly [K in Exclude<Sent<Fields<N>>, Required<Fields<N>>>]?: ValueOf<TypeOf<Fields<N>[K]>, 'request'> | null;
};

/** A shape in updates, where absent fields stay unchanged. */
export type UpdateOf<N> = { readonly [K in Changeable<Fields<N>>]?: ValueOf<TypeOf<Fields<N>[K]>, 'request'> | null };

/** The request body of an operation; never if it takes none. */
export type BodyOf<I extends OperationId> = (typeof OPERATIONS)[I] extends { kind: 'update'; request: infer N }
  ? UpdateOf<N>
  : (typeof OPERATIONS)[I] extends { request: infer N extends string }
    ? RequestOf<N>
    : never;

/** The response body of an operation; null if it has none. */
export type ResultOf<I extends OperationId> = (typeof OPERATIONS)[I] extends {
  answer: infer N;
  listKey: infer K extends string;
}
  ? { readonly [P in K]: readonly AnswerOf<N>[] } & { readonly uri: string; readonly next_page_uri?: string | null }
  : (typeof OPERATIONS)[I] extends { answer: infer N extends string }
    ? AnswerOf<N>
    : null;

/** The object in an operation's response, or an entry of a list. */
export type EntryOf<I extends OperationId> = (typeof OPERATIONS)[I] extends { answer: infer N extends string }
  ? AnswerOf<N>
  : never;
