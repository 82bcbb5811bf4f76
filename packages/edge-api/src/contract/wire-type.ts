import type { OPERATIONS, OperationId } from './operations.ts';
import type { SHAPES, ShapeName } from './shapes.ts';

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
