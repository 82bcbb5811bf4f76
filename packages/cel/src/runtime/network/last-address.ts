import type { RunContext } from '../context/implementation.ts';
import { bytesOfIp } from './parse-ip.ts';

/** No address is longer, and clients may supply the string. */
const MAX_LENGTH = 45;

/** Returns what {@link bytesOfIp} does. Remembers the last address, because a policy compares that of a client with one range after the other. */
export function lastBytesOfIp(context: RunContext, text: string): readonly number[] | undefined {
  const { lastIp } = context;
  if (lastIp !== undefined && lastIp.text === text) return lastIp.bytes;
  const bytes = bytesOfIp(text);
  if (text.length <= MAX_LENGTH) context.lastIp = { text, bytes };
  return bytes;
}
