/** The result of fenced code: its return value, or nothing if it was stopped. */
export type Fenced<T> = { readonly isFinished: true; readonly value: T } | { readonly isFinished: false };

/** Runs code of users and stops it if it does not return. Exceptions pass through. */
export type Fence = <T>(run: () => T) => Fenced<T>;

/** Runs code without a time limit. */
export const NO_FENCE: Fence = run => ({ isFinished: true, value: run() });
