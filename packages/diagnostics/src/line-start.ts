/** Returns where the line begins that contains an offset. Lines end with a line feed. */
export function lineStart(text: string, offset: number): number {
  // From a negative position, `lastIndexOf` looks at position 0.
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}
