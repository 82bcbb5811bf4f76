/**
 * Maximum number of bytes to read, so that endless files end. Larger than the longest document that the analysis accepts, so that a
 * truncated one is rejected for its length.
 */
export const MAX_BYTES = 16 * 1024 * 1024;

/** Returns the bytes of a stream, up to `most`; the rest is not read. */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, most = MAX_BYTES): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return Buffer.concat(read).subarray(0, most);
}
