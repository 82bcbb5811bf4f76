/** A position of the protocol. */
interface Position {
  readonly line: number;
  readonly character: number;
}

/** Returns the position of an offset. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}

/** As the protocol says: a character behind the end of the line means the end. */
export function offsetOf(text: string, { line, character }: Position): number {
  const lines = text.split('\n');
  const start = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
  const length = (lines[line] ?? '').replace(/\r$/, '').length;
  return start + Math.min(character, length);
}
