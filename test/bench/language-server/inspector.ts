interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId?: string; readonly message?: string };
  readonly result?: { readonly usedSize?: number };
}

/** A connection to the inspector of a Node process. */
export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  readonly #threads: string[] = [];
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
  }

  static async connect(address: string): Promise<Inspector> {
    const socket = new WebSocket(address);
    await new Promise(resolve => socket.addEventListener('open', resolve, { once: true }));
    return new Inspector(socket);
  }

  /** Bytes in use after a collection, in the main thread and all others. */
  async heap(): Promise<number> {
    await this.#send('NodeWorker.enable', { waitForDebuggerOnStart: false });
    const sizes = [undefined, ...this.#threads].map(async thread => {
      await this.#send('HeapProfiler.collectGarbage', {}, thread);
      const { result } = await this.#send('Runtime.getHeapUsage', {}, thread);
      return result?.usedSize ?? 0;
    });
    return (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
  }

  close(): void {
    this.#socket.close();
  }

  #send(method: string, params: object, thread?: string): Promise<Answer> {
    this.#lastId += 1;
    const id = this.#lastId;
    const message = { id, method, params };
    const sent =
      thread === undefined
        ? message
        : {
            id: -id,
            method: 'NodeWorker.sendMessageToWorker',
            params: { sessionId: thread, message: JSON.stringify(message) },
          };
    this.#socket.send(JSON.stringify(sent));
    return new Promise(resolve => this.#waiting.set(id, resolve));
  }

  #take({ id, method, params, ...rest }: Answer): void {
    if (method === 'NodeWorker.attachedToWorker' && params?.sessionId !== undefined)
      this.#threads.push(params.sessionId);
    if (method === 'NodeWorker.receivedMessageFromWorker') this.#take(JSON.parse(params?.message ?? '{}'));
    if (id === undefined) return;
    this.#waiting.get(id)?.({ id, ...rest });
    this.#waiting.delete(id);
  }
}
