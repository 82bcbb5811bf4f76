/** Returns a function that computes its result on the first call and remembers it. */
export function memoize<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

/** Returns a function that computes its result once for each argument, compared by identity, and remembers it. */
export function memoizeByKey<Key, T>(compute: (key: Key) => T): (key: Key) => T {
  const results = new Map<Key, T>();
  return key => {
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known as T;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
