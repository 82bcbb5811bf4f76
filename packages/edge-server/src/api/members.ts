/** A parsed JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Parses a stored body. */
export function parseBody(body: string): Members {
  const value: unknown = JSON.parse(body);
  return isMembers(value) ? value : {};
}

/** Returns true if the value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a member if it is an object. */
export function membersAt(from: Members, key: string): Members | undefined {
  const value = from[key];
  return isMembers(value) ? value : undefined;
}

/** Returns a member if it is a string. */
export function stringAt(from: Members, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the strings of a member that is a list; empty otherwise. */
export function stringsAt(from: Members, key: string): readonly string[] {
  const value: unknown = from[key];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
