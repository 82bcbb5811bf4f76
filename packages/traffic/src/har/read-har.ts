import { printable, WorldError } from '@tollgate/diagnostics';
import { excerptOf, type SkippedRecord, type TrafficBatch } from '../batch.ts';
import type { Exchange } from '../exchange.ts';
import type { TrafficLimits } from '../limits.ts';
import type { Place } from '../place.ts';
import { readEntry } from './entry.ts';
import { isRecord } from './json.ts';
import { withheldHeaders } from './withheld-headers.ts';

/** Entries of one batch: the file is in memory anyway, the exchanges made of it need not be. */
const BATCH_SIZE = 1000;

/**
 * Reads a HAR file, whole. Throws a {@link WorldError}: `traffic/har-too-large` beyond the limit, `traffic/malformed-har` when it
 * is not JSON or has no `log.entries`.
 */
export async function* readHar(
  source: AsyncIterable<Uint8Array>,
  file: string,
  limits: TrafficLimits,
): AsyncGenerator<TrafficBatch> {
  const { entries, creator } = logOf(await readAll(source, file, limits.maxHarBytes), file);
  const withheld = withheldHeaders(entries, creator);
  for (let start = 0; start < entries.length; start += BATCH_SIZE) {
    yield readBatch(entries.slice(start, start + BATCH_SIZE), { file, before: start, withheld });
  }
}

async function readAll(source: AsyncIterable<Uint8Array>, file: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) {
      const limit = `${Math.floor(maxBytes / 2 ** 20)} MiB`;
      throw new WorldError('traffic/har-too-large', `\`${file}\` is too large for a HAR file: the limit is ${limit}`);
    }
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

interface HarLog {
  readonly entries: readonly unknown[];
  readonly creator: unknown;
}

function logOf(text: string, file: string): HarLog {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    // The message quotes the file, which may hold anything.
    const problem = printable((error as Error).message);
    throw new WorldError('traffic/malformed-har', `\`${file}\` is no HAR file: ${problem}`, { cause: error });
  }
  const log = isRecord(document) ? document.log : undefined;
  if (!isRecord(log) || !Array.isArray(log.entries)) {
    throw new WorldError('traffic/malformed-har', `\`${file}\` is no HAR file: it has no \`log.entries\` list`);
  }
  return { entries: log.entries, creator: log.creator };
}

interface BatchContext {
  readonly file: string;
  /** Entries before those of the batch. */
  readonly before: number;
  readonly withheld: readonly string[];
}

function readBatch(entries: readonly unknown[], { file, before, withheld }: BatchContext): TrafficBatch {
  const exchanges: Exchange[] = [];
  const skipped: SkippedRecord[] = [];
  entries.forEach((entry, index) => {
    const place: Place = { file, number: before + index + 1, unit: 'entry' };
    const exchange = readEntry(entry, place, withheld);
    if (typeof exchange !== 'string') exchanges.push(exchange);
    else skipped.push({ place, reason: exchange, excerpt: excerptOf(describe(entry)) });
  });
  return { exchanges, skipped };
}

function describe(entry: unknown): string {
  const request = isRecord(entry) && isRecord(entry.request) ? entry.request : undefined;
  return typeof request?.url === 'string' ? request.url : JSON.stringify(request ?? entry);
}
