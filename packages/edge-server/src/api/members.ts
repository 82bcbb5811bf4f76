/** A JSON object as it was parsed. */
export type Members = Readonly<Record<string, unknown>>;

/** The object that a stored body is. */
export function parseBody(body: string): Members {
  const value: unknown = JSON.parse(body);
  return isMembers(value) ? value : {};
}

/** Whether a value is a JSON object. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that is an object. */
export function membersAt(from: Members, key: string): Members | undefined {
  const value = from[key];
  return isMembers(value) ? value : undefined;
}

/** A member that is a text. */
export function textAt(from: Members, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a member that is a list. */
export function textsAt(from: Members, key: string): readonly string[] {
  const value: unknown = from[key];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
