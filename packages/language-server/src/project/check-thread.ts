/** One end of a connection between threads. */
export interface ThreadPort {
  readonly post: (message: unknown) => void;
  readonly onMessage: (listen: (message: unknown) => void) => void;
}

/** A thread that runs {@link serveChecks}. */
export interface CheckThread extends ThreadPort {
  /** Called once the thread has ended, whatever the reason. */
  readonly onEnd: (listen: () => void) => void;
  readonly end: () => void;
}
