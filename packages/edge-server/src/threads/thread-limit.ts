/** What a task has exceeded: its processor time, its memory, or the time for waiting and running. */
export type ThreadLimitKind = 'time' | 'memory' | 'busy';

/** A task that was ended because it exceeded the budget of its thread, or because the machine was too busy for it. */
export class ThreadLimit extends Error {
  override readonly name = 'ThreadLimit';
  readonly kind: ThreadLimitKind;

  constructor(kind: ThreadLimitKind) {
    super(kind === 'busy' ? 'the threads are too busy' : `the thread exceeded its ${kind} limit`);
    this.kind = kind;
  }
}
