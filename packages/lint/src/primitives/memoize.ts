/** Gives what a function gives; calls it when it is first asked, and once. */
export function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}
