import type { Exchange, ReadTrafficOptions } from '@tollgate/traffic';
import { orderOfFiles } from './file-order.ts';
import { readInOrder } from './read-in-order.ts';

/** The exchanges before a given one in a recording. */
export interface History {
  /** Why the order of the exchanges is unknown; `exchanges` is then empty. */
  readonly orderFault: string | undefined;
  /** The earlier ones, in order of time. */
  readonly exchanges: AsyncIterable<Exchange>;
}

/** Reads the exchanges that precede one in its file. Throws an `ExternalError` if the file cannot be read. */
export async function historyOf({ place }: Exchange, traffic: ReadTrafficOptions): Promise<History> {
  const order = await orderOfFiles([place.file], traffic);
  if ('fault' in order) return { orderFault: order.fault, exchanges: earlier([]) };
  const failed = (_: string, error: Error) => {
    throw error;
  };
  return { orderFault: undefined, exchanges: earlier(readInOrder(order.files, traffic, { failed }), place.number) };
}

async function* earlier(
  batches: AsyncIterable<readonly Exchange[]> | readonly (readonly Exchange[])[],
  number?: number,
): AsyncGenerator<Exchange> {
  for await (const exchanges of batches) {
    for (const exchange of exchanges) {
      if (exchange.place.number === number) return;
      yield exchange;
    }
  }
}
