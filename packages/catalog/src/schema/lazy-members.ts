/**
 * Adds members that are made when they are first read, and are plain values from then on. Profiles have most of their facts so: a start that
 * looks at one policy has a use for one profile, and would spend more time on making the others than on the policy.
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
