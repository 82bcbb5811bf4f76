/**
 * Returns an object whose lazy members are computed on first read and are plain values afterwards. Analysing one policy needs one profile;
 * building all of them would take longer than the analysis.
 */
export function withLazyMembers<T extends object, Late extends keyof T>(
  ready: Omit<T, Late>,
  makers: { readonly [Name in Late]: () => T[Name] },
): T {
  const target = { ...ready };
  for (const [name, make] of Object.entries<() => unknown>(makers)) {
    const get = () => {
      const value = make();
      Object.defineProperty(target, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
  }
  return target as T;
}
