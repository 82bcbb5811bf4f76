/**
 * Bytes of a policy that are read at most. More than the longest document that is analysed, so that one that was cut off is refused
 * for its length; a file that never ends does not hold the command up.
 */
export const MOST_BYTES = 16 * 1024 * 1024;

/** Joins what a stream gives, up to `most` bytes, and leaves the rest unread. */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, most = MOST_BYTES): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return Buffer.concat(read).subarray(0, most);
}
