// What every package does with plain values, each in one way.

/** Returns a table's own value for a name from user input; undefined for inherited ones such as `constructor`. */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns true for an object that is not an array, as JSON has it. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a string in single quotes, those inside of it doubled, as SQL and YAML write it. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns a name in double quotes, those inside of it doubled, as standard SQL writes it. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Returns a function that computes its result on the first call and remembers it. */
export function once<T>(compute: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}

/** Returns a function that computes its result once for each argument, compared by identity, and remembers it. */
export function onceForEach<Key, T>(compute: (key: Key) => T): (key: Key) => T {
  const results = new Map<Key, T>();
  return key => {
    const known = results.get(key);
    if (known !== undefined || results.has(key)) return known as T;
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
