/** What became of code that runs behind a fence: what it returned, or nothing when it had to be stopped. */
export type Fenced<T> = { readonly isFinished: true; readonly value: T } | { readonly isFinished: false };

/** Runs code that users supply, and stops it when it does not return. What it throws is thrown. */
export type Fence = <T>(run: () => T) => Fenced<T>;

/** Waits for all code, however long it takes. */
export const NO_FENCE: Fence = run => ({ isFinished: true, value: run() });
